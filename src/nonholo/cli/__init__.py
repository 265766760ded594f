"""The command line: one small module for each kind of question, everything heavy imported when asked for."""
