"""One judgement of a system: what is proved, what is measured, what is open, and what follows."""
