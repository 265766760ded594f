"""Arguments of the loops: the layout of flat arrays, what fills them, inputs as signals or as Python functions."""
