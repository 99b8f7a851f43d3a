#pragma once
// Makes CURL and CURLM opaque structs instead of void, so that Swift can tell them apart.
#define CURL_STRICTER
// The type checks are macros of the variadic functions; here every type has a function of its own.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <fcntl.h>
#include <sys/socket.h>

// Swift cannot call variadic functions: one function for each type of option and information.
static inline CURLcode reprise_curl_set_long(CURL *h, CURLoption o, long v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode reprise_curl_set_offset(CURL *h, CURLoption o, curl_off_t v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode reprise_curl_set_string(CURL *h, CURLoption o, const char *v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode reprise_curl_set_pointer(CURL *h, CURLoption o, const void *v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode reprise_curl_set_list(CURL *h, CURLoption o, struct curl_slist *v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode reprise_curl_set_write(CURL *h, curl_write_callback f) {
    return curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, f);
}
static inline CURLcode reprise_curl_set_header(CURL *h, curl_write_callback f) {
    return curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, f);
}
static inline CURLcode reprise_curl_set_debug(CURL *h, curl_debug_callback f) {
    return curl_easy_setopt(h, CURLOPT_DEBUGFUNCTION, f);
}
static inline CURLcode reprise_curl_set_prerequest(CURL *h, curl_prereq_callback f) {
    return curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, f);
}
// libcurl opens sockets that programs started by the app would inherit: their copies would keep a
// connection open after its end here.
static inline curl_socket_t reprise_curl_open(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int fd = socket(address->family, address->socktype, address->protocol);
    if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
#endif
}
static inline CURLcode reprise_curl_set_open(CURL *h) {
    return curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, reprise_curl_open);
}
static inline CURLcode reprise_curl_get_long(CURL *h, CURLINFO i, long *v) {
    return curl_easy_getinfo(h, i, v);
}
static inline CURLcode reprise_curl_get_offset(CURL *h, CURLINFO i, curl_off_t *v) {
    return curl_easy_getinfo(h, i, v);
}
static inline CURLcode reprise_curl_get_string(CURL *h, CURLINFO i, char **v) {
    return curl_easy_getinfo(h, i, v);
}
static inline CURLcode reprise_curl_get_socket(CURL *h, curl_socket_t *v) {
    return curl_easy_getinfo(h, CURLINFO_ACTIVESOCKET, v);
}
static inline CURLMcode reprise_curl_multi_set_socket(CURLM *m, curl_socket_callback f, void *p) {
    CURLMcode code = curl_multi_setopt(m, CURLMOPT_SOCKETDATA, p);
    return code ? code : curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, f);
}
static inline CURLMcode reprise_curl_multi_set_timer(CURLM *m, curl_multi_timer_callback f, void *p) {
    CURLMcode code = curl_multi_setopt(m, CURLMOPT_TIMERDATA, p);
    return code ? code : curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, f);
}

// The value of a message is a union.
static inline CURLcode reprise_curl_result(const CURLMsg *message) {
    return message->data.result;
}
