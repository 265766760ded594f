"""Classification of constraints: holonomic, nonholonomic, linear, nonlinear; leaves and branches."""
