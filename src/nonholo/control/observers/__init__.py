"""Observers: Kalman filters on the reduced equations, in which velocity constraints hold exactly and holonomic ones are kept.

``observer`` is the front, the filter's step and what a filter makes of a record of measurements.
"""
