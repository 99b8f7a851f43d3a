"""What the stand-ins share: words and pacing, codings, the log, and the life of the process."""
