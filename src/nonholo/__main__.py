"""``python -m nonholo``: the command line."""

from nonholo.cli.main import run

run()
