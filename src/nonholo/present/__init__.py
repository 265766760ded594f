"""Results for a person: plots, films, reports."""
