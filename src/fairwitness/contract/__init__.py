"""The words of the service: request and result types, bounds, error codes, strict decoding, OpenAPI."""
