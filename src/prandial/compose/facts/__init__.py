"""Facts for retrieval: files of foods to one table of names, values and servings."""

from prandial.compose.facts.build import build_facts
from prandial.compose.facts.files import FactsFile, fdc_files, find_files
from prandial.compose.facts.sentences import fact_sentences, fact_text

__all__ = ["FactsFile", "build_facts", "fact_sentences", "fact_text", "fdc_files", "find_files"]
