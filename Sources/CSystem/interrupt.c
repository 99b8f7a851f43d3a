#include "interrupt.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t target = -1;

static void forward(int signal_number) {
    int saved = errno;
    char byte = (char)signal_number;
    ssize_t ignored = write(target, &byte, 1);
    (void)ignored;
    // Of a terminal that closes, both the kernel and the shell tell, so the second is no insistence.
    if (signal_number == SIGHUP) signal(SIGHUP, SIG_IGN);
    errno = saved;
}

void reprise_forward_interrupts(int fd) {
    target = fd;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = forward;
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_flags = SA_RESTART;
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
}
