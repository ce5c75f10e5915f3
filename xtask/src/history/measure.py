"""Runs a command and prints what it took, as one line of JSON: {"wall", "cpu", "peak_mb", "status", "stdout"}.

Usage: measure.py HOME [--stdin=FILE] COMMAND...
"""

import json
import os
import subprocess
import sys
import time

home, *command = sys.argv[1:]
given = subprocess.DEVNULL
if command[0].startswith("--stdin="):
    given = open(command.pop(0).removeprefix("--stdin="), "rb")
environment = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC", "NO_COLOR": "1"}
started = time.monotonic()
program = subprocess.Popen(command, env=environment, stdin=given, stdout=subprocess.PIPE)
said = program.stdout.read()
# Of this one alone: what found this Python may have started others before.
_, status, used = os.wait4(program.pid, 0)
program.returncode = os.waitstatus_to_exitcode(status)
print(
    json.dumps(
        {
            "wall": time.monotonic() - started,
            "cpu": used.ru_utime + used.ru_stime,
            "peak_mb": used.ru_maxrss / 1024,
            "status": program.returncode,
            "stdout": said.decode(errors="replace"),
        }
    )
)
