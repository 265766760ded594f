"""Reports: sections, page, parallel computation."""
