"""Text to expressions and back: read, shorten, write as text or LaTeX; user text is parsed, never evaluated."""
