"""Settings of a vault: one typed tree, read from YAML, with every default shipped here.

This package knows no other package of the project. Import its modules by name (`config.settings`, `config.vault`): the
package itself imports nothing, for even `sluice --help` passes through here.
"""
