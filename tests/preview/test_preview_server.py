"""The server: on this machine only, and gone when it is closed."""

from __future__ import annotations

import http.client
import socket
import threading
from urllib.parse import urlsplit

import pytest

from everyleaf.errors import ConfigError
from everyleaf.preview import open_preview


def ask(address, method="GET", target="/", **headers):
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=10)
    try:
        connection.request(method, target, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_a_page_can_be_asked_for_and_its_headers_alone(site_dir):
    with open_preview(site_dir, 0) as address:
        status, headers, body = ask(address)
        only = ask(address, "HEAD")

    assert (status, body) == (200, b"<head></head>first page")
    assert headers["Server"] == "everyleaf"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert (only[0], only[2]) == (200, b"")
    assert only[1]["Content-Length"] == headers["Content-Length"]


def test_nothing_but_reading_is_possible(site_dir):
    with open_preview(site_dir, 0) as address:
        assert ask(address, "POST")[0] == 501
        assert ask(address, "DELETE", "/index.html")[0] == 501


def test_another_name_for_this_machine_is_refused(site_dir):
    with open_preview(site_dir, 0) as address:
        status, _, body = ask(address, Host="rebound.example")

    assert status == 421
    assert b"first page" not in body


def test_it_listens_on_this_machine_only(site_dir):
    with open_preview(site_dir, 0) as address:
        assert urlsplit(address).hostname == "127.0.0.1"


def test_a_taken_port_is_an_error_with_a_way_out(site_dir):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        with (
            pytest.raises(ConfigError, match=str(port)) as caught,
            open_preview(site_dir, port),
        ):
            pytest.fail("it listened on a port that another program has")

    assert "--port" in caught.value.hint


def test_it_is_gone_when_the_block_ends(site_dir):
    before = threading.active_count()
    with open_preview(site_dir, 0) as address:
        ask(address)

    with pytest.raises(OSError):  # noqa: PT011  (refused, or reset: as the system likes)
        ask(address)
    assert threading.active_count() <= before + 1
