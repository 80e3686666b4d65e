"""Raw files and sockets: the only room that opens either."""

from prandial.sources.home import data_home
from prandial.sources.nhanes import NhanesFolder, get_nhanes, nhanes_home, read_table
from prandial.sources.web import FakeWeb, HttpxWeb, Web

__all__ = [
    "FakeWeb",
    "HttpxWeb",
    "NhanesFolder",
    "Web",
    "data_home",
    "get_nhanes",
    "nhanes_home",
    "read_table",
]
