#pragma once
// Makes CURL and CURLM opaque structs instead of void, so that Swift can tell them apart.
#define CURL_STRICTER
#include <curl/curl.h>
