"""Systems made from other words than a Lagrangian: material points, mass distributions, MacDonnell's 5-tuple."""
