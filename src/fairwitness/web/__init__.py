"""The web page: static files, served as they are."""
