"""Compile USDA's public-domain food releases into the tables of the package."""
