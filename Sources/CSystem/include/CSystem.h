#pragma once
// The system calls that Swift cannot reach: macros, variadic calls and packed unions.
// One C target holds them all, because a system header that two modules include is seen by Swift
// through only one of them.
#include "terminal.h"
#include "interrupt.h"
#include "poller.h"
