"""Measures how soon a line of a log is told by a server that runs, in milliseconds: prints {"median", "worst"} as JSON.

Usage: watch.py HOME ASIDE

A page hears that something is new, waits 50 ms for more, and asks again: that wait is counted, the time to draw is not.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request

LINES = 20
GATHER_MS = 50

home, aside = sys.argv[1:]
log = os.path.join(home, ".claude", "projects", "-w", "one.jsonl")
os.makedirs(os.path.dirname(log))
os.makedirs(os.path.join(home, "work"))


def append(number):
    message = {"id": f"m{number}", "model": "claude-opus-4-5", "usage": {"input_tokens": 10, "output_tokens": 5}}
    line = {"type": "assistant", "timestamp": "2026-06-30T10:00:00.000Z", "requestId": f"r{number}", "message": message}
    with open(log, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


append(0)
environment = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC", "OLLAMA_HOST": "127.0.0.1:1"}
command = [aside, os.path.join(home, "work"), "--no-open", "--json", "--port", "0"]
server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
try:
    told = json.loads(server.stdout.readline())
    address = told["url"].rstrip("/") + "/api/v1/history/dashboard?timezone=UTC"
    request = urllib.request.Request(address, headers={"authorization": f"Bearer {told['token']}"})

    def until(count):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with urllib.request.urlopen(request) as answer:
                if json.load(answer).get("totals", {}).get("responses") == count:
                    return
            time.sleep(0.002)
        sys.exit(f"the server did not tell of line {count} within 30 s")

    until(1)
    took = []
    for number in range(1, LINES + 1):
        started = time.monotonic()
        append(number)
        until(number + 1)
        took.append((time.monotonic() - started) * 1000 + GATHER_MS)
        # What is gathered for one line must not help the next one.
        time.sleep(0.1)
finally:
    server.terminate()
    server.wait()
took.sort()
print(json.dumps({"median": took[len(took) // 2], "worst": took[-1]}))
