"""One trajectory: setup, compiled equations, integration, `simulate` and `Trajectory`."""
