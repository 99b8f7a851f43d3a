#ifdef __linux__
#define _GNU_SOURCE  // POLLRDHUP
#endif
#include "poller.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__) && !defined(REPRISE_PORTABLE_POLLER)

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

struct reprise_poller {
    int epoll;
    int wake;
    int timer;  // -1 until a limit is asked for
};

reprise_poller *reprise_poller_create(void) {
    reprise_poller *poller = malloc(sizeof *poller);
    if (!poller) return NULL;
    poller->epoll = epoll_create1(EPOLL_CLOEXEC);
    poller->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    poller->timer = -1;
    if (poller->epoll < 0 || poller->wake < 0
        || reprise_poller_set(poller, poller->wake, REPRISE_READABLE) != 0) {
        reprise_poller_destroy(poller);
        return NULL;
    }
    return poller;
}

void reprise_poller_destroy(reprise_poller *poller) {
    if (poller->epoll >= 0) close(poller->epoll);
    if (poller->wake >= 0) close(poller->wake);
    if (poller->timer >= 0) close(poller->timer);
    free(poller);
}

int reprise_poller_set(reprise_poller *poller, int fd, unsigned interest) {
    struct epoll_event event = {0};
    event.data.fd = fd;
    if (interest & REPRISE_READABLE) event.events |= EPOLLIN;
    if (interest & REPRISE_WRITABLE) event.events |= EPOLLOUT;
    if (interest & REPRISE_LEFT) event.events |= EPOLLRDHUP;
    if (!interest) return epoll_ctl(poller->epoll, EPOLL_CTL_DEL, fd, &event) ? errno : 0;
    if (epoll_ctl(poller->epoll, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
    // Not watched yet, or closed and its number given out again.
    if (errno != ENOENT) return errno;
    return epoll_ctl(poller->epoll, EPOLL_CTL_ADD, fd, &event) ? errno : 0;
}

void reprise_poller_wake(reprise_poller *poller) {
    uint64_t one = 1;
    while (write(poller->wake, &one, sizeof one) < 0 && errno == EINTR) {}
}

// Has the timer end the wait, whose limit in milliseconds is given back. epoll's own is too coarse.
static int limit(reprise_poller *poller, int64_t nanoseconds) {
    if (nanoseconds <= 0) return nanoseconds < 0 ? -1 : 0;
    if (poller->timer < 0) {
        poller->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
        if (poller->timer >= 0) reprise_poller_set(poller, poller->timer, REPRISE_READABLE);
    }
    struct itimerspec due = {0};
    due.it_value.tv_sec = nanoseconds / 1000000000;
    due.it_value.tv_nsec = nanoseconds % 1000000000;
    if (poller->timer < 0 || timerfd_settime(poller->timer, 0, &due, NULL) != 0) return 1;
    return -1;
}

int reprise_poller_wait(
    reprise_poller *poller, reprise_ready *out, int capacity, int64_t nanoseconds) {
    enum { MOST = 256 };
    struct epoll_event events[MOST];
    int found = epoll_wait(
        poller->epoll, events, capacity < MOST ? capacity : MOST, limit(poller, nanoseconds));
    int count = 0;
    for (int i = 0; i < found; i++) {
        int fd = events[i].data.fd;
        if (fd == poller->wake || fd == poller->timer) {
            uint64_t many;
            while (read(fd, &many, sizeof many) < 0 && errno == EINTR) {}
            continue;
        }
        unsigned ready = 0;
        if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLRDHUP)) ready |= REPRISE_READABLE;
        if (events[i].events & EPOLLOUT) ready |= REPRISE_WRITABLE;
        if (events[i].events & EPOLLERR) ready |= REPRISE_FAILED;
        if (events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) ready |= REPRISE_LEFT;
        out[count++] = (reprise_ready){.fd = fd, .ready = ready};
    }
    return count;
}

#else

#include <poll.h>

struct reprise_poller {
    int wake[2];
    struct pollfd *watched;  // the first is the pipe's reading end
    int count, room;
};

reprise_poller *reprise_poller_create(void) {
    reprise_poller *poller = calloc(1, sizeof *poller);
    if (!poller) return NULL;
    poller->wake[0] = poller->wake[1] = -1;
    if (pipe(poller->wake) != 0) {
        reprise_poller_destroy(poller);
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(poller->wake[i], F_SETFD, FD_CLOEXEC);
        fcntl(poller->wake[i], F_SETFL, O_NONBLOCK);
    }
    if (reprise_poller_set(poller, poller->wake[0], REPRISE_READABLE) != 0) {
        reprise_poller_destroy(poller);
        return NULL;
    }
    return poller;
}

void reprise_poller_destroy(reprise_poller *poller) {
    for (int i = 0; i < 2; i++)
        if (poller->wake[i] >= 0) close(poller->wake[i]);
    free(poller->watched);
    free(poller);
}

int reprise_poller_set(reprise_poller *poller, int fd, unsigned interest) {
    int at = 0;
    while (at < poller->count && poller->watched[at].fd != fd) at++;
    if (!interest) {
        if (at < poller->count) poller->watched[at] = poller->watched[--poller->count];
        return 0;
    }
    if (at == poller->room) {
        int room = poller->room ? poller->room * 2 : 16;
        struct pollfd *grown = realloc(poller->watched, (size_t)room * sizeof *grown);
        if (!grown) return ENOMEM;
        poller->watched = grown;
        poller->room = room;
    }
    if (at == poller->count) poller->count++;
    short events = 0;
    if (interest & REPRISE_READABLE) events |= POLLIN;
    if (interest & REPRISE_WRITABLE) events |= POLLOUT;
#ifdef POLLRDHUP
    if (interest & REPRISE_LEFT) events |= POLLRDHUP;
#endif
    poller->watched[at] = (struct pollfd){.fd = fd, .events = events};
    return 0;
}

void reprise_poller_wake(reprise_poller *poller) {
    // A full pipe is a wake-up that is already there.
    while (write(poller->wake[1], "", 1) < 0 && errno == EINTR) {}
}

// In milliseconds, after the time asked for rather than before it.
static int limit(int64_t nanoseconds) {
    if (nanoseconds < 0) return -1;
    int64_t milliseconds = nanoseconds / 1000000 + (nanoseconds % 1000000 > 0 ? 1 : 0);
    return milliseconds > 3600000 ? 3600000 : (int)milliseconds;
}

int reprise_poller_wait(
    reprise_poller *poller, reprise_ready *out, int capacity, int64_t nanoseconds) {
    int found = poll(poller->watched, (nfds_t)poller->count, limit(nanoseconds));
    int count = 0;
    for (int i = 0; found > 0 && i < poller->count && count < capacity; i++) {
        short events = poller->watched[i].revents;
        if (!events) continue;
        if (poller->watched[i].fd == poller->wake[0]) {
            char many[64];
            while (read(poller->wake[0], many, sizeof many) > 0) {}
            continue;
        }
        unsigned ready = 0;
        if (events & (POLLIN | POLLHUP)) ready |= REPRISE_READABLE;
        if (events & POLLOUT) ready |= REPRISE_WRITABLE;
        if (events & (POLLERR | POLLNVAL)) ready |= REPRISE_FAILED;
#ifdef POLLRDHUP
        if (events & POLLRDHUP) ready |= REPRISE_LEFT;
#endif
        if (events & (POLLHUP | POLLERR | POLLNVAL)) ready |= REPRISE_LEFT;
        out[count++] = (reprise_ready){.fd = poller->watched[i].fd, .ready = ready};
    }
    return count;
}

#endif
