#pragma once

/// From the first SIGINT, SIGTERM or SIGHUP on, writes one byte to `fd`. The next SIGINT or SIGTERM
/// has its usual effect, the next SIGHUP none; a SIGHUP that is ignored (nohup) stays so.
/// A handler may only call async-signal-safe functions, which no Swift code is.
void reprise_forward_interrupts(int fd);
