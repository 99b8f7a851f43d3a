#pragma once
#include <sys/ioctl.h>

// ioctl is variadic. The number of columns of the terminal at `fd`, or 0.
static inline int reprise_terminal_columns(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
