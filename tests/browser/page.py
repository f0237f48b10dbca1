"""A transcript page with every kind of entry, written to a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.forest import Status
from everyleaf.render.entries import Fragment, assign_anchors
from everyleaf.render.html import render_html
from everyleaf.render.view import (
    BodyItem,
    BranchView,
    Fact,
    ForkMark,
    NavLink,
    OutlineItem,
    Seam,
    TranscriptView,
    TurnBlock,
)
from everyleaf.theming.load import load_theme
from everyleaf.transcript.document import (
    AnyEntry,
    Chip,
    Code,
    Compaction,
    Diff,
    DiffLine,
    Hunk,
    Notice,
    NoticeKind,
    Outcome,
    Picture,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Table,
    Thinking,
    ToolCall,
    TurnDocument,
    TurnFacts,
)
from render.drawn import number_prompts

if TYPE_CHECKING:
    from pathlib import Path

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mNQSFgAQQxwFgBAlAbBcOch"
    "UAAAAABJRU5ErkJggg=="
)
WIDE = "a_very_long_word_" * 40
MARKDOWN = f"""Some **bold** text, `code`, [a link](https://example.com/) and {WIDE}.

# A heading

| a | b | c | d | e | f | g | h |
|---|---|--:|:-:|---|---|---|---|
| {"word " * 20} | {WIDE} | 1 | 2 | 3 | 4 | 5 | 6 |

- [x] done
- [ ] to do

```python
def f(x: int) -> str:  # {"a comment that goes on and on " * 6}
    return f"{{x}} and more"
```
"""
DIFF = Diff(
    f"src/{WIDE}.py",
    (Hunk(1, 1, (DiffLine("-", f"x = 1  # {WIDE}"), DiffLine("+", f"x = 2  # {WIDE}"))),),
    1,
    1,
)


def uuid(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def _tool_calls(number: int) -> tuple[AnyEntry, ...]:
    output = "\x1b[31mFAILED\x1b[0m " + "x" * 200
    return (
        ToolCall(
            uuid=uuid(number), also=(uuid(number + 1),), tool_use_id="t1", name="Bash",
            target=f"pytest {WIDE}", outcome=Outcome.ERROR, outcome_text="exit 1",
            duration_ms=1200, answered=(Code(output, is_terminal=True),),
        ),
        ToolCall(
            uuid=uuid(number + 2), also=(uuid(number + 3),), tool_use_id="t2", name="Edit",
            target="a.py", outcome=Outcome.OK, answered=(DIFF, Table((("path", WIDE),))),
        ),
    )  # fmt: skip


def _turn(number: int) -> tuple[AnyEntry, ...]:
    at = f"2026-03-14T09:{number:02}:00Z"
    first = number * 100
    asked = f"Ask number {number}"
    otherwise = Reply(uuid=uuid(first + 8), parts=(Prose("Otherwise."),))
    so_far = (Prose("So far so good."),)
    return (
        Prompt(
            uuid=uuid(first),
            at=at,
            words=asked,
            parts=(Prose(f"{asked}\n{WIDE}", keeps_breaks=True), Chip("File", WIDE)),
        ),
        Thinking(uuid=uuid(first + 1), at=at, text="Let me *think* about it."),
        Thinking(uuid=uuid(first + 2), text=""),
        *_tool_calls(first + 10),
        Reply(uuid=uuid(first + 3), at=at, parts=(Prose(MARKDOWN), Picture(PNG))),
        Notice(uuid=uuid(first + 4), kind=NoticeKind.HOOK, text=f"Hook {WIDE}"),
        Notice(
            uuid=uuid(first + 5), kind=NoticeKind.API_ERROR, text="529", is_trouble=True
        ),
        Compaction(uuid=uuid(first + 6), at=at, facts=("auto",), summary=so_far),
        Rewritten(uuid=uuid(first + 7), where="line 8", entries=(otherwise,)),
    )


def _render(number: int) -> Fragment:
    entries = _turn(number)
    anchors = assign_anchors(uuid(number * 100 + n) for n in range(40))
    return render_html(
        TurnDocument("s1", number, entries, TurnFacts(), ()),
        anchors,
        theme=load_theme("default"),
        agent_url=lambda *_: None,
    )


def _view(turns: list[Fragment]) -> TranscriptView:
    body: list[BodyItem] = []
    outline: list[OutlineItem] = []
    for number, turn in enumerate(turns, start=1):
        html, items = number_prompts(turn, number)
        body.append(TurnBlock(html))
        outline.extend(items)
    branches = (
        BranchView("Go on", "#m-000000c8", Status.ACTIVE, 12, "Path 1", is_followed=True),
        BranchView(f"Go back {WIDE}", "other.html", Status.ABANDONED, 2, "Path 2"),
    )
    seam = Seam("The place was inferred.", "x.html", "There")
    body[1:1] = [ForkMark("fork-1", branches), seam]
    return TranscriptView(
        title=f"A conversation about {WIDE}",
        site_title="An archive",
        root="../",
        crumbs=(NavLink(f"project {WIDE}", "../projects/p.html"),),
        session="s1",
        facts=(Fact("Models", f"model {WIDE}"), Fact("Prompts", "3")),
        outline=tuple(outline),
        body=tuple(body),
        project=NavLink("project", "../projects/p.html"),
        status=Status.ACTIVE,
        reason="named by the last record",
        number=1,
        of=3,
        previous=NavLink("Path 0", "t.html?previous"),
        next=NavLink("Path 2", "t.html?next"),
        compactions=3,
    )


def write_page(site_dir: Path) -> Path:
    """Write the page with its assets below `site_dir` and return its file."""
    theme = load_theme("default")
    turns = [_render(number) for number in (1, 2, 3)]
    files = {output.url: output.body for output in theme.assets()}
    files |= {f"blobs/{blob.name}": blob.body for turn in turns for blob in turn.blobs}
    files["transcripts/t.html"] = "".join(
        theme.pieces("transcript.html.j2", _view(turns))
    ).encode()
    for url, body in files.items():
        (site_dir / url).parent.mkdir(parents=True, exist_ok=True)
        (site_dir / url).write_bytes(body)
    return site_dir / "transcripts" / "t.html"
