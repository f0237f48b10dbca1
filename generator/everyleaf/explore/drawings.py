r"""The tree of a session for other programs: Mermaid, Graphviz, SVG.

What was said goes into labels only, and there as characters: `"`, `\`, `<` and their like
are written in each language's own escapes, so that no words end a label or become markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from everyleaf.errors import SourceError
from everyleaf.graph.forest import Status
from everyleaf.pages.treeview import draw_tree
from everyleaf.pages.wording import shortened
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.explore.branching import RunNode, SessionTree
    from everyleaf.pages.treeview import MarkView, TreeView

WORDS = 60
"""Characters of a label."""

_PLAIN = re.compile(r"[^\w .,:()·…-]")
_SVG = "http://www.w3.org/2000/svg"
_STYLE = """
:root { color-scheme: light dark; --ink: #1c1b19; --dim: #66615a; --back: #fff;
  --active: #1b6e3c; --left: #a14a13; }
@media (prefers-color-scheme: dark) { :root { --ink: #eae6df; --dim: #a39c92;
  --back: #1b1a18; --active: #63c08a; --left: #e0925a; } }
svg { background: var(--back); }
text { font: 15px system-ui, sans-serif; fill: var(--ink); }
.meta { font-size: 13px; fill: var(--dim); }
path { fill: none; stroke-width: 2; stroke: var(--active); }
path.abandoned { stroke: var(--left); stroke-dasharray: 4 3; }
circle { fill: var(--active); }
circle.abandoned { fill: var(--left); }
.mark { fill: var(--back); stroke: var(--ink); stroke-width: 1.5; }
.mark.agent { fill: var(--dim); stroke: none; }
"""


def to_mermaid(tree: SessionTree) -> str:
    """Return the tree as a Mermaid flowchart."""
    lines = ["flowchart TD"]
    for node in tree.nodes:
        words, meta = (_mermaid_text(text) for text in (_words(node), run_facts(node)))
        status = node.run.status.lower()
        lines.append(f'  r{node.run.number}["{words}<br/>{meta}"]:::{status}')
    for node in tree.nodes:
        if node.run.parent:
            is_left = node.run.status is Status.ABANDONED
            arrow = "-.->" if is_left else "-->"
            lines.append(f"  r{node.run.parent} {arrow} r{node.run.number}")
    lines.append("  classDef active stroke-width:2px")
    lines.append("  classDef abandoned stroke-dasharray:4 3")
    return "\n".join(lines) + "\n"


def to_dot(tree: SessionTree) -> str:
    """Return the tree as a Graphviz digraph."""
    lines = [
        f'digraph "{_dot_text(tree.session.session)}" {{',
        '  node [shape=box, style=rounded, fontname="sans-serif"];',
    ]
    for node in tree.nodes:
        label = f"{_dot_text(_words(node))}\\n{_dot_text(run_facts(node))}"
        style = _dot_style(node, "rounded,dashed")
        lines.append(f'  r{node.run.number} [label="{label}"{style}];')
    for node in tree.nodes:
        if node.run.parent:
            style = _dot_style(node, "dashed").removeprefix(", ")
            lines.append(
                f"  r{node.run.parent} -> r{node.run.number}{f' [{style}]' * bool(style)};"
            )
    return "\n".join([*lines, "}"]) + "\n"


def to_svg(tree: SessionTree) -> str:
    """Return the picture of the session's page as a file of its own.

    It has its own style, light and dark, and links nowhere.

    Raises:
        SourceError: no path of the session has a turn.
    """
    view = draw_tree(tree.runs, tree.paths, {path.number: "" for path in tree.paths})
    if view is None:
        raise SourceError(f"there is nothing to draw of {tree.session.session!r}")
    size = {"width": str(view.width), "height": str(view.height)}
    root = ET.Element("svg", size | {"xmlns": _SVG, "role": "img"})
    root.set("viewBox", f"0 0 {view.width} {view.height}")
    title = shortened(tree.session.title, WORDS) or "Untitled"
    ET.SubElement(root, "title").text = f"{title}: tree of its paths"
    ET.SubElement(root, "desc").text = view.key
    ET.SubElement(root, "style").text = _STYLE
    for shape in _shapes(view):
        root.append(shape)
    return ET.tostring(root, encoding="unicode") + "\n"


def _shapes(view: TreeView) -> Iterator[ET.Element]:
    for stroke in view.strokes:
        yield ET.Element("path", {"class": stroke.kind.lower(), "d": stroke.d})
    for node in view.nodes:
        group = ET.Element("g")
        ET.SubElement(group, "title").text = node.title
        place = {"cx": str(node.x), "cy": str(node.y), "r": "5.5" if node.is_last else "4"}
        ET.SubElement(group, "circle", place | {"class": node.status.lower()})
        for text, x, y, kind in (
            (node.words, node.label_x, node.y + 5, "words"),
            (node.meta, node.meta_x, node.y + 23, "meta"),
        ):
            at = {"x": str(x), "y": str(y), "class": kind}
            ET.SubElement(group, "text", at).text = text
        yield group
    yield from map(_mark, view.marks)


def _mark(mark: MarkView) -> ET.Element:
    kind = {"class": f"mark {mark.kind}"}
    if mark.kind == "elsewhere":
        return ET.Element(
            "circle", kind | {"cx": str(mark.x), "cy": str(mark.y), "r": "8.5"}
        )
    if mark.kind == "compaction":
        return ET.Element("path", kind | {"d": f"M{mark.x - 6} {mark.y - 2}h12m-12 4h12"})
    left, up = (
        (mark.x, mark.y - 4) if mark.kind == "agent" else (mark.x - 3.5, mark.y - 3.5)
    )
    square = kind | {"x": str(left), "y": str(up), "width": "7", "height": "7"}
    if mark.kind == "fork":
        square["transform"] = f"rotate(45 {mark.x} {mark.y})"
    return ET.Element("rect", square)


def run_facts(node: RunNode) -> str:
    """Return in one line which path a run is on, and what it adds up to."""
    run = node.run
    facts = (
        f"path {run.path} {run.status}",
        count_of(run.messages, "message"),
        count_of(run.prompts, "prompt") if run.prompts > 1 else "",
        count_of(run.compactions, "compaction") if run.compactions else "",
        count_of(len(node.agents), "agent") if node.agents else "",
        f"from session {shortened(run.origin, 8)}" if run.origin else "",
    )
    return " · ".join(filter(None, facts))


def _words(node: RunNode) -> str:
    return shortened(node.run.words, WORDS) or "(no words)"


def _mermaid_text(text: str) -> str:
    """Return `text` for a quoted label: what is no letter, digit or dot as a number."""
    return _PLAIN.sub(lambda found: f"#{ord(found[0])};", text)


def _dot_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _dot_style(node: RunNode, style: str) -> str:
    return f', style="{style}"' if node.run.status is Status.ABANDONED else ""
