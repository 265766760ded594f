"""Gaits: periodic changes of shape -> displacement in the group's directions, geometric and dynamic apart, and the best of them.

``horizontal_lift`` gives the nonholonomic connection in numbers, ``local_connection`` its fields and curvature over shape space,
``driven_system`` a system whose shape follows Fourier series, ``gait`` measures and improves loops.
"""
