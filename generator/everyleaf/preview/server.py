"""The web server of a preview."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from everyleaf.errors import ConfigError
from everyleaf.preview.answer import Folder

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

LOOPBACK = "127.0.0.1"
"""The one address that is listened at: a preview is for the person at this machine."""


@contextmanager
def open_preview(site_dir: Path, port: int, *, is_live: bool = False) -> Generator[str]:
    """Serve `site_dir` until the block ends; yield its address, with a slash at the end.

    Port 0 is any free one. `is_live` adds a script to pages that reloads them.

    Raises:
        ConfigError: The port is taken or may not be used.
    """
    try:
        server = _Server((LOOPBACK, port), BaseHTTPRequestHandler)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on port {port}: {error.strerror}",
            hint="choose another --port, or 0 for any free one",
        ) from error
    bound = server.server_port
    names = (LOOPBACK, "localhost")
    # Browsers leave out the port of their protocol.
    hosts = [f"{name}:{bound}" for name in names] + [name for name in names if bound == 80]
    folder = Folder(site_dir, frozenset(hosts), is_live=is_live)
    server.RequestHandlerClass = partial(_Handler, folder)
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{bound}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A port that another program listens on is an error, on Windows too.
    allow_reuse_address = not hasattr(socket, "SO_EXCLUSIVEADDRUSE")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def __init__(
        self, folder: Folder, request: socket.socket, place: object, server: _Server
    ) -> None:
        self._folder = folder
        super().__init__(request, place, server)

    def version_string(self) -> str:
        """Return what the server calls itself: no version, of nothing."""
        return "everyleaf"

    def do_GET(self) -> None:
        """Answer a GET."""
        self._answer(has_body=True)

    def do_HEAD(self) -> None:
        """Answer a HEAD: the headers of a GET."""
        self._answer(has_body=False)

    def _answer(self, *, has_body: bool) -> None:
        known = self.headers.get("If-None-Match", "")
        answer = self._folder.answer(self.path, self.headers.get("Host", ""), known)
        try:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if has_body:
                self.wfile.write(answer.body)
        except ConnectionError:
            self.close_connection = True  # The reader went on to another page.

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: a line a request would hide what the watcher says."""
