"""Replies as text to readings: amounts of meals, verdicts and tags of graphs."""
