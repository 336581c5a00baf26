"""A priced provider's other end: a real HTTP server that counts the calls it gets, and can hold them."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWER = "Plants make sugar from water and carbon dioxide, using the energy of light."


class CountingProvider:
    """Speaks the OpenAI chat wire. Without `usage` it never says what a call cost."""

    def __init__(self, *, usage: dict[str, int] | None = None) -> None:
        self.usage = usage
        self.calls: list[str] = []
        self._open = threading.Event()
        self._open.set()
        peer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                peer.calls.append(json.loads(body)["messages"][0]["content"])
                peer._open.wait(60)
                try:
                    self._answer(json.dumps(peer.answer()).encode())
                except ConnectionError:
                    self.close_connection = True

            def _answer(self, content: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def handle(self) -> None:
                try:
                    super().handle()
                except ConnectionError:
                    self.close_connection = True

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            request_queue_size = 512

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def answer(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": ANSWER}
        said = {"id": "1", "object": "chat.completion", "created": 1, "model": "priced"}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        return said | {"choices": choices} | ({"usage": self.usage} if self.usage else {})

    def hold(self) -> None:
        """Let calls arrive and wait."""
        self._open.clear()

    def free(self) -> None:
        """Answer what waits, and what comes."""
        self._open.set()

    def close(self) -> None:
        self.free()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
