"""ladle: a short session with the small things that pass between person and terminal."""

from __future__ import annotations

from archive_maker.journal import text
from archive_maker.recipes import LADLE
from archive_maker.session import Session
from archive_maker.tools import answer_bash, bash_call, edit, glob


def dark_mode() -> Session:
    """A command, a shell line, an IDE selection, and then a prompt."""
    s = Session(
        "ladle-dark-mode",
        LADLE,
        "2.1.17",
        "2026-02-26T21:40:00",
        model="claude-opus-4-5-20251101",
        slug="quiet-simmering-ladle",
    )
    s.files = {
        f"{s.project.cwd}/src/page.css": "body {\n  background: #faf8f3;\n  color: #264653;\n}\n"
    }
    first = s.next_line
    s.command(
        "model",
        "sonnet",
        "Set model to \u001b[1msonnet (claude-sonnet-4-5-20250929)\u001b[22m",
    )
    s.shape("slash command (/model)", first)
    s.model = "claude-sonnet-4-5-20250929"
    first = s.next_line
    s.shell("git status --short", " M src/page.css")
    s.shape("`! shell` input", first)
    first = s.next_line
    s.prompt(
        [
            text(
                "<ide_selection>The user selected the lines 1 to 4 from /home/ada/code/ladle/src/page.css:\nbody {\n  background: #faf8f3;\n  color: #264653;\n}\n\nThis may or may not be related to the current task.</ide_selection>"
            ),
            text("dark mode for this, following the system"),
        ]
    )
    s.shape("IDE selection before a prompt", first)
    glob(s, "src/**/*.css", ["src/page.css"])
    (call,) = s.reply(bash_call(s, "npm run lint:css", "Lint the styles"))
    s.put(
        s.envelope(
            "progress",
            s.tip,
            data={
                "type": "bash_progress",
                "output": "> stylelint src",
                "fullOutput": "> stylelint src",
                "elapsedTimeSeconds": 2,
                "totalLines": 1,
            },
            toolUseID="bash-progress-0",
            parentToolUseID=call.id,
        )
    )
    answer_bash(s, call, "> stylelint src\n\n1 file, no problems")
    edit(
        s,
        "src/page.css",
        "body {\n  background: #faf8f3;\n  color: #264653;\n}\n",
        ":root {\n  color-scheme: light dark;\n}\n\nbody {\n  background: light-dark(#faf8f3, #1d2528);\n  color: light-dark(#264653, #e3ddd0);\n}\n",
        {"type": "thinking", "thinking": "", "signature": s.ids.signature()},
    )
    s.shape("thinking of which only the signature was kept", s.next_line - 3)
    s.say("`light-dark()` follows the system; both pairs have a contrast above 10:1.")
    s.finish("one line")
    return s
