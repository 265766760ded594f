"""The lab: a local page with an editor and the living page of the system in it."""
