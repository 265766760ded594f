"""Presentation of results: plots, films, reports."""
