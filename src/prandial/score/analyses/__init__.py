"""What is behind a score: spread, what errors go with, wordings, faults of reasoning."""
