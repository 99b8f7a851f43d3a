"""A stand-in for a CometChat service."""
