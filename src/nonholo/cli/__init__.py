"""Command line: a small module for each command; heavy modules are imported when a command needs them."""
