"""Fuzzers: cases by grammar and by mutation, the same for the same seed.

    make fuzz                                     all kinds, until Ctrl-C, from a seed that is printed
    python -m tests.attack.fuzz --kind expressions --seed 7 --count 1000

A failure is any error but a NonholoError, a wrong value, more than two seconds of processor time (a command: twenty), more than
one gigabyte, or a process that dies; for ``systems`` a false answer (`tests.engine`), kept as a TOML file in ``build/fuzz``.
What was ever found is kept in ``found.json`` and tried first, for ever.
"""
