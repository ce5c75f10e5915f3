"""A kernel that does one thing wrong: `fake_kernel.py HOW CONNECTION_FILE`."""

import hmac
import json
import signal
import sys
import time

import zmq

how, path = sys.argv[1], sys.argv[2]
if how == "dies-at-start":
    sys.exit("no module named numpy")
if how == "never-starts":
    print("still loading", flush=True)
    time.sleep(600)
if how == "deaf":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

info = json.load(open(path))
key = b"another" if how == "signs-wrongly" else info["key"].encode()
context = zmq.Context()


def bind(kind, name):
    socket = context.socket(kind)
    end = "-" if info["transport"] == "ipc" else ":"
    socket.bind(f"{info['transport']}://{info['ip']}{end}{info[name]}")
    return socket


shell, control, stdin = (bind(zmq.ROUTER, name) for name in ("shell_port", "control_port", "stdin_port"))
# Without a limit of its own: what a kernel drops by itself is not what is looked at.
context.setsockopt(zmq.SNDHWM, 0)
output = bind(zmq.PUB, "iopub_port")
heart = bind(zmq.REP, "hb_port")
sent = 0


def send(socket, first, kind, parent, content):
    global sent
    sent += 1
    header = {"msg_id": f"fake{sent}", "msg_type": kind, "session": "fake", "version": "5.3"}
    parts = [json.dumps(part).encode() for part in (header, parent, {}, content)]
    sign = hmac.new(key, b"".join(parts), "sha256").hexdigest().encode()
    socket.send_multipart([*first, b"<IDS|MSG>", sign, *parts])


def put_out(kind, parent, content):
    if how != "is-silent":
        send(output, [b"fake"], kind, parent, content)


def answer(socket):
    frames = socket.recv_multipart()
    at = frames.index(b"<IDS|MSG>")
    identity, parent, content = frames[:at], json.loads(frames[at + 2]), json.loads(frames[at + 5])
    kind = parent["msg_type"]
    reply = lambda content: send(socket, identity, kind.replace("_request", "_reply"), parent, content)
    put_out("status", parent, {"execution_state": "busy"})
    if kind == "kernel_info_request":
        version = "4.1" if how == "is-old" else "5.3"
        reply({"status": "ok", "protocol_version": version, "language_info": {"name": "fake"}, "banner": "fake"})
    elif kind == "execute_request":
        code = content["code"]
        if code == "die":
            print("the last words", file=sys.stderr, flush=True)
            put_out("stream", parent, {"name": "stdout", "text": "before"})
            time.sleep(0.1)
            sys.exit(7)
        if code == "nonsense":
            put_out("stream", parent, {"name": "stdout", "text": 1})
            put_out("display_data", parent, [])
            put_out("whatever", parent, {"a": 1})
            output.send_multipart([b"no", b"message"])
        if code == "forever":
            while True:
                time.sleep(60)
        if code.startswith("flood"):
            for line in range(int(code[5:])):
                put_out("stream", parent, {"name": "stdout", "text": f"{line:06} {'x' * 65536}\n"})
                # What a socket holds of messages is drawn off meanwhile.
                time.sleep(0.001)
        reply({"status": "ok", "execution_count": 1})
    elif kind == "shutdown_request" and how != "deaf":
        reply({"status": "ok", "restart": False})
        sys.exit(0)
    put_out("status", parent, {"execution_state": "idle"})


poller = zmq.Poller()
for socket in (shell, control, heart):
    poller.register(socket, zmq.POLLIN)
while True:
    for socket, _ in poller.poll():
        socket.send(socket.recv()) if socket is heart else answer(socket)
