"""The Autobahn test suite's cases for a WebSocket client or server, as kosoku drives them.

    autobahn.py --log FILE [CASE ...]

CASE is an id or a glob such as `1.*`; all cases where there is none. Prints `port N`, where a client
finds the suite's own server (`/getCaseCount`, `/runCase?case=N&agent=A`, `/updateReports?agent=A`),
and obeys its standard input, with which it ends. A line is a command, answered by `ok` or by what
is wrong:

    run PORT   runs the cases against a server that echoes, at 127.0.0.1:PORT
    results    waits until a client ended its run with `/updateReports`

Both write one line per case to the log: `id`, `behavior` and `close` as the suite names its verdicts,
`passed`, and in `why` the suite's words for what was not as it should be.
"""

import argparse
import asyncio
import json
import sys
import time

import kosoku


class Suite:
    def __init__(self, cases, log):
        self._cases = cases or None
        self._log = log

    async def obey(self, line, server):
        command, _, argument = line.strip().partition(" ")
        if command == "run":
            await self._collect(
                kosoku.run_fuzzingclient(f"ws://127.0.0.1:{int(argument)}", self._cases)
            )
        elif command == "results":
            await self._collect(server.get_result())
        else:
            return f"there is no command {command!r}"
        return "ok"

    async def _collect(self, run):
        try:
            results = await run
        except kosoku.FailureError as failure:
            results = failure.results
        for result in results:
            self._write(result)

    def _write(self, result):
        line = {
            "event": "case",
            "t_ns": time.monotonic_ns(),
            "id": result.case_id,
            "behavior": result.behavior.value,
            "close": result.behavior_close.value,
            "passed": result.passed,
            "duration": result.duration,
        }
        if result.behavior.value != "OK" or result.behavior_close.value != "OK":
            why = [result.result, result.result_close, result.was_not_clean_reason]
            line["why"] = "; ".join(part for part in why if part)
        self._log.write(json.dumps(line) + "\n")
        self._log.flush()


async def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--log", required=True)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    with open(arguments.log, "w", encoding="utf-8") as log:
        suite = Suite(arguments.cases, log)
        async with kosoku.run_fuzzingserver(suite._cases, port=0) as server:
            print(f"port {server.port}", flush=True)
            while line := await asyncio.to_thread(sys.stdin.readline):
                print(await suite.obey(line, server), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
