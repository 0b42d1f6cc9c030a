"""Where a reader of updates is, kept so that it goes on there after a restart."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol


class Position(Protocol):
    """Keeps the `discovered_at` of the last update that was handled. One in your database, saved in the transaction
    that handles the update, makes even a crash repeat nothing."""

    def load(self) -> str | None:
        """The position, or nothing: then everything that the service keeps is handed over first."""

    def save(self, discovered_at: str) -> None:
        """Called after each update that was handled."""


class FilePosition:
    """A position in a file, which always holds the old one or the new one."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def load(self) -> str | None:
        """What the file holds."""
        try:
            return self._path.read_text().strip() or None
        except FileNotFoundError:
            return None

    def save(self, discovered_at: str) -> None:
        """Writes a file beside it and renames that."""
        beside = self._path.with_name(self._path.name + ".new")
        with open(beside, "w") as file:
            file.write(discovered_at)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path)
