"""The lab: a local page with an editor and the living page of what is written in it."""
