"""A small OpenAI-compatible server that answers as told, slowly or wrongly; for tests only."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    """What is sent back: a text in the form of a completion, or any body with any status."""

    text: str = ""
    status: int = 200
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0.0


class Server:
    """``with Server(answer) as server``: ``answer`` gets the request's body and its number."""

    def __init__(self, answer: Callable[[dict[str, Any], int], Answer]) -> None:
        self.requests: list[dict[str, Any]] = []
        lock = threading.Lock()
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(size))
                with lock:
                    requests.append(body)
                    number = len(requests)
                told = answer(body, number)
                time.sleep(told.after_s)
                text = told.body if told.body is not None else completion(told.text, body)
                self._send(told.status, text.encode(), told.headers)

            def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True  # who asked has gone

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def completion(text: str, request: dict[str, Any]) -> str:
    """Return a chat completion."""
    return json.dumps(
        {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": request.get("model", "m"),
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": text},
                }
            ],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
    )


def prompt_of(request: dict[str, Any]) -> str:
    """Return all that was said to the model."""
    return "\n".join(str(m["content"]) for m in request["messages"])
