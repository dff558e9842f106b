"""An evidence server in a process of its own, for fetches over real sockets: one page, whatever is asked for.

    python -m bench.pages

Prints its port, and ends when its standard input does. It is as lean as it goes: what it wastes is missing to the node.
"""

import asyncio
import sys
import threading

from bench.server import PAGE

_BODY = PAGE.encode()
REPLY = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (
    len(_BODY),
    _BODY,
)


class Pages(asyncio.Protocol):
    """One connection, one page."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._got = b""

    def data_received(self, data: bytes) -> None:
        self._got += data
        if b"\r\n\r\n" in self._got:
            self._transport.write(REPLY)
            self._transport.close()


async def serve() -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Pages, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = asyncio.Event()

    def read() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=read, daemon=True).start()
    await ended.wait()


if __name__ == "__main__":
    asyncio.run(serve())
