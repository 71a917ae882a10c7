"""A host between a program and a server, which can fall silent: it takes what comes and answers no more."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


class Proxy:
    """Listens on a port of this machine; each connection goes on to a socket of a server."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.silent = threading.Event()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.open: list[socket.socket] = [self.listening]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed: the test is over
            while True:
                near, _ = self.listening.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self.server)
                self.open += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._forward, args=(one, other), daemon=True).start()

    def _forward(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                if not self.silent.is_set():
                    other.sendall(data)
            if not self.silent.is_set():
                other.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def proxy_to(server: str) -> Iterator[Proxy]:
    """A proxy to a socket in the file system, closed at the end."""
    proxy = Proxy(server)
    try:
        yield proxy
    finally:
        for connection in proxy.open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
