"""The network as one swappable object: a real client and a fake one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol

from prandial.errors import InputError, MissingDataError

__all__ = ["Answer", "FakeWeb", "HttpxWeb", "LinkError", "Web"]


class LinkError(Exception):
    """The line failed; ``kind`` says how.

    Parameters
    ----------
    kind : {'unreachable', 'timeout', 'cut'}
    detail : str
    """

    def __init__(self, kind: Literal["unreachable", "timeout", "cut"], detail: str = "") -> None:
        super().__init__(detail or kind)
        self.kind = kind


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """Status, headers by lower-case name, and the body in pieces."""

    status: int
    headers: Mapping[str, str]
    chunks: Iterator[bytes]


class Web(Protocol):
    """Something that answers GET requests."""

    def get(self, url: str, headers: Mapping[str, str]) -> AbstractContextManager[Answer]:
        """Ask for an address; :class:`LinkError` when the line fails, now or in the body."""
        ...


class HttpxWeb:
    """The real network, by httpx; safe to use from several threads.

    Parameters
    ----------
    seconds : float
        Longest wait for a connection or for the next bytes.

    Raises
    ------
    MissingDataError
        When httpx is not installed.
    InputError
        When proxy or certificate settings of the environment cannot be used.
    """

    def __init__(self, *, seconds: float = 30.0) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingDataError(
                "downloads need the package httpx",
                where="network",
                hint="pip install 'prandial[ngqa]'",
            ) from None
        self._httpx = httpx
        try:
            self._client = httpx.Client(
                follow_redirects=True,
                timeout=seconds,
                headers={"User-Agent": "prandial", "Accept-Encoding": "identity"},
            )
        except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
            raise InputError(
                f"the network settings cannot be used: {error}",
                where="environment",
                hint="check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE",
            ) from None

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str]) -> Iterator[Answer]:
        """Ask for an address.

        Raises
        ------
        LinkError
            When the line fails.
        InputError
            When the address is none.
        """
        httpx = self._httpx
        try:
            with self._client.stream("GET", url, headers=dict(headers)) as response:
                yield Answer(
                    status=response.status_code,
                    headers={k.lower(): v for k, v in response.headers.items()},
                    chunks=response.iter_bytes(),
                )
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise InputError(
                f"not a web address: {error}", where=url, hint="give http:// or https://"
            ) from None
        except (httpx.ConnectError, httpx.ProxyError) as error:
            raise LinkError("unreachable", str(error)) from None
        except httpx.TimeoutException as error:
            raise LinkError("timeout", str(error)) from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise LinkError("cut", str(error)) from None
        except httpx.TooManyRedirects as error:
            raise InputError(str(error), where=url, hint="check the address") from None

    def close(self) -> None:
        """Close all connections."""
        self._client.close()


class FakeWeb:
    """A network of given files, for tests and offline runs.

    It answers ``Range`` and ``If-Range`` as a good server does, with a digest as ETag.

    Parameters
    ----------
    files : mapping of str to bytes
        By address; any other is 404.
    plan : mapping of str to sequence, optional
        By address, what happens first: a status to answer, a :class:`LinkError` to raise,
        or, as a 1-tuple, the number of bytes after which the line is cut.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        plan: Mapping[str, Sequence[int | LinkError | tuple[int]]] | None = None,
    ) -> None:
        self.files = dict(files)
        self.plan = {url: list(steps) for url, steps in (plan or {}).items()}
        #: every request: address and first byte asked for
        self.requests: list[tuple[str, int]] = []

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str]) -> Iterator[Answer]:
        """Answer from the files, after what the plan holds for this address."""
        asked = re.fullmatch(r"bytes=(\d+)-", headers.get("Range", ""))
        self.requests.append((url, int(asked.group(1)) if asked else 0))
        step = self.plan[url].pop(0) if self.plan.get(url) else None
        if isinstance(step, LinkError):
            raise step
        if isinstance(step, int) or url not in self.files:
            status = step if isinstance(step, int) else 404
            yield Answer(status=status, headers={}, chunks=iter(()))
            return
        yield self._file(url, int(asked.group(1)) if asked else 0, headers, step)

    def _file(
        self, url: str, start: int, headers: Mapping[str, str], cut: tuple[int] | None
    ) -> Answer:
        body = self.files[url]
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        partial = start > 0 and headers.get("If-Range", etag) == etag
        if partial and start >= len(body):
            return Answer(status=416, headers={"etag": etag}, chunks=iter(()))
        rest = body[start:] if partial else body
        about = {"etag": etag, "content-length": str(len(rest))}
        if partial:
            about["content-range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        chunks = _cut(rest, cut[0]) if cut else iter((rest,))
        return Answer(status=206 if partial else 200, headers=about, chunks=chunks)


def _cut(body: bytes, after: int) -> Iterator[bytes]:
    yield body[:after]
    raise LinkError("cut", "the line was cut")
