"""Exhibits with infinitely many degrees of freedom."""
