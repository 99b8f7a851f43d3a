"""A stand-in for an AGO service."""
