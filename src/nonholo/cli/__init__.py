"""Command line: `main` runs a command and turns errors into one line; each file in `commands` is a command.

`command_subject` reads what a command is about, `options` and `motion_options` what several commands take, `terminal`
prints tables and JSON. Heavy modules are imported when a command needs them.
"""
