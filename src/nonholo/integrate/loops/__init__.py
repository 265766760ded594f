"""The compiled loops: steps, step size, events, projection; one motion or several side by side.

``arguments`` fills the arrays that a loop reads, ``implicit`` solves implicit steps, ``compilation`` makes machine code of all.
"""
