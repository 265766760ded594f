"""The plotted figures of the five papers, drawn by us with our captions: one file for each paper, found by the registry."""
