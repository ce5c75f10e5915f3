#!/usr/bin/env python3
"""Makes the workspace of this folder anew with a binary of Aside, by its command line and its HTTP interface.

    make.py BINARY HOME TARGET

HOME is an empty folder that stands for a person's home: its path is what the records name as the place of the
workspace. TARGET gets `tides/` (the files), `own/` (its `.aside`), `data/` (the person's data folder) and `made.json`
(the ids by which the test finds things). Notebooks are run by a Python with ipykernel, in HOME/python:

    python3 -m venv HOME/python && HOME/python/bin/pip install ipykernel
"""

import json
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request

BINARY, HOME, TARGET = (os.path.abspath(path) for path in sys.argv[1:4])
WORKSPACE = f"{HOME}/tides"
ENVIRONMENT = {"HOME": HOME, "USER": "ada", "PATH": "/usr/bin:/bin", "OLLAMA_HOST": "127.0.0.1:1", "LANG": "C.UTF-8"}
made = {}


def aside(*arguments, codes=(0,)):
    """Runs a command in the workspace; returns the JSON that it prints."""
    command = [BINARY, *arguments, "--json"]
    run = subprocess.run(command, cwd=WORKSPACE, env=ENVIRONMENT, capture_output=True, text=True)
    if run.returncode not in codes:
        sys.exit(f"{arguments}: {run.returncode} {run.stdout} {run.stderr}")
    return json.loads(run.stdout)


def serve():
    arguments = [BINARY, "demo", WORKSPACE, "--no-open", "--port", "0", "--json"]
    server = subprocess.Popen(arguments, cwd=HOME, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
    serving = json.loads(server.stdout.readline())
    return server, serving


def send(method, path, body, headers):
    """Returns the answer's body and its headers."""
    request = urllib.request.Request(f"{serving['url']}api/v1/{path}", method=method, headers=headers)
    request.add_header("content-type", "application/json")
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, data) as answer:
            return json.loads(answer.read() or b"null"), answer.headers
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error} {error.read().decode()}")


def call(method, path, body=None):
    """Asks as the owner."""
    return send(method, path, body, {"authorization": f"Bearer {serving['token']}"})[0]


def call_as_guest(token, method, path, body):
    """Asks as the page does that a guest has opened with their link."""
    origin = {"origin": serving["url"].rstrip("/"), "sec-fetch-site": "same-origin"}
    session, headers = send("POST", "session", {"token": token}, origin)
    cookie = headers["set-cookie"].split(";")[0]
    return send(method, path, body, {**origin, "cookie": cookie, "x-aside-csrf": session["csrf"]})[0]


def until(what, look):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.05)
    sys.exit(f"waited for {what}")


def decide(record, answer="approve", **more):
    identity = record["envelope"]["id"]
    decision = {"decision": answer, "hash": record["approval_hash"], **more}
    return call("POST", f"actions/{identity}/decision", decision)["record"]


def do(action, **args):
    """Does an action as the person in the window would; says yes if it waits."""
    record = call("POST", "actions", {"action_type": action, "args": args})["record"]
    if record["state"] == "awaiting_confirmation":
        record = decide(record)
    if record["state"] != "done":
        sys.exit(f"{action}: {record}")
    return record


def edit(path, old, new):
    return do("doc.edit", path=path, edits=[{"old": old, "new": new}])["envelope"]["id"]


def thread(title, document, message):
    """Starts a thread and sends a message; returns the thread's id."""
    identity = call("POST", "threads", {"title": title, "document": document, "mode": "review_each"})["id"]
    call("POST", f"threads/{identity}/turns", {"text": message})
    return identity


def bodies(identity, kind):
    return [event["body"] for event in call("GET", f"threads/{identity}")["events"] if event["body"]["type"] == kind]


def proposed(identity):
    changed = until("a proposal", lambda: bodies(identity, "action_changed"))
    return changed[-1]["record"]


def ended(identity):
    until("the end of a turn", lambda: bodies(identity, "turn_ended"))


def journal_position():
    """The position of the last record; see `crates/aside-store/src/journal.rs`."""
    with open(f"{TARGET}/own/aside.journal", "rb") as file:
        journal = file.read()
    start, last = 0, None
    while True:
        (length,), (position,) = struct.unpack_from("<I", journal, start), struct.unpack_from("<Q", journal, start + 28)
        if last is not None and position != last + 1:
            return last
        start, last = start + 4 + length, position


def database_position():
    database = sqlite3.connect(f"file:{TARGET}/own/aside.db?mode=ro&immutable=1", uri=True)
    position = database.execute("SELECT position FROM journal").fetchone()[0]
    database.close()
    return position


# The workspace has files, a notebook and a model that plays a script: those of `aside demo`.
server, serving = serve()
os.symlink(f"{HOME}/python", f"{WORKSPACE}/.venv")

# People and what they say.
guest = call("POST", "people/invited", {"name": "Grace"})
made["guest_token"] = guest["token"]
trip = "notes/field-trip.md"
first = call("POST", "chats/messages", {"document": trip, "text": "Who brings the tide gauge?"})
call_as_guest(guest["token"], "POST", "chats/messages", {"document": trip, "text": "I do."})
call("PATCH", f"chats/messages/{first['id']}", {"text": "Who brings the **tide gauge**?"})
taken_back = call("POST", "chats/messages", {"document": trip, "text": "Never mind."})
call("DELETE", f"chats/messages/{taken_back['id']}")

# Edits: one to be undone later, one undone at once, one with a label from outside, several versions.
reading = "notes/reading-list.md"
do("doc.create", path="notes/log.md", text="# Log\n\nFirst day\n")
made["undoable"] = edit("notes/log.md", "First day\n", "First day: calm\n")
undone = edit("notes/log.md", "# Log\n", "# Diary\n")
call("POST", f"actions/{undone}/undo", {})
made["undone"] = undone
do("doc.create", path="notes/versions.md", text="one\n")
for before, after in [("one", "two"), ("two", "three")]:
    edit("notes/versions.md", f"{before}\n", f"{after}\n")
do("file.label", path="data/readings.csv", label="external", why="from the harbour office")

# Threads: an answer, an approved edit, a rejected one, a deletion, and one that still waits.
made["answered"] = thread("The folder", "Welcome.md", "What is in this folder?")
ended(made["answered"])
made["approved"] = thread("The bug", "tides/harmonics.py", "Find the bug in the phase")
decide(proposed(made["approved"]))
ended(made["approved"])
made["rejected"] = thread("The todos", trip, "Sort the todos, done ones last")
decide(proposed(made["rejected"]), "reject", reason="my order is better")
ended(made["rejected"])
made["deleting"] = thread("Old readings", "data/old-readings.csv", "Delete the old readings")
deletion = decide(proposed(made["deleting"]))
made["deletion"] = deletion["envelope"]["id"]
ended(made["deleting"])
made["waiting"] = thread("A better name", "tides/harmonics.py", "Rename ht to constituent_height")
made["waiting_edit"] = proposed(made["waiting"])["envelope"]["id"]

# The command line: one action waits, one was allowed for always.
waits = aside("do", "file.delete", "--args", '{"path": "paper/references.bib"}', codes=(3,))
made["waiting_deletion"] = waits["record"]["envelope"]["id"]
waits = aside("do", "file.delete", "--args", '{"path": "notes/reading-list.md"}', codes=(3,))
made["rule_deletion"] = waits["record"]["envelope"]["id"]
aside("decide", made["rule_deletion"], "--yes", "--remember", "workspace")

# A command and what it put out.
made["command"] = do("shell.run", command="echo high water at noon > notes/noon.txt; cat notes/noon.txt")["envelope"]["id"]

# Grants: one holds, one was revoked.
grant = call("POST", "grants", {"name": "nightly script", "limits": {"risks": ["read"], "paths": ["notes/**"]}})
made["grant"], made["grant_token"] = grant["record"]["grant"]["id"], grant["token"]
revoked = call("POST", "grants", {"name": "old laptop"})
made["revoked_token"] = revoked["token"]
call("POST", f"grants/{revoked['record']['grant']['id']}/revoke")

# Tasks and a recipe.
steps = [
    {"action_type": "file.copy", "args": {"from": "notes/log.md", "to": "notes/copy.md"}},
    {"action_type": "doc.edit", "args": {"path": "notes/copy.md", "edits": [{"old": "# Log\n", "new": "# Copy\n"}]}},
]
with open(f"{HOME}/plan.json", "w") as file:
    json.dump({"goal": "Copy the log", "steps": steps}, file)
done = aside("task", "run", f"{HOME}/plan.json", "--yes")
made["task"] = done["task"]["id"]
aside("recipe", "save", made["task"], "--name", "copy-log", "--rename", "to=copy")
with open(f"{HOME}/plan.json", "w") as file:
    json.dump({"goal": "Clear away", "steps": [{"action_type": "file.delete", "args": {"path": "notes/copy.md"}}]}, file)
made["waiting_task"] = aside("task", "run", f"{HOME}/plan.json", codes=(3,))["task"]["id"]

# A notebook: cells that ran in a kernel, outputs that were taken away, and a cell for the model.
notebook = "analysis.ipynb"
cells = [{"kind": "code", "key": "sum", "source": "6 * 9"}, {"kind": "ai", "key": "asked", "source": "Explain the tide"}]
do("cell.insert", path=notebook, cells=cells)
do("cell.run", path=notebook, cells=["b2e1d3c5", "sum"], wait=True)
made["run"] = do("cell.run", path=notebook, cells=["c3d2e4b6"], wait=True)["envelope"]["id"]
made["cleared"] = do("cell.clear_outputs", path=notebook, cells=["sum"])["envelope"]["id"]
do("cell.run", path=notebook, cells=["asked"], wait=True)
aside("kernels", "stop", "--all")

# A clean end, and a start of which the changes are in the journal only.
do("doc.create", path="notes/last.md", text="Before the kill\n")
server.send_signal(signal.SIGTERM)
server.wait()
server, serving = serve()
made["audit"] = call("POST", "audit/verify", {})
call("POST", "chats/messages", {"document": trip, "text": "The power is going out."})
edit("notes/last.md", "Before the kill\n", "Killed\n")
server.kill()
server.wait()

def copy(source, name, *left_out):
    shutil.copytree(source, f"{TARGET}/{name}", ignore=shutil.ignore_patterns(*left_out))


copy(WORKSPACE, "tides", ".aside", ".venv", "__pycache__")
# Its .gitignore would keep all of it out of a repository.
copy(f"{WORKSPACE}/.aside", "own", ".gitignore")
copy(f"{HOME}/.local/share/aside", "data")
# As after a power cut: nothing has waited until SQLite's own log was on the disk. The journal has what was in it; the end
# of the journal is left over from records that are done.
os.remove(f"{TARGET}/own/aside.db-shm")
os.remove(f"{TARGET}/own/aside.db-wal")
os.truncate(f"{TARGET}/own/aside.journal", 64 * 1024)
if journal_position() <= database_position():
    sys.exit("the database has everything that the journal has")
with open(f"{TARGET}/made.json", "w") as file:
    json.dump(made, file, indent=1)
    file.write("\n")
