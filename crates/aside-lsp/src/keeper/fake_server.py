"""A language server for tests: a line with "bad" is wrong. How it misbehaves is its only argument."""
import json, os, sys

mode = sys.argv[1]
out, texts = sys.stdout.buffer, {}


def framed(message):
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def send(*messages):
    data = b"".join(framed(message) for message in messages)
    # The first bytes one by one, the rest in one piece with all that follows.
    for at in range(min(40, len(data))):
        out.write(data[at:at + 1])
        out.flush()
    out.write(data[40:])
    out.flush()


def read():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))


def units(text, count=None):
    return len((text if count is None else text[:count]).encode("utf-16-le")) // 2


def published(uri):
    found = []
    for number, line in enumerate(texts[uri].split("\n")):
        at = line.find("bad")
        if at >= 0:
            start = {"line": number, "character": units(line, at)}
            end = {"line": number, "character": units(line, at) + 3}
            found.append({"range": {"start": start, "end": end}, "message": line, "severity": 2, "source": "Fake"})
    if mode == "far":
        far = {"start": {"line": 10**9, "character": 0}, "end": {"line": 10**9, "character": 5}}
        found.append({"range": far, "message": "far away"})
    if mode == "nosy":
        found += [said(uri, trial) for trial in (peek, write, call)]
    if mode == "flood":
        one = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
        found += [{"range": one, "message": "x" * 3000} for _ in range(2000)]
    params = {"uri": uri, "diagnostics": found}
    return {"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}


def said(uri, trial):
    try:
        words = trial()
    except OSError as error:
        words = "refused: " + trial.__name__
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
    return {"range": place, "message": words}


def peek():
    return open(".aside/aside.db", "rb").read(1) and "it read the state"


def write():
    return open("stolen", "w").write("x") and "it wrote"


def call():
    import socket
    socket.create_connection(("127.0.0.1", 9), 1)
    return "it called"


def edited(text, change):
    if "range" not in change:
        return change["text"]
    lines = text.split("\n")

    def offset(place):
        line = lines[place["line"]]
        rest = line.encode("utf-16-le")[: 2 * place["character"]].decode("utf-16-le")
        return sum(len(one) + 1 for one in lines[: place["line"]]) + len(rest)

    start, end = offset(change["range"]["start"]), offset(change["range"]["end"])
    return text[:start] + change["text"] + text[end:]


while True:
    message = read()
    method, params = message.get("method"), message.get("params")
    if method == "initialize":
        if mode == "deaf":
            continue
        if mode == "unwilling":
            send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": 1, "message": "no licence"}})
            continue
        print("starting up", file=sys.stderr, flush=True)
        capabilities = {"textDocumentSync": {"openClose": True, "change": 2, "save": True}}
        send({"jsonrpc": "2.0", "id": message["id"], "result": {"capabilities": capabilities}})
    elif method == "textDocument/didOpen":
        document = params["textDocument"]
        if mode == "crash" or (mode == "moody" and not os.path.exists("mended")):
            print("boom: out of ideas", file=sys.stderr, flush=True)
            os._exit(3)
        if mode == "wrong":
            out.write(b"Content-Length: 3\r\n\r\n{\"jsonrpc\": \"2.0\"}")
            out.flush()
            continue
        texts[document["uri"]] = document["text"]
        log = {"jsonrpc": "2.0", "method": "window/logMessage", "params": {"type": 3, "message": "y" * 100}}
        send(*([log] * (20000 if mode == "flood" else 3)), published(document["uri"]))
    elif method == "textDocument/didChange":
        uri = params["textDocument"]["uri"]
        for change in params["contentChanges"]:
            texts[uri] = edited(texts[uri], change)
        send(published(uri))
    elif method == "shutdown":
        send({"jsonrpc": "2.0", "id": message["id"], "result": None})
    elif method == "exit":
        sys.exit(0)
