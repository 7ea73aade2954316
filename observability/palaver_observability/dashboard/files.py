"""The pages' own files: found once, typed, tagged by content; nothing else of the disk can be reached."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from aiohttp import ETag, hdrs, web

__all__ = ["STATIC", "Statics"]

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain",
    ".md": "text/plain",
}
TEXTS = frozenset({"text/html", "text/css", "text/javascript", "application/json", "text/plain", "image/svg+xml"})


@dataclass(frozen=True, slots=True)
class _File:
    stamp: tuple[int, int]
    data: bytes
    etag: str


class Statics:
    """Files below a folder. A file that has changed since is read again: whoever edits a page reloads it.

    Args:
        folder: where they are.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._names = frozenset(
            file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.suffix in TYPES and file.is_file()
        )
        self._files: dict[str, _File] = {}

    def answer(self, request: web.Request, name: str) -> web.Response:
        """Answer with a file: 304 to whoever has it already.

        Raises:
            HTTPNotFound: there is none of this name. Only names that were found in the folder are looked at.
        """
        if name not in self._names:
            raise web.HTTPNotFound
        file = self._read(name)
        tag = ETag(file.etag)
        headers = {hdrs.CACHE_CONTROL: "no-cache"}
        if request.if_none_match and any(each.value in (tag.value, "*") for each in request.if_none_match):
            response = web.Response(status=304, headers=headers)
        else:
            kind = TYPES[Path(name).suffix]
            charset = "utf-8" if kind in TEXTS else None
            response = web.Response(body=file.data, content_type=kind, charset=charset, headers=headers)
        response.etag = tag
        return response

    def _read(self, name: str) -> _File:
        path = self._folder / name
        try:
            found = path.stat()
            stamp = (found.st_mtime_ns, found.st_size)
            known = self._files.get(name)
            if known is None or known.stamp != stamp:
                data = path.read_bytes()
                known = self._files[name] = _File(stamp, data, hashlib.sha256(data).hexdigest()[:20])
        except OSError as error:
            raise web.HTTPNotFound from error
        return known
