"""The handlers: what the service does for each request, free of HTTP."""
