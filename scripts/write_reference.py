"""Write the generated pages of the documentation."""

from __future__ import annotations

from pathlib import Path

from config.reference import render_reference

DOCS = Path(__file__).resolve().parent.parent / "docs"


def main() -> None:
    """Write docs/configuration.md."""
    (DOCS / "configuration.md").write_text(render_reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
