#pragma once

/// From the first SIGINT or SIGTERM on, writes one byte to `fd`; the next one has its usual effect.
/// A handler may only call async-signal-safe functions, which no Swift code is.
void reprise_forward_interrupts(int fd);
