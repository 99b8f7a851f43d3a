"""A stand-in for a Chatbase service."""
