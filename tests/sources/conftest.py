"""Made-up NHANES files, and a real web server that can misbehave."""

from __future__ import annotations

import hashlib
import re
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prandial.sources.nhanes import find_file, load_cycles

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")
sys.path.insert(0, TOOLS)
from write_xpt import xpt_bytes  # noqa: E402

sys.path.remove(TOOLS)

HTML = b"<!DOCTYPE html>\n<html><head><title>CDC</title></head><body>Not found</body></html>\n"


def made_up(cycle: str, table: str, *, rows: int | None = None, seed: int = 0) -> bytes:
    """Return a sound transport file of made-up numbers, of as many rows as the registry states."""
    entry, people = find_file(cycle, table), load_cycles()[cycle]
    count = rows or entry.rows or 100
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 9, count).astype(float)
    values[::7] = np.nan
    seqn = people.first_seqn + np.sort(rng.permutation(people.respondents)[:count])
    return xpt_bytes({"SEQN": seqn.astype(float), "MADEUP": values}, entry.file)


@dataclass
class Site:
    """What the server holds and how it misbehaves."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    #: by path, what happens first: ("status", 500), ("cut", bytes), ("wait", seconds)
    plan: dict[str, list[tuple[str, float]]] = field(default_factory=dict)
    ranges: bool = True
    if_range: bool = True
    etags: bool = True
    dates: bool = False
    #: requests answered only once so many are open at the same time
    together: int = 1
    #: path, first byte asked for, bytes sent
    log: list[tuple[str, int, int]] = field(default_factory=list)
    most_open: int = 0
    _open: int = 0
    _lock: Any = field(default_factory=threading.Lock)

    def sent(self, path: str) -> int:
        return sum(n for p, _, n in self.log if p == path)

    def asked(self, path: str) -> list[int]:
        return [start for p, start, _ in self.log if p == path]

    def enter(self) -> None:
        with self._lock:
            self._open += 1
            self.most_open = max(self.most_open, self._open)
        until = time.monotonic() + 2
        while self.most_open < self.together and time.monotonic() < until:
            time.sleep(0.005)

    def leave(self) -> None:
        with self._lock:
            self._open -= 1


class Handler(BaseHTTPRequestHandler):
    site: Site

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self.site.enter()
        try:
            self.answer()
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            self.site.leave()

    def answer(self) -> None:
        site, path = self.site, self.path
        steps = site.plan.get(path) or []
        kind, value = steps.pop(0) if steps else ("", 0)
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(asked.group(1)) if asked else 0
        if kind == "wait":
            time.sleep(value)
        if kind == "status" or path not in site.files:
            site.log.append((path, start, 0))
            self.send_response(int(value) or 404)
            if value == 429:
                self.send_header("Retry-After", "7")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = site.files[path]
        etag = f'"{hashlib.md5(body).hexdigest()}"'
        same = not site.if_range or self.headers.get("If-Range", etag) == etag
        partial = bool(asked) and site.ranges and same
        if partial and start >= len(body):
            site.log.append((path, start, 0))
            self.send_error(416)
            return
        rest = body[start:] if partial else body
        self.send_response(206 if partial else 200)
        if partial:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        if site.etags:
            self.send_header("ETag", etag)
        if site.dates:
            self.send_header("Last-Modified", "Wed, 12 Feb 2020 10:00:00 GMT")
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        sending = rest[: int(value)] if kind == "cut" else rest
        site.log.append((path, start, len(sending)))
        self.wfile.write(sending)
        self.close_connection = True


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    handler = type("H", (Handler,), {"site": made})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()
