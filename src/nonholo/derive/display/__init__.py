"""Equations for people: text, LaTeX, layout, vector equations of rigid bodies."""
