"""A server that speaks OpenAI's chat protocol and gives scripted replies, and meals for it."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prandial.records.bench import MealQuestion

_STEPS = (
    "Oats: 27 g\nBanana: 27 g\nJuice: 26 g\n\n27 + 27 + 26 = 80\n\n"
    'Output: {"total_carbohydrates": 80}'
)
#: label of a meal, and what the model says of it; some readers take these for something else
SAID: tuple[tuple[float, str], ...] = (
    (66.5, '{"total_carbohydrates": 66.5}'),
    (15.0, 'Output: {"total_carbohydrates": 22.5}'),
    (25.3, '{"total_carbohydrates": -1}'),
    (5.0, "I am sorry, I do not know."),
    (45.0, "The total is between 40 and 50 grams of carbohydrate."),
    (65.0, '{"total_carbohydrates": 45 + 20}'),
    (80.0, _STEPS),
    (12.0, "```json\n{\"total_carbohydrates\": 12}\n```"),
    (33.0, ""),
    (200.0, '{"total_carbohydrates": "1,234"}'),
    (1.0, "lorem ipsum"),
    (52.0, '{"total_carbohydrates": 44.49}'),
    (30.0, '[{"food": "rice", "quantity": "1", "unit": "cup"}]'),
    (0.0, '{"total_carbohydrates": 0}'),
)  # fmt: skip


def meals() -> list[MealQuestion]:
    words = "a cup of rice", "two slices of toast", "100g of boiled potatoes", "a glass of milk"
    return [
        MealQuestion(
            id=f"meal-{i}",
            text=f"On day {i} I had {words[i % len(words)]}. {{{{facts}}}} {{% raw %}}",
            nutrient="carb_g",
            label=label,
            group=f"g{i // 2}",
            serving="natural" if i % 2 else "metric",
        )
        for i, (label, _) in enumerate(SAID)
    ]


def digest(system: str, user: str) -> str:
    return hashlib.sha256(json.dumps([system, user]).encode()).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told = {m["role"]: m["content"] for m in body["messages"]}
        known = digest(told.get("system", ""), told["user"])
        self.server.asked.append(body)  # type: ignore[attr-defined]
        replies: Mapping[str, str | None] = self.server.replies  # type: ignore[attr-defined]
        if known not in replies:
            self._send(404, {"error": {"message": "no such prompt was scripted"}})
            return
        message = {"role": "assistant", "content": replies[known]}
        self._send(
            200,
            {
                "id": "x",
                "object": "chat.completion",
                "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            },
        )

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def chat_server(replies: Mapping[str, str | None]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve scripted replies; gives the address and the list of requests."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.replies = replies  # type: ignore[attr-defined]
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield (
            f"http://127.0.0.1:{server.server_address[1]}/v1/chat/completions",
            server.asked,  # type: ignore[attr-defined]
        )
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
