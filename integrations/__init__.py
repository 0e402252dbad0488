"""Everything that hands the product out: command line, hooks, daemon; thin adapters over the layers below."""
