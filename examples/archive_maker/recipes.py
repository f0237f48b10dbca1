"""ladle: a web app that scales recipes. Two attempts at one file, and what became of each."""

from __future__ import annotations

from archive_maker.journal import Project, image, text
from archive_maker.pictures import screenshot
from archive_maker.recipes_sources import (
    CLAUDE_MD,
    CUPS,
    OLD_FORMAT,
    PASSED,
    RATIONAL,
    SCALE,
    SCALE_TEST,
    TYPE_ERRORS,
)
from archive_maker.session import Session
from archive_maker.tools import (
    answer_edit,
    answer_glob,
    answer_grep,
    answer_read,
    bash,
    edit,
    edit_call,
    read,
    write,
)

LADLE = Project("ladle")


def fractions() -> Session:
    """The showcase: one prompt at the fork, two designs, one file that ends differently."""
    s = Session(
        "ladle-fractions",
        LADLE,
        "2.1.136",
        "2026-03-04T20:11:05",
        branch="fractions",
        slug="warm-folding-whisk",
    )
    cwd = s.project.cwd
    s.files = {f"{cwd}/src/scale.ts": SCALE, f"{cwd}/src/scale.test.ts": SCALE_TEST}
    page = screenshot(
        320,
        200,
        [
            (0, 0, 320, 28, (88, 129, 87)),
            (16, 44, 180, 56, (52, 78, 65)),
            (16, 70, 300, 78, (200, 196, 184)),
            (16, 90, 260, 98, (193, 60, 50)),
            (16, 110, 280, 118, (200, 196, 184)),
            (16, 150, 120, 180, (88, 129, 87)),
        ],
    )
    s.state("permission-mode", permissionMode="acceptEdits")
    s.permission = "acceptEdits"
    s.prompt(
        [
            text(
                "<ide_opened_file>The user opened the file /home/ada/code/ladle/src/scale.ts in the IDE. This may or may not be related to the current task.</ide_opened_file>"
            ),
            text(
                "When I scale pancakes for 4 down to 3, the page says `0.6666666666666666 cups` (red line in [Image #1]). Nobody has a cup for that. Find out where it comes from before you change anything. House rules are in @CLAUDE.md"
            ),
            image(page),
        ],
        imagePasteIds=[1],
    )
    attached = {
        "filePath": f"{cwd}/CLAUDE.md",
        "content": CLAUDE_MD,
        "numLines": 5,
        "startLine": 1,
        "totalLines": 5,
    }
    s.attach(
        "file",
        filename=f"{cwd}/CLAUDE.md",
        content={"type": "text", "file": attached},
        displayPath="CLAUDE.md",
    )
    s.shape("file attached with @", s.next_line - 1)
    survey(s)
    s.say(
        "The number is right and the writing is wrong: `format()` in `src/scale.ts:14` is `amount.toString()`. "
        "Two ways to mend it:\n\n"
        "1. **Exact amounts.** Store a fraction instead of a float. Nothing is ever rounded, but every place that "
        "adds or stores amounts has to change.\n"
        "2. **Round when writing.** Keep floats and write the nearest measuring-cup fraction.\n\n"
        "Which one?"
    )
    s.state("ai-title", aiTitle="Write scaled amounts as cup fractions")
    s.turn_done()
    before = s.mark()
    exact(s)
    s.rewind(before, "first attempt: exact fractions, tests left red")
    s.wait(610)
    rounded(s)
    s.finish("second attempt: round when writing, committed")
    return s


def survey(s: Session) -> None:
    first = s.next_line
    calls = s.reply(
        s.thought(
            "0.666… is 2/3 as a float. It is probably only formatting, but let me see who uses format() and whether amounts are summed as floats too."
        ),
        text("Let me see where amounts are computed and where they are written."),
        s.call("Read", file_path=f"{s.project.cwd}/src/scale.ts"),
        s.call(
            "Grep",
            pattern="format\\(|\\.amount",
            output_mode="content",
            glob="*.ts",
            **{"-n": True},
        ),
        s.call("Glob", pattern="src/**/*.test.ts"),
    )
    answer_glob(s, calls[2], ["src/scale.test.ts", "src/list.test.ts"])
    answer_read(s, calls[0])
    answer_grep(
        s,
        calls[1],
        [
            "src/scale.ts:9:  return { ...item, amount: (item.amount * to) / from };",
            "src/import.ts:41:    amount: parseAmount(cells[0]),",
            "src/list.ts:18:  total.amount = total.amount + item.amount;",
            "src/page.ts:52:  cell.textContent = `${format(item.amount)} ${item.unit}`;",
        ],
    )
    s.shape("parallel calls whose results were written in another order", first)


def exact(s: Session) -> None:
    """The first attempt replaces the whole file, then fails in three others."""
    first = s.next_line
    s.prompt("Exact amounts please, I don't like rounding.")
    write(
        s,
        "src/scale.ts",
        RATIONAL,
        text(
            "Then amounts become a small `Rational` class; only `toString` knows how cooks write."
        ),
    )
    bash(s, "npx tsc --noEmit --pretty", TYPE_ERRORS, about="Type check", code=2)
    read(s, "src/scale.test.ts")
    edit(
        s,
        "src/scale.test.ts",
        'const flour = { amount: 1, unit: "cup", name: "flour" };\n',
        'const flour = { amount: new Rational(1), unit: "cup", name: "flour" };\n',
        text(
            "As expected, three more files add or store amounts. The test first, then those:"
        ),
    )
    (call,) = s.reply(
        edit_call(
            s,
            "src/scale.ts",
            "    const divisor = gcd(top, bottom);\n",
            '    if (bottom === 0) throw new RangeError("no servings");\n    const divisor = gcd(top, bottom);\n',
        )
    )
    answer_edit(s, call)
    s.say(
        "`Rational` is in place and exact. Still open: `import.ts`, `list.ts` and `store.ts` do not compile, and saved "
        "recipes hold plain numbers, so the store needs a migration:\n\n"
        '```ts\nconst amount = typeof saved === "number" ? Rational.from(saved) : new Rational(...saved);\n```\n\n'
        "That is four more files for what was a display bug. Shall I go on?"
    )
    s.turn_done()
    s.shape("first attempt at src/scale.ts", first)


def rounded(s: Session) -> None:
    """The second attempt changes one function and is committed."""
    first = s.next_line
    s.prompt(
        "On second thought: round when writing. Only fractions that are on my measuring cups, and tests for them."
    )
    s.shape("fork: both sides edit src/scale.ts and src/scale.test.ts", first)
    first = s.next_line
    edit(
        s,
        "src/scale.ts",
        "/** Write an amount the way a cook would. */\n" + OLD_FORMAT,
        CUPS,
        text(
            "One function, then. A tolerance of 0.02 tells a third from a quarter and forgives a float."
        ),
    )
    edit(
        s,
        "src/scale.test.ts",
        'expect(format(scale(flour, 3, 1).amount)).toBe("1/3");\n});\n',
        'expect(format(scale(flour, 3, 1).amount)).toBe("1/3");\n});\n\n'
        'test("two thirds of a cup is on the cup", () => {\n  expect(format(scale(flour, 3, 2).amount)).toBe("2/3");\n});\n\n'
        'test("a fifth is on no cup", () => {\n  expect(format(0.2)).toBe("0.2");\n});\n',
    )
    bash(s, "npx vitest run --reporter=default", PASSED, about="Run the tests")
    s.shape("ANSI colours in Bash output", first)
    first = s.next_line
    bash(
        s,
        "git add src && git commit -q -m 'Write amounts with the fractions on measuring cups' && git push -q && gh pr create --fill",
        "https://git.example.com/ada/ladle/pull/12",
        text("All ten pass. Committing and opening the pull request."),
        about="Commit, push and open a pull request",
        gitOperation={
            "commit": {"sha": "3fa91c2", "kind": "committed", "branch": "fractions"},
            "push": {"branch": "fractions"},
            "pr": {
                "number": 12,
                "url": "https://git.example.com/ada/ladle/pull/12",
                "action": "created",
            },
        },
    )
    s.state(
        "pr-link",
        prNumber=12,
        prUrl="https://git.example.com/ada/ladle/pull/12",
        prRepository="ada/ladle",
        timestamp=s.stamp(),
    )
    s.shape("git commit, push and pull request (gitOperation, pr-link)", first)
    s.say(
        "Amounts are written with the fractions on your cups and with one decimal otherwise:\n\n"
        "| amount | before | now |\n|---:|---|---|\n| 2/3 | 0.6666666666666666 | 2/3 |\n| 1.5 | 1.5 | 1 1/2 |\n| 0.2 | 0.2 | 0.2 |\n\n"
        "- [x] `format()` rounds when writing\n- [x] tests for thirds and fifths\n- [ ] tablespoons: 1/3 cup is 5 tbsp + 1 tsp, if you ever want that\n\n"
        "Pull request: <https://git.example.com/ada/ladle/pull/12>"
    )
    s.turn_done()
    s.last_prompt(
        "On second thought: round when writing. Only fractions that are on my measuring cups, and tests for them."
    )
