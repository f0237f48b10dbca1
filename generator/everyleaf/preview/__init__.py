"""A preview: a web server that answers with files of a folder, and builds that follow."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from everyleaf.digest import digest_hex
from everyleaf.errors import ConfigError, EveryleafError, refused
from everyleaf.publish.manifest import load_manifest
from everyleaf.theming.headers import HEADERS_URL, header_rules, headers_for, parse_headers

LOOPBACK = "127.0.0.1"
"""The one address that is listened at: a preview is for the person at this machine."""
LIVE_ADDRESS = "/.everyleaf/live.js"
"""Of the script that reloads a page when it has changed: only while watching."""
NOT_FOUND = "404.html"
NOT_YET = Path(__file__).with_name("building.html").read_bytes()
"""What stands at the address of a page until its first build has placed it."""

QUIET_MS = 400
"""A change is built when nothing more has come for so long."""
LONGEST_MS = 1600
"""Or after so long: a session that is being written never rests."""

_KINDS = (".jsonl", ".json", ".txt", ".zst")
"""Session files, what links agents to them, outputs written apart, and files of a store."""
_LIVE_FILE = Path(__file__).with_name("live.js")
_LIVE_TAG = f'<script defer src="{LIVE_ADDRESS}"></script>\n</head>'.encode()
_RULES = header_rules(is_public=False, has_search=True)
"""Sent where the folder has no `_headers` of its own."""
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".gif": "image/gif",
    ".html": "text/html; charset=utf-8",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/jsonl; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webp": "image/webp",
    ".xml": "application/xml",
}


@contextmanager
def open_preview(site_dir: Path, port: int, *, is_live: bool = False) -> Generator[str]:
    """Serve `site_dir` until the block ends; yield its address, with a slash at the end.

    Port 0 is any free one. `is_live` adds a script to pages that reloads them.

    Raises:
        ConfigError: The port is taken or may not be used.
    """
    hint = "choose another --port, or 0 for any free one"
    with refused(ConfigError, f"cannot listen on port {port}", hint):
        server = _Server((LOOPBACK, port), BaseHTTPRequestHandler)
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
        return "everyleaf"

    def do_GET(self) -> None:
        known = self.headers.get("If-None-Match", "")
        answer = self._folder.answer(self.path, self.headers.get("Host", ""), known)
        try:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body)
        except ConnectionError:
            self.close_connection = True  # The reader went on to another page.

    do_HEAD = do_GET  # noqa: N815  (as the base class asks for it)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: a line a request would hide what the watcher says."""


class Answer(Struct, frozen=True):
    """A response."""

    status: HTTPStatus
    headers: Mapping[str, str]
    body: bytes


class Folder(Struct, frozen=True):
    """A folder with a built site, as it is served."""

    site_dir: Path
    hosts: frozenset[str]
    """What a request may call us, port included. Another name is another site's page that
    had its name point here to read ours (DNS rebinding)."""
    is_live: bool = False
    """Pages reload when they have changed."""

    def answer(self, target: str, host: str, known: str = "") -> Answer:
        """Return the answer to a GET of `target`, the address with its query.

        `known` is the entity tag that the asking browser has already. Never raises for what
        stands in a request.
        """
        if host.lower() not in self.hosts:
            text = b"This preview answers to its own name only.\n"
            return Answer(HTTPStatus.MISDIRECTED_REQUEST, _plain(text), text)
        address = unquote(urlsplit(target).path, errors="replace")
        if self.is_live and address == LIVE_ADDRESS:
            return self._found("live.js", _LIVE_FILE.read_bytes(), address, known)
        file = self._find(address)
        if file is not None and file.is_dir() and not address.endswith("/"):
            place = {"Location": urlsplit(target).path.rsplit("/", 1)[-1] + "/"}
            return Answer(HTTPStatus.MOVED_PERMANENTLY, place | _plain(b""), b"")
        if file is not None and file.is_dir():
            file /= "index.html"
        if file is None or not file.is_file():
            return self._missing(address, known)
        return self._found(file.name, file.read_bytes(), address, known)

    def _find(self, address: str) -> Path | None:
        """Return what stands at `address`; None for what is hidden or not in the folder."""
        parts = [part for part in address.split("/") if part]
        if any(part.startswith(".") or set(part) & set("\\:\0") for part in parts):
            return None
        file = self.site_dir.joinpath(*parts)
        try:
            real = file.resolve(strict=True)
        except (OSError, RuntimeError):
            return None
        return file if real.is_relative_to(self.site_dir.resolve()) else None

    def _missing(self, address: str, known: str) -> Answer:
        if self.is_live and address.endswith(("/", ".html")):
            # A manifest lists a page before it is there.
            listed = load_manifest(self.site_dir)
            url = f"{address}index.html" if address.endswith("/") else address
            if listed is None or url.lstrip("/") in listed.files:
                return self._found(NOT_FOUND, NOT_YET, address, known)
        page = self.site_dir / NOT_FOUND
        body = page.read_bytes() if page.is_file() else b"Not found\n"
        kind = _TYPES[".html" if page.is_file() else ".txt"]
        return Answer(HTTPStatus.NOT_FOUND, self._headers("/404.html", kind, body), body)

    def _found(self, name: str, body: bytes, address: str, known: str) -> Answer:
        kind = _TYPES.get(Path(name).suffix.lower(), "application/octet-stream")
        if self.is_live and name.endswith(".html"):
            body = body.replace(b"</head>", _LIVE_TAG, 1)
        tag = f'"{digest_hex(body)}"'
        headers = {**self._headers(address, kind, body), "ETag": tag}
        if known == tag:
            return Answer(HTTPStatus.NOT_MODIFIED, headers | {"Content-Length": "0"}, b"")
        return Answer(HTTPStatus.OK, headers, body)

    def _headers(self, address: str, kind: str, body: bytes) -> dict[str, str]:
        own = self.site_dir / HEADERS_URL
        rules = parse_headers(own.read_text("utf-8", "replace")) if own.is_file() else None
        return {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-cache",
            **headers_for(rules or _RULES, address),
        }


def _plain(body: bytes) -> dict[str, str]:
    return {"Content-Type": _TYPES[".txt"], "Content-Length": str(len(body))}


def watch_sources(
    sources: Sequence[Path],
    rebuild: Callable[[], None],
    on_error: Callable[[EveryleafError], None],
    *,
    stop: threading.Event,
) -> None:
    """Call `rebuild`, and again after each change of a session file, until `stop` is set.

    An error of a later build goes to `on_error`: the next change may mend it.

    Raises:
        EveryleafError: the first build failed.
    """
    from watchfiles import watch  # noqa: PLC0415  (only where something is watched)

    changes = watch(
        *sources,
        watch_filter=lambda _, file: file.endswith(_KINDS),
        debounce=LONGEST_MS,
        step=QUIET_MS,
        stop_event=stop,
        rust_timeout=QUIET_MS,
        yield_on_timeout=True,
        raise_interrupt=True,
    )
    # What changes from here on is known, also while the first build runs.
    next(changes, None)
    rebuild()
    for changed in changes:
        if not changed:
            continue
        try:
            rebuild()
        except EveryleafError as error:
            on_error(error)
