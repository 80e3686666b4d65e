"""Raw files of the outside world: the only room that opens them."""
