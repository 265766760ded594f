"""What integrators keep: measured on small probes, one function for each property; `table` has the results."""
