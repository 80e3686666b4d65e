"""Search in a facts table: an index of words and of meaning on disk, and look-ups in it."""

from prandial.compose.index.build import build_index
from prandial.compose.index.find import FactIndex, How, open_index
from prandial.compose.index.fusing import Fusing
from prandial.compose.index.lexical import Weighting

__all__ = ["FactIndex", "Fusing", "How", "Weighting", "build_index", "open_index"]
