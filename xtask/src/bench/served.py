"""Notebooks as a window has them, through servers: Aside's (the program that is named first) and Jupyter's, with one kernel.

Prints `name<TAB>value` lines; names of Jupyter's begin with `jupyter_server`. What Aside is set beside is measured in turns
with it, as a machine is faster at one time than at another; those names begin with `in turns: `.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid

import nbformat
from beside import CELLS, Nbclient, Pyzmq

# Many short turns for one cell, a few for whole notebooks.
TURNS, ROUNDS, NOTEBOOKS, TICKS = 25, 20, 5, 30
LONG = "for i in range(100000): print('%06d' % i + 'x' * 73)"
SLOW = f"import time\nbegun = time.time()\nfor i in range({TICKS}):\n    print('tick', i, flush=True)\n    time.sleep(0.1)"
OVER = {"ok", "failed", "aborted", "lost"}


def say(name, value):
    print(f"{name}\t{value}", flush=True)


def at(values, part):
    return sorted(values)[int(len(values) * part)]


class Line:
    """A connection whose bytes are read as they are asked for: the figures are the servers', so what asks does little."""

    def __init__(self, address):
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def read(self):
        more = self.socket.recv(1 << 16)
        assert more, "the server closed the connection"
        self.rest += more

    def take(self, count):
        while len(self.rest) < count:
            self.read()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def head(self):
        while b"\r\n\r\n" not in self.rest:
            self.read()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        return head


class Window(Line):
    """A WebSocket."""

    def send(self, text):
        data = text.encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + len(data).to_bytes(2, "big")
        # A mask of zeros leaves the text as it is.
        self.socket.sendall(b"\x81" + size + bytes(4) + data)

    def recv(self):
        text = b""
        while True:
            first, size = self.take(2)
            if size > 125:
                size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
            data = self.take(size)
            if first & 15 == 9:
                self.socket.sendall(b"\x8a" + bytes([0x80 | size]) + bytes(4) + data)
            elif first & 15 < 3:
                text += data
                if first & 128:
                    return text

    def close(self):
        self.socket.close()


class Served:
    """A server, and requests to it over one connection."""

    def __init__(self, url, headers):
        self.address = re.match(r"http://([^/]+)(/.*)", url).groups()
        self.headers = "".join(f"{name}: {value}\r\n" for name, value in {"Host": self.address[0], "Content-Type": "application/json", **headers}.items())
        self.line = None

    def ask(self, method, path, body=None):
        self.line = self.line or Line(self.address[0])
        text = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {self.address[1]}{path} HTTP/1.1\r\n{self.headers}Content-Length: {len(text)}\r\n\r\n"
        self.line.socket.sendall(head.encode() + text)
        head = self.line.head()
        size = re.search(rb"(?i)content-length: (\d+)", head)
        content = self.line.take(int(size[1])) if size else b""
        assert head[9:10] == b"2", (head, content)
        return content

    def listen(self, path, headers):
        window = Window(self.address[0])
        lines = "".join(f"{line}\r\n" for line in headers)
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        window.socket.sendall(f"GET {self.address[1]}{path} HTTP/1.1\r\nHost: {self.address[0]}\r\n{upgrade}{lines}\r\n".encode())
        assert window.head()[9:12] == b"101"
        return window


class Aside:
    """Aside on a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder, self.home = program, folder / "work", folder / "home"
        self.home.mkdir()
        self.folder.mkdir()
        self.start()

    def start(self):
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "VIRTUAL_ENV": sys.prefix,
            "OLLAMA_HOST": "127.0.0.1:1",
        }
        self.process = subprocess.Popen(
            [self.program, str(self.folder), "--no-open", "--json", "--port", "0"],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        said = json.loads(self.process.stdout.readline())
        self.token = {"Authorization": f"Bearer {said['token']}"}
        self.served = Served(said["url"], self.token)

    def write(self, name, sources):
        cells = [nbformat.v4.new_code_cell(source, id=f"c{number}") for number, source in enumerate(sources)]
        metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), self.folder / name)

    def watch(self, name):
        """Hears of a notebook, from how it is on."""
        window = self.served.listen("api/v1/connection", [f"{name}: {value}" for name, value in self.token.items()])
        window.send(json.dumps({"type": "watch_notebook", "path": name}))
        while json.loads(window.recv())["type"] != "notebook_caught_up":
            pass
        return window

    def run(self, name, arguments):
        body = {
            "action_type": "cell.run",
            "args": {"path": name, "wait": False, **arguments},
            "idempotency_key": str(uuid.uuid4()),
        }
        self.served.ask("POST", "api/v1/actions", body)

    def ended(self, window, cell, before=None):
        """Waits until a cell has run again; returns which run that was."""
        while True:
            text = window.recv()
            if b'"cell_outputs"' not in text[:40]:
                continue
            frame = json.loads(text)
            execution = frame.get("execution") if frame["cell"] == cell else None
            if execution and execution["id"] != before and execution["state"] in OVER:
                assert execution["state"] == "ok", execution
                return execution["id"]

    def output(self, name, cell):
        return self.served.ask("GET", f"api/v1/notebooks/output?path={name}&cell={cell}&output=0").decode()

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait()


def aside(program, folder):
    server = Aside(program, folder)
    server.write("one.ipynb", ["1", LONG, SLOW, "begun"])
    window, last, pyzmq, ours, theirs = server.watch("one.ipynb"), None, Pyzmq(), [], []
    for turn in range(-5, TURNS):
        rounds = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            server.run("one.ipynb", {"cells": ["c0"]})
            last = server.ended(window, "c0", last)
            rounds.append((time.perf_counter() - begun) * 1000)
        # What the first turns bring up to speed is not measured.
        if turn >= 0:
            ours += rounds
            theirs += pyzmq.rounds(ROUNDS)
    pyzmq.end()
    for whose, rounds in [("through the server", ours), ("in turns", theirs)]:
        say(f"{whose}: round trip of `1`, p50 (ms)", at(rounds, 0.5))
        say(f"{whose}: round trip of `1`, p99 (ms)", at(rounds, 0.99))
    say("server's memory with one notebook (MiB)", server.memory())

    server.run("one.ipynb", {"cells": ["c1"]})
    server.ended(window, "c1")
    say("through the server: lines of 100,000 stored", server.output("one.ipynb", "c1").count("\n"))
    say("server's memory with 8 MB put out (MiB)", server.memory())

    # The window goes away in mid-run, and another one comes.
    server.run("one.ipynb", {"cells": ["c2"]})
    time.sleep(1)
    window.close()
    time.sleep(0.5)
    window = server.watch("one.ipynb")
    server.ended(window, "c2")
    say("through the server: ticks of 30 after a reload", server.output("one.ipynb", "c2").count("tick"))

    # The server is killed in mid-run, and another one comes.
    server.run("one.ipynb", {"cells": ["c2"]})
    time.sleep(1)
    server.end(signal.SIGKILL)
    time.sleep(0.5)
    server.start()
    window = server.watch("one.ipynb")
    while server.output("one.ipynb", "c2").count("tick") < TICKS:
        if json.loads(window.recv()).get("execution", {}).get("state") in OVER:
            break
    say("through the server: ticks of 30 after kill -9", server.output("one.ipynb", "c2").count("tick"))
    server.run("one.ipynb", {"cells": ["c3"]})
    server.ended(window, "c3")
    say("the kernel after kill -9 knows what it knew (1 is yes)", int(float(server.output("one.ipynb", "c3")) > 1e9))
    window.close()

    server.write("many.ipynb", [*CELLS, "1"])
    window, last, nbclient, ours, theirs = server.watch("many.ipynb"), None, Nbclient(), [], []
    server.run("many.ipynb", {"cells": [f"c{len(CELLS)}"]})
    server.ended(window, f"c{len(CELLS)}")
    for _ in range(NOTEBOOKS):
        # Each begins at rest: what was run last is written a little later.
        time.sleep(1)
        theirs.append(nbclient.all())
        time.sleep(1)
        begun = time.perf_counter()
        server.run("many.ipynb", {"cells": [f"c{number}" for number in range(len(CELLS))]})
        last = server.ended(window, f"c{len(CELLS) - 1}", last)
        ours.append((time.perf_counter() - begun) * 1000 / len(CELLS))
    nbclient.end()
    say("through the server: a cell of 200, one after the other (ms)", at(ours, 0.5))
    say("in turns: a cell of 200, one after the other (ms)", at(theirs, 0.5))
    window.close()
    subprocess.run([program, "kernels", "stop", "--all"], cwd=server.folder, env={**os.environ, "HOME": str(server.home)}, check=False, stdout=subprocess.DEVNULL)
    server.end()


def jupyter(folder, without_delay):
    """Jupyter's server, as it is installed; or with its sockets told not to wait before they send."""
    settings = folder / "settings.py"
    if without_delay:
        settings.write_text(
            "import socket\nfrom tornado.iostream import IOStream\n"
            "begin = IOStream.__init__\n"
            "def begun(self, where, *more, **named):\n"
            "    if where.family in (socket.AF_INET, socket.AF_INET6):\n"
            "        where.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)\n"
            "    begin(self, where, *more, **named)\n"
            "IOStream.__init__ = begun\n"
        )
    else:
        settings.write_text("")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", f"--config={settings}", "--ip=127.0.0.1"]
    command += [f"--port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={folder}", "--IdentityProvider.token=t"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)})
    served = Served(f"http://127.0.0.1:{port}/", {"Authorization": "token t"})
    for _ in range(300):
        try:
            served.ask("GET", "api/status")
            break
        except OSError:
            time.sleep(0.1)
    kernel = json.loads(served.ask("POST", "api/kernels", {"name": "python3"}))["id"]
    session = uuid.uuid4().hex
    window = served.listen(f"api/kernels/{kernel}/channels?session_id={session}", ["Authorization: token t"])

    def run(code):
        asked = uuid.uuid4().hex
        header = {"msg_id": asked, "username": "", "session": session, "msg_type": "execute_request", "version": "5.3", "date": ""}
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell", "buffers": []}
        window.send(json.dumps(message))
        waiting = {"reply", "idle"}
        while waiting:
            said = json.loads(window.recv())
            if said["parent_header"].get("msg_id") != asked:
                continue
            if said["msg_type"] == "execute_reply":
                waiting.discard("reply")
            if said["content"].get("execution_state") == "idle":
                waiting.discard("idle")

    rounds = []
    for _ in range((1 + TURNS) * ROUNDS):
        begun = time.perf_counter()
        run("1")
        rounds.append((time.perf_counter() - begun) * 1000)
    how = " without delay" if without_delay else ""
    say(f"jupyter_server{how}: round trip of `1`, p50 (ms)", at(rounds[ROUNDS:], 0.5))
    say(f"jupyter_server{how}: round trip of `1`, p99 (ms)", at(rounds[ROUNDS:], 0.99))
    window.close()
    served.ask("DELETE", f"api/kernels/{kernel}")
    process.terminate()
    process.wait()


for measure in (lambda folder: aside(sys.argv[1], folder), lambda folder: jupyter(folder, False), lambda folder: jupyter(folder, True)):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="aside-bench-"))
    try:
        measure(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
