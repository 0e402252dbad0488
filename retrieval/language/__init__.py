"""Words: folding, languages, stems, compounds and identifiers. Standard library only, for a search starts cold."""
