"""Food tables of the user's own: read, keep, list, load.

A file is read with a map from house names to its columns. What cannot be used
is named row by row; what was assumed, repaired or converted is noted.
"""

from prandial.tables.user.home import user_tables_home
from prandial.tables.user.reading import Basis, Carbohydrate, read_user_table
from prandial.tables.user.store import (
    add_user_table,
    find_user_tables,
    list_user_tables,
    load_user_table,
)
from prandial.tables.user.table import Problem, UserTable, UserTableInfo

__all__ = [
    "Basis",
    "Carbohydrate",
    "Problem",
    "UserTable",
    "UserTableInfo",
    "add_user_table",
    "find_user_tables",
    "list_user_tables",
    "load_user_table",
    "read_user_table",
    "user_tables_home",
]
