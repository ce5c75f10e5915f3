"""The same figures of pyzmq without anything around it, and of nbclient: `name<TAB>value` lines."""

import time

import nbformat
import zmq
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

ROUNDS, CELLS = 500, 200

manager = KernelManager(kernel_name="python3")
manager.start_kernel()
connection, session, context = manager.get_connection_info(), manager.session, zmq.Context.instance()
shell, output = context.socket(zmq.DEALER), context.socket(zmq.SUB)
shell.connect(f"tcp://{connection['ip']}:{connection['shell_port']}")
output.connect(f"tcp://{connection['ip']}:{connection['iopub_port']}")
output.setsockopt(zmq.SUBSCRIBE, b"")
poller = zmq.Poller()
poller.register(shell, zmq.POLLIN)
poller.register(output, zmq.POLLIN)


def ask(kind, content, patience):
    """Asks, and waits for the reply and for idle; tells whether both came."""
    asked = session.send(shell, kind, content)["header"]["msg_id"]
    waiting = {"reply", "idle"}
    while waiting:
        ready = dict(poller.poll(patience))
        if not ready:
            return False
        for socket in ready:
            message = session.deserialize(session.feed_identities(socket.recv_multipart())[1])
            if message["parent_header"].get("msg_id") != asked:
                continue
            if message["msg_type"].endswith("_reply"):
                waiting.discard("reply")
            if message["content"].get("execution_state") == "idle":
                waiting.discard("idle")
    return True


def run(code):
    content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
    assert ask("execute_request", content, 60_000)


while not ask("kernel_info_request", {}, 300):
    pass
for _ in range(20):
    run("1")
rounds = []
for _ in range(ROUNDS):
    begun = time.perf_counter()
    run("1")
    rounds.append((time.perf_counter() - begun) * 1000)
rounds.sort()
print(f"round trip of `1`, p50 (ms)\t{rounds[ROUNDS // 2]}")
print(f"round trip of `1`, p99 (ms)\t{rounds[ROUNDS * 99 // 100]}")
begun = time.perf_counter()
run("for i in range(100000): print('%06d' % i + 'x' * 73)")
print(f"100,000 lines of 80 characters (s)\t{time.perf_counter() - begun}")
manager.shutdown_kernel(now=True)

cells = [nbformat.v4.new_code_cell(f"x{number} = {number}\nx{number}") for number in range(CELLS)]
client = NotebookClient(nbformat.v4.new_notebook(cells=cells), kernel_name="python3")
with client.setup_kernel():
    begun = time.perf_counter()
    for at, cell in enumerate(client.nb.cells):
        client.execute_cell(cell, at)
    print(f"a cell of 200, one after the other (ms)\t{(time.perf_counter() - begun) * 1000 / CELLS}")
