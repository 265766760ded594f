"""One motion.

`simulate` reads what the user wants, `motion_pieces` sets up the Problem, `formulation` chooses the frame and
compiles (`system_kernel`), `integration` calls the loops; `trajectory` is what comes out. The others are warnings,
ends and events.
"""
