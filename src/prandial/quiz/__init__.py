"""Questions and right answers over the graph."""
