"""Tables and pages for notebooks."""
