"""Runs a command and prints what it took, as one line of JSON: {"wall", "cpu", "peak_mb", "status", "stdout"}.

Usage: measure.py HOME [--stdin=FILE] COMMAND...
"""

import json
import os
import resource
import subprocess
import sys
import time

home, *command = sys.argv[1:]
given = subprocess.DEVNULL
if command[0].startswith("--stdin="):
    given = open(command.pop(0).removeprefix("--stdin="), "rb")
environment = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC", "NO_COLOR": "1"}
started = time.monotonic()
done = subprocess.run(command, env=environment, stdin=given, stdout=subprocess.PIPE, check=False)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(
    json.dumps(
        {
            "wall": time.monotonic() - started,
            "cpu": used.ru_utime + used.ru_stime,
            "peak_mb": used.ru_maxrss / 1024,
            "status": done.returncode,
            "stdout": done.stdout.decode(errors="replace"),
        }
    )
)
