"""The plotted figures of the five papers, with captions of our own: a file for each paper, found by `nonholo.figures`."""
