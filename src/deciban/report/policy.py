"""What the page may do: show itself and run its own scripts, word for word, and nothing else."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable


def content_policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """Write the policy that a browser keeps: no request, no style or script but these.

    Even if a text of the data were taken for markup, nothing in it could run or be fetched.
    """
    allowed = {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": _hashes(styles),
        "script-src": _hashes(scripts),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {what}" for name, what in allowed.items())


def _hashes(texts: Iterable[str]) -> str:
    found = [
        f"'sha256-{b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'" for text in texts if text
    ]
    return " ".join(found) or "'none'"
