#pragma once
// Readiness of sockets for one thread, woken by any thread: epoll and eventfd on Linux, elsewhere
// poll(2) and a pipe (also on Linux with REPRISE_PORTABLE_POLLER, so that it can be tested).
#include <stdint.h>

typedef struct reprise_poller reprise_poller;

// REPRISE_LEFT: the peer sends no more, whatever it sent before. Where the system cannot tell it
// (poll(2) beyond Linux), it comes once the connection is over in both directions.
enum { REPRISE_READABLE = 1, REPRISE_WRITABLE = 2, REPRISE_FAILED = 4, REPRISE_LEFT = 8 };

typedef struct {
    int fd;
    unsigned ready;
} reprise_ready;

// NULL where the system has no descriptor or memory left.
reprise_poller *reprise_poller_create(void);
void reprise_poller_destroy(reprise_poller *poller);

// Watches `fd` for the given bits, or no longer where there are none. 0, or an errno value.
int reprise_poller_set(reprise_poller *poller, int fd, unsigned interest);

// Ends the wait under way, or the next one. The only function that any thread may call.
void reprise_poller_wake(reprise_poller *poller);

// Waits for at most `nanoseconds` (below 0: for ever) and gives up to `capacity` descriptors that are
// ready; a wake-up only ends the wait. Linux keeps the limit to a few microseconds, poll(2) to the
// millisecond after it. It may end early with nothing.
int reprise_poller_wait(
    reprise_poller *poller, reprise_ready *out, int capacity, int64_t nanoseconds);
