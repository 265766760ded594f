"""Functions that are constant along a distribution: its leaves, where brackets do not lead out of them."""
