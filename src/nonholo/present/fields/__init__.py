"""Figures, films and reports of fields."""
