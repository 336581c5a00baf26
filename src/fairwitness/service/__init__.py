"""The stories: what the service does for each request, free of HTTP."""
