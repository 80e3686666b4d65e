"""Raw files and sockets: the only room that opens either."""
