"""The compiled loops: steps, events, projection, and what they are given."""
