"""Steering: a system with inputs (or its speeds as inputs) -> inputs that lead it from a start to a goal.

``steering_problem`` reads what the user wants, ``collocation`` solves it by direct collocation on the exact equations,
``flow_correction`` makes it exact on the true flow, ``steer`` is the front; ``geodesics`` are the shortest admissible curves.
"""
