"""Invariant tori: `frequency_analysis` finds the frequencies of a motion with error bars, and whether it is quasi-periodic."""
