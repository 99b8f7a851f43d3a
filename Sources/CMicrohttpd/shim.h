#pragma once
#include <microhttpd.h>

// What Swift cannot reach of libmicrohttpd: variadic functions, unions, and macros with casts.

typedef void *(*reprise_mhd_opened)(
    void *context, const char *uri, struct MHD_Connection *connection);

// A daemon with one thread, on a socket that listens already and that it closes in the end.
// `opened` gets a request's target as it was sent, and gives what the other callbacks get as the
// request's own pointer; `memory` is what a connection may hold of a request and of a piece of a
// response. No Date is added: it would make each run another.
static inline struct MHD_Daemon *reprise_mhd_start(
    int listener, size_t memory, void *context, reprise_mhd_opened opened,
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed) {
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME
        | MHD_USE_SUPPRESS_DATE_NO_CLOCK;
#ifdef __linux__
    flags |= MHD_USE_EPOLL;
#else
    flags |= MHD_USE_POLL;
#endif
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)4096,
        // A client that left with half a request is not always noticed otherwise.
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)60,
        MHD_OPTION_URI_LOG_CALLBACK, opened, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_END);
}

// The connection's socket; -1 where there is none.
static inline int reprise_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

static inline ssize_t reprise_mhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t reprise_mhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
static inline uint64_t reprise_mhd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }

// Takes a set of MHD_RF_ flags.
static inline enum MHD_Result reprise_mhd_set_flags(
    struct MHD_Response *response, enum MHD_ResponseFlags flags) {
    return MHD_set_response_options(response, flags, MHD_RO_END);
}
