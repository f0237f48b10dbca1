"""HTTP headers of a site: the one place that says what a host should send.

Written as `_headers` into every site (Netlify and Cloudflare Pages read it, `everyleaf
serve` sends it); `netlify.toml` says the same for the example, and a test compares them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from fnmatch import fnmatchcase
from hashlib import sha256

from msgspec import Struct

HEADERS_URL = "_headers"

_POLICY = (
    ("default-src", "'none'"),
    ("style-src", "'self'"),
    ("script-src", "'self'"),
    ("img-src", "'self' data:"),
    ("connect-src", "'self'"),
    ("base-uri", "'none'"),
    ("form-action", "'none'"),
)
_WASM = " 'wasm-unsafe-eval'"
_IMMUTABLE = ("Cache-Control", "public, max-age=31536000, immutable")
_NAMED_BY_CONTENT = ("/pagefind/fragment/*", "/pagefind/index/*", "/pagefind/filter/*")


def content_security_policy(
    *, allows_wasm: bool = False, styles: Iterable[str] = ()
) -> str:
    """Return the policy of a page: no inline code, nothing from another host.

    `allows_wasm` is for the page that searches: Pagefind is WebAssembly. `styles` are
    digests (`sha256-…`) of style that stands inside a page.
    """
    more = {"style-src": "".join(f" '{digest}'" for digest in styles)}
    if allows_wasm:
        more["script-src"] = _WASM
    return "; ".join(f"{name} {value}{more.get(name, '')}" for name, value in _POLICY)


def style_digest(style: str) -> str:
    """Return what a policy calls `style`, to allow it inside a page."""
    digest = b64encode(sha256(style.encode("utf-8")).digest()).decode("ascii")
    return f"sha256-{digest}"


class HeaderRule(Struct, frozen=True):
    """Headers for the addresses that fit `pattern`; all rules that fit an address hold."""

    pattern: str
    """From the root, with `*` at the end for whatever follows."""
    headers: tuple[tuple[str, str], ...]
    """(name, value), in the order to be sent."""


def header_rules(
    *,
    is_public: bool,
    has_search: bool,
    styles: Iterable[str] = (),
    frames: Iterable[str] = (),
) -> tuple[HeaderRule, ...]:
    """Return the headers of a site.

    `frames` are the origins whose pages may show it inside of theirs. The older header for
    that, which browsers obey where they do not know the policy, cannot name them.

    The header's policy is that of the whole site, so it has WebAssembly where there is a
    search; the policy in each page is stricter, and a browser obeys both. What was in a
    transcript and stands under `blobs/` runs nothing, even if it is opened by itself.
    """
    policy = content_security_policy(allows_wasm=has_search, styles=styles)
    framing = " ".join(("'self'", *frames)) if frames else "'none'"
    denied = () if frames else (("X-Frame-Options", "DENY"),)
    robots = () if is_public else (("X-Robots-Tag", "noindex"),)
    everywhere = (
        ("Content-Security-Policy", f"{policy}; frame-ancestors {framing}"),
        ("X-Content-Type-Options", "nosniff"),
        *denied,
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        *robots,
    )
    boxed = ("Content-Security-Policy", "default-src 'none'; sandbox")
    index = tuple(HeaderRule(name, (_IMMUTABLE,)) for name in _NAMED_BY_CONTENT)
    return (
        HeaderRule("/*", everywhere),
        HeaderRule("/assets/*", (_IMMUTABLE,)),
        HeaderRule("/blobs/*", (_IMMUTABLE, boxed)),
        *(index if has_search else ()),
    )


def write_headers(rules: Iterable[HeaderRule]) -> str:
    """Return `rules` in the form of a `_headers` file."""
    blocks = (
        "\n".join([rule.pattern, *(f"  {name}: {value}" for name, value in rule.headers)])
        for rule in rules
    )
    return "\n\n".join(blocks) + "\n"


def parse_headers(text: str) -> tuple[HeaderRule, ...]:
    r"""Return the rules of a `_headers` file; lines that make no sense are left out.

    >>> parse_headers("/*\n  X-A: 1\n")
    (HeaderRule(pattern='/*', headers=(('X-A', '1'),)),)
    """
    rules: list[tuple[str, list[tuple[str, str]]]] = []
    for line in text.splitlines():
        name, colon, value = line.strip().partition(": ")
        if line.startswith("/"):
            rules.append((line.strip(), []))
        elif rules and line.startswith(" ") and colon:
            rules[-1][1].append((name, value))
    return tuple(HeaderRule(pattern, tuple(headers)) for pattern, headers in rules)


def headers_for(rules: Iterable[HeaderRule], address: str) -> dict[str, str]:
    """Return what `rules` send with `address`, by name.

    A name in several rules gets all their values, joined by commas, as hosts do it.
    """
    sent: dict[str, str] = {}
    for rule in rules:
        if fnmatchcase(address, rule.pattern):
            for name, value in rule.headers:
                sent[name] = f"{sent[name]}, {value}" if name in sent else value
    return sent
