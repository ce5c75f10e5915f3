"""What the figures of notebooks are set beside: pyzmq without anything around it, and nbclient, each with a kernel of its own."""

import time

import nbformat
import zmq
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

CELLS = [f"x{number} = {number}\nx{number}" for number in range(200)]


class Pyzmq:
    """A kernel that is spoken to over its sockets."""

    def __init__(self):
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel()
        connection, context = self.manager.get_connection_info(), zmq.Context.instance()
        self.session, self.shell, output = self.manager.session, context.socket(zmq.DEALER), context.socket(zmq.SUB)
        self.shell.connect(f"tcp://{connection['ip']}:{connection['shell_port']}")
        output.connect(f"tcp://{connection['ip']}:{connection['iopub_port']}")
        output.setsockopt(zmq.SUBSCRIBE, b"")
        self.poller = zmq.Poller()
        self.poller.register(self.shell, zmq.POLLIN)
        self.poller.register(output, zmq.POLLIN)
        while not self.ask("kernel_info_request", {}, 300):
            pass
        self.rounds(20)

    def ask(self, kind, content, patience):
        """Asks, and waits for the reply and for idle; tells whether both came."""
        asked = self.session.send(self.shell, kind, content)["header"]["msg_id"]
        waiting = {"reply", "idle"}
        while waiting:
            ready = dict(self.poller.poll(patience))
            if not ready:
                return False
            for socket in ready:
                message = self.session.deserialize(self.session.feed_identities(socket.recv_multipart())[1])
                if message["parent_header"].get("msg_id") != asked:
                    continue
                if message["msg_type"].endswith("_reply"):
                    waiting.discard("reply")
                if message["content"].get("execution_state") == "idle":
                    waiting.discard("idle")
        return True

    def run(self, code):
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        assert self.ask("execute_request", content, 60_000)

    def rounds(self, count):
        """Round trips of `1`, in milliseconds."""
        taken = []
        for _ in range(count):
            begun = time.perf_counter()
            self.run("1")
            taken.append((time.perf_counter() - begun) * 1000)
        return taken

    def end(self):
        self.manager.shutdown_kernel(now=True)


class Nbclient:
    """A notebook of 200 cells with its kernel."""

    def __init__(self):
        cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
        self.client = NotebookClient(nbformat.v4.new_notebook(cells=cells), kernel_name="python3")
        self.kernel = self.client.setup_kernel()
        self.kernel.__enter__()

    def all(self):
        """Runs all, one after the other; returns milliseconds for a cell."""
        begun = time.perf_counter()
        for at, cell in enumerate(self.client.nb.cells):
            self.client.execute_cell(cell, at)
        return (time.perf_counter() - begun) * 1000 / len(CELLS)

    def end(self):
        self.kernel.__exit__(None, None, None)
