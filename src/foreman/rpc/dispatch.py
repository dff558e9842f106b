"""JSON-RPC 2.0: from the bytes of a request to the bytes of a reply.

A body is read (wire.py), each request in it is checked, its method looked up (table.py), its parameters bound and
read (arguments.py), and the method run. What the caller did wrong is answered with a number of `NUMBERS` and, in
`data`, the stable code and the hint of errors.py. What we did wrong is -32603 without detail, and a traceback in the
log.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from foreman.errors import BadInput, ForemanError, NotFound, Refused
from foreman.rpc.door import Door, stopping
from foreman.rpc.meter import UNKNOWN
from foreman.rpc.replies import Replies, Unsent, too_large
from foreman.rpc.wire import read_json, write_json

NUMBERS: dict[str, int] = {
    "parse_error": -32700,
    "invalid_request": -32600,
    "unknown_method": -32601,
    "internal_error": -32603,
    "over_budget": -32005,
    "too_many_pending": -32005,
    "busy": -32005,
    "reply_too_large": -32005,
    "range_too_large": -32005,
}
"""Error codes with a number of their own (docs/genlayer.md 8.8); the rest have the number of their kind."""

KINDS: tuple[tuple[type[ForemanError], int], ...] = ((BadInput, -32602), (NotFound, -32001), (ForemanError, -32000))

LONG = 32 * 1024
"""Bytes of an answer that takes long enough to write for others to have their turn after it."""

BATCHES = 4
"""Batches that read at once, a request at a time; the others wait their turn, and single requests pass them."""

log = logging.getLogger("foreman.rpc")


class Reverted(ForemanError):
    """A contract refused a read or a simulated write; `receipt` says how the run ended."""

    def __init__(self, sentence: str, receipt: Mapping[str, Any]) -> None:
        super().__init__("execution_reverted", sentence)
        self.receipt = receipt


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a method: its name, how its JSON value is read, and what stands for a missing one."""

    name: str
    read: Callable[[Any], Any]
    optional: bool = False
    default: Any = None


@dataclass(frozen=True, slots=True)
class Method:
    """One row of the table. `run` gets the door and the read parameters; it may be a coroutine function.

    `dev`: only on a development network. `threaded`: runs contract code or many queries, so it gets a thread, unless
    `at_hand` has the result already.
    """

    name: str
    run: Callable[..., Any]
    params: tuple[Param, ...] = ()
    dev: bool = False
    threaded: bool = False
    at_hand: Callable[..., Any] | None = None
    waits: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "waits", inspect.iscoroutinefunction(self.run))


class Dispatcher:
    """Answers request bodies for one door."""

    def __init__(self, door: Door, methods: Iterable[Method], not_offered: Mapping[str, str]) -> None:
        self._door = door
        self._methods = {method.name: method for method in methods}
        self._not_offered = not_offered
        self._meter = door.meter
        self._limits = door.settings.limits
        self.unsent = Unsent(self._limits.unsent_bytes)
        self._turns = asyncio.Semaphore(BATCHES)

    async def answer(self, body: bytes, extension: bool = False) -> tuple[int, bytes]:
        """The HTTP status and the body of the reply. Only what is no JSON at all is 400; notifications get 204."""
        try:
            payload = read_json(body)
        except BadInput as error:
            return (400 if error.code == "parse_error" else 200), write_json(_failure(None, error))
        if isinstance(payload, list):
            raw = await self._batch(payload, extension)
        else:
            reply = await self._one(payload, extension)
            raw = b"" if reply is None else write_json(reply)
            if len(raw) > self._limits.reply_bytes:
                raw = write_json(_failure(_legal_id(payload), too_large(self._limits.reply_bytes)))
        return (200, raw) if raw else (204, b"")

    async def _batch(self, requests: list[Any], extension: bool) -> bytes:
        """Answer in order, as long as there is room. Consecutive requests that wait for the node are waited for
        together, so a batch of transactions shares commits; a read after them sees them.
        """
        if not requests:
            return failure(BadInput("invalid_request", "the batch is empty", "send at least one request"))
        limit = self._limits.batch
        if len(requests) > limit:
            error = BadInput("invalid_request", f"a batch has at most {limit} requests", "send several batches")
            return failure(error)
        together: list[asyncio.Task[Any]] = []
        loop = asyncio.get_running_loop()
        with Replies(self.unsent, self._limits.reply_bytes) as replies:
            for request in requests:
                if self._waits(request):
                    together.append(asyncio.Task(self._one(request, extension), loop=loop, eager_start=True))
                    continue
                await _gathered(together, replies)
                async with self._turns:
                    await self._next(request, extension, replies)
            await _gathered(together, replies)
            return replies.whole()

    async def _next(self, request: Any, extension: bool, replies: Replies) -> None:
        """The next request of a batch: run while there is room for its answer."""
        refusal = replies.refusal
        if refusal is None:
            if replies.add(await self._one(request, extension)) > LONG:
                await asyncio.sleep(0)  # a batch of long answers lets others have their turn in between
        elif not isinstance(request, dict) or "id" in request:
            replies.add(_failure(_legal_id(request), refusal))

    def _waits(self, request: Any) -> bool:
        name = request.get("method") if isinstance(request, dict) else None
        method = self._methods.get(name) if isinstance(name, str) else None
        return method is not None and method.waits

    async def _one(self, request: Any, extension: bool) -> dict[str, Any] | None:
        """The reply to one request; None for a notification."""
        begun = perf_counter()
        try:
            name, params = _check(request)
        except BadInput as error:
            self._meter.answered(UNKNOWN, error.code, perf_counter() - begun)
            return _failure(_legal_id(request), error)
        ending = "ok"
        try:
            result = self._run(name, params, extension)
            if inspect.isawaitable(result):
                result = await result
            reply = {"jsonrpc": "2.0", "id": request.get("id"), "result": result}
        except ForemanError as error:
            ending = error.code
            reply = _failure(request.get("id"), error)
        except asyncio.CancelledError:
            if not self._door.closed:
                raise
            ending = "busy"
            reply = _failure(request.get("id"), stopping())
        except Exception:
            ending = "internal_error"
            log.exception("%s failed", name)
            reply = _failure(
                request.get("id"), ForemanError("internal_error", "the node made a mistake; its log has the details")
            )
        self._tell(name if name in self._methods else UNKNOWN, ending, perf_counter() - begun)
        return reply if "id" in request else None

    def _tell(self, method: str, ending: str, seconds: float) -> None:
        self._meter.answered(method, ending, seconds)
        if log.isEnabledFor(logging.DEBUG):
            fields = {"method": method, "ending": ending, "seconds": round(seconds, 6)}
            log.debug("request answered", extra={"fields": fields})

    def _run(self, name: str, params: Any, extension: bool) -> Any | Awaitable[Any]:
        method = self._methods.get(name)
        if method is None:
            raise NotFound("unknown_method", f"Method not found: {name[:100]}", self._not_offered.get(name, ""))
        if extension and name.startswith("sim_"):
            raise Refused(
                "not_for_extensions", f"{name} is not for browser extensions", "call it from your own machine"
            )
        if method.dev and not self._door.settings.dev:
            raise Refused(
                "not_a_development_network", f"{name} is for development networks", "start one with `foreman up`"
            )
        args = _bind(method, params)
        if method.at_hand is not None and (found := method.at_hand(self._door, *args)) is not None:
            return found
        if method.threaded:
            return self._door.in_thread(method.run, self._door, *args)
        return method.run(self._door, *args)


async def _gathered(together: "list[asyncio.Task[Any]]", replies: Replies) -> None:
    """Wait for what waits together, and answer it."""
    if together:
        for reply in await asyncio.gather(*together):
            replies.add(reply)
        together.clear()


def failure(error: ForemanError) -> bytes:
    """The reply to what was refused before it was a request: no id is known."""
    return write_json(_failure(None, error))


def number_of(error: ForemanError) -> int:
    """The JSON-RPC error number of an expected error."""
    number = NUMBERS.get(error.code)
    return number if number is not None else next(number for kind, number in KINDS if isinstance(error, kind))


def _failure(ident: Any, error: ForemanError) -> dict[str, Any]:
    data: dict[str, Any] = {"code": error.code, "hint": error.hint}
    if isinstance(error, Reverted):
        data["receipt"] = error.receipt
    return {
        "jsonrpc": "2.0",
        "id": ident,
        "error": {"code": number_of(error), "message": str(error), "data": data},
    }


def _check(request: Any) -> tuple[str, Any]:
    """The method and the parameters of a request. Raises `BadInput` `invalid_request`."""
    if not isinstance(request, dict):
        raise BadInput("invalid_request", "a request is a JSON object", 'with "jsonrpc", "id", "method" and "params"')
    if request.get("jsonrpc") != "2.0":
        raise BadInput("invalid_request", 'a request says "jsonrpc": "2.0"', "add it")
    name, params = request.get("method"), request.get("params")
    if not isinstance(name, str):
        raise BadInput("invalid_request", "the method of a request is a string", "name one, for example eth_chainId")
    if params is not None and not isinstance(params, list | dict):
        raise BadInput("invalid_request", "params are an array or an object", "wrap them in []")
    if not _is_id(request.get("id")):
        raise BadInput("invalid_request", "an id is a string, a number or null", "send one of these")
    return name, params


def _is_id(ident: Any) -> bool:
    return ident is None or (isinstance(ident, str | int | float) and not isinstance(ident, bool))


def _legal_id(request: Any) -> Any:
    ident = request.get("id") if isinstance(request, dict) else None
    return ident if _is_id(ident) else None


def _bind(method: Method, params: Any) -> list[Any]:
    """Read parameters given by position or by name; the sentences are Studio's (docs/genlayer.md 8.8)."""
    if isinstance(params, dict):
        known = {param.name for param in method.params}
        for name in params:
            if name not in known:
                raise BadInput("bad_params", f"Unexpected parameter: {name[:80]}", _usage(method))
        given = [params.get(param.name, _MISSING) for param in method.params]
    else:
        given = params or []
        if len(given) > len(method.params):
            raise BadInput("bad_params", "Too many parameters provided", _usage(method))
        given = [*given, *[_MISSING] * (len(method.params) - len(given))]
    return [_read(method, param, value) for param, value in zip(method.params, given, strict=True)]


def _read(method: Method, param: Param, value: Any) -> Any:
    if value is _MISSING or (value is None and param.optional):
        if param.optional:
            return param.default
        raise BadInput("bad_params", f"Missing required parameter: {param.name}", _usage(method))
    try:
        return param.read(value)
    except BadInput as error:
        raise BadInput(error.code, f"{param.name}: {error.sentence}", error.hint) from error


def _usage(method: Method) -> str:
    names = [f"{param.name}?" if param.optional else param.name for param in method.params]
    return f"{method.name} takes [{', '.join(names)}]"


_MISSING = object()
