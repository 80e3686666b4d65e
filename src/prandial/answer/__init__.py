"""Methods that ask a model: prompts as text files, retrieval, reading of replies."""
