"""ladle: the shopping list. A plan sent back once, a fork with three ways on, a branch."""

from __future__ import annotations

from archive_maker.copies import branched
from archive_maker.journal import Json, Mark, text
from archive_maker.recipes import LADLE
from archive_maker.recipes_sources import LIST, PLAN, PLAN_2, RETURN
from archive_maker.session import Session
from archive_maker.tools import (
    bash,
    deny,
    edit,
    grep,
    read,
    task_create,
    task_update,
    write,
)


def shopping() -> tuple[Session, Mark]:
    """Return the session and the place from which it is branched."""
    s = Session(
        "ladle-shopping-list",
        LADLE,
        "2.1.231",
        "2026-03-11T18:03:20",
        model="claude-opus-4-8",
        slug="gentle-stirring-saucer",
    )
    cwd = s.project.cwd
    s.files = {
        f"{cwd}/src/scale.ts": "export interface Ingredient {\n  amount: number;\n  unit: string;\n  name: string;\n}\n"
    }
    s.state("mode", mode="normal")
    s.state("permission-mode", permissionMode="plan")
    s.permission = "plan"
    s.prompt(
        "I want a shopping list for a week of recipes. Plan it first, and ask me if something is unclear."
    )
    plan(s)
    s.permission = "acceptEdits"
    carry_out(s)
    s.state("ai-title", aiTitle="Build a shopping list from a week of recipes")
    at_fork = s.mark()
    first = s.next_line
    s.prompt("Sort it by aisle.")
    s.say(
        "Aisles are not in the data. I could keep a small table (flour → baking, milk → dairy), but it would be about my supermarket rather than yours. Do you have such a list?"
    )
    s.rewind(at_fork, "three-way fork, first way: by aisle")
    s.wait(66)
    s.prompt("Sort it by aisle, and let me drag lines so it learns my shop.")
    edit(
        s,
        "src/list.ts",
        RETURN,
        '  const order = JSON.parse(localStorage.getItem("order") ?? "[]") as string[];\n  const place = (line: Line) => (order.indexOf(line.name) + 1 || order.length + 1);\n  return [...lines.values()].sort((a, b) => place(a) - place(b));\n',
    )
    s.say(
        "Lines are now in the order in which you last dragged them; new ones come last. Dragging itself needs a handle on each line, and on a phone that fights with scrolling. I would try it on yours before building more."
    )
    s.rewind(at_fork, "three-way fork, second way: dragging")
    s.wait(420)
    s.prompt("Sort by recipe first, then name. Simple. I read it while cooking anyway.")
    edit(
        s,
        "src/list.ts",
        RETURN,
        '  const first = (line: Line) => line.recipes[0] ?? "";\n  return [...lines.values()].sort(\n    (a, b) => first(a).localeCompare(first(b)) || a.name.localeCompare(b.name),\n  );\n',
    )
    bash(
        s,
        "npx vitest run src/list.test.ts",
        " \u001b[32m✓\u001b[39m src/list.test.ts \u001b[2m(8 tests)\u001b[22m 4ms",
        about="Run the list's tests",
    )
    s.say(
        "Sorted by recipe, then by name; a line that several recipes share stands with the first."
    )
    s.shape("three-way fork", first)
    at_branch = s.mark()
    first = s.next_line
    s.prompt("also let me share it with icloud shar")
    s.rewind(at_branch, "withdrawn: sent too early, no reply")
    s.wait(9)
    s.prompt("also let me share it as a plain link")
    s.shape("withdrawn prompt, retyped", first)
    s.say(
        "The list fits into the address: names and amounts, compressed, are about 600 characters for a week. I'll put it behind `#`, so that it never reaches a server."
    )
    skill(s)
    s.last_prompt("also let me share it as a plain link")
    s.finish("third way on, with the prompt that was retyped")
    return s, at_branch


def plan(s: Session) -> None:
    first = s.next_line
    entered = "Entered plan mode. You should now focus on exploring the codebase and designing an implementation approach."
    s.use("EnterPlanMode", {}, entered, {"message": entered})
    grep(
        s,
        "Ingredient",
        ["src/scale.ts", "src/import.ts", "src/store.ts"],
        mode="files_with_matches",
    )
    s.shape("Grep that lists files", s.next_line - 2)
    read(s, "src/scale.ts")
    ask(s)
    (call,) = s.reply(
        s.call(
            "ExitPlanMode", plan=PLAN, planFilePath=f"/home/ada/.claude/plans/{s.slug}.md"
        )
    )
    deny(
        s,
        call,
        "no IndexedDB and no sync queue. localStorage is fine, it's a shopping list",
    )
    s.shape("plan mode: plan rejected with the person's words", first)
    first = s.next_line
    file = f"/home/ada/.claude/plans/{s.slug}.md"
    words = f"User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\nYour plan has been saved to: {file}\n\n## Approved Plan:\n{PLAN_2}"
    s.use(
        "ExitPlanMode",
        {"plan": PLAN_2, "planFilePath": file},
        words,
        {"plan": PLAN_2, "isAgent": False, "filePath": file},
        text("Fair. Third step replaced:"),
    )
    s.attach("plan_mode_exit", planFilePath=file, planExists=True)
    s.shape("plan accepted", first)


def ask(s: Session) -> None:
    first = s.next_line
    questions = [
        {
            "question": "Two recipes want butter, one in cups and one in grams. What should the list say?",
            "header": "Units",
            "multiSelect": False,
            "options": [
                {
                    "label": "Two lines",
                    "description": "One line for each unit; nothing is converted",
                },
                {"label": "Grams", "description": "Convert by a table of densities"},
            ],
        },
        {
            "question": "Which things do you always have, so that they need not be listed?",
            "header": "Pantry",
            "multiSelect": True,
            "options": [
                {"label": "Salt and pepper", "description": "Never listed"},
                {"label": "Oil", "description": "Never listed"},
                {"label": "None", "description": "List everything"},
            ],
        },
    ]
    answers = {
        str(questions[0]["question"]): "Two lines",
        str(questions[1]["question"]): "Salt and pepper, Oil",
    }
    told = ", ".join(f'"{q}"="{a}"' for q, a in answers.items())
    words = f"Your questions have been answered: {told}. You can now continue with these answers in mind."
    stored: Json = {
        "questions": questions,
        "answers": answers,
        "annotations": {
            str(questions[0]["question"]): {
                "notes": "I'd rather weigh than be told a wrong density"
            }
        },
    }
    s.use("AskUserQuestion", {"questions": questions}, words, stored)
    s.shape("AskUserQuestion, answered", first)


def carry_out(s: Session) -> None:
    first = s.next_line
    task_create(
        s,
        1,
        "Add up amounts",
        "shoppingList() in src/list.ts, with tests",
        text("Starting with the sum."),
    )
    task_create(s, 2, "Show the list", "A button on the week page")
    task_update(s, 1, "pending", "in_progress")
    write(s, "src/list.ts", LIST)
    task_update(s, 1, "in_progress", "completed")
    listed: list[Json] = [
        {"id": "1", "subject": "Add up amounts", "status": "completed", "blockedBy": []},
        {"id": "2", "subject": "Show the list", "status": "pending", "blockedBy": []},
    ]
    s.use(
        "TaskList",
        {},
        "#1 [completed] Add up amounts\n#2 [pending] Show the list",
        {"tasks": listed},
    )
    s.shape("TaskCreate, TaskUpdate, TaskList", first)
    s.say(
        "`shoppingList()` adds up amounts by name and unit and remembers which recipe wants what. Before I build the page: in which order shall the lines be?"
    )
    s.turn_done()


def skill(s: Session) -> None:
    """A skill that the person starts by its command: the reply hangs from its body."""
    s.turn_done()
    first = s.next_line
    s.spend(20, 40)
    s.asked_at = s.clock.now
    s.prompt_id = s.ids.uuid()
    s.snapshot()
    started = "<command-message>release-notes</command-message>\n<command-name>/release-notes</command-name>\n<command-args>since v1.3</command-args>"
    s.shown.append(s.user(started, promptSource="slash", origin={"kind": "human"}))
    s.user(
        [
            text(
                "Base directory for this skill: /home/ada/.claude/skills/release-notes\n\n# Release notes\n\nWrite what changed for a cook, not for a programmer. One line each, effect first.\n\nARGUMENTS: since v1.3"
            )
        ],
        isMeta=True,
    )
    bash(
        s,
        "git log --oneline v1.3..HEAD",
        "a81c0de Sort the shopping list by recipe\n94fe210 Add up a week of recipes\n3fa91c2 Write amounts with the fractions on measuring cups",
        about="List commits since v1.3",
    )
    s.say(
        "**Since 1.3**\n\n- Amounts are written with the fractions on your measuring cups.\n- A week of recipes now makes one shopping list.\n- The list is sorted by recipe."
    )
    s.shape("skill started by its command; the reply hangs from the skill's body", first)
    first = s.next_line
    s.prompt("put them into the changelog, in our usual style")
    call = s.use(
        "Skill",
        {"skill": "changelog", "args": "1.4"},
        "Launching skill: changelog",
        {"success": True, "commandName": "changelog", "allowedTools": ["Edit"]},
    )
    s.user(
        [
            text(
                "Base directory for this skill: /home/ada/code/ladle/.claude/skills/changelog\n\nKeep a Changelog headings; newest first."
            )
        ],
        isMeta=True,
        sourceToolUseID=call.id,
    )
    write(
        s,
        "CHANGELOG.md",
        "# Changelog\n\n## 1.4\n\n### Added\n\n- A week of recipes now makes one shopping list, sorted by recipe.\n\n### Changed\n\n- Amounts are written with the fractions on your measuring cups.\n",
    )
    s.say("Written under 1.4.")
    s.shape("Skill tool with its body", first)


def branch(source: Session, mark: Mark) -> Session:
    s = branched(source, mark, "ladle-shopping-branch", "2026-03-12T08:30:00")
    s.state(
        "custom-title", customTitle="Build a shopping list from a week of recipes (Branch)"
    )
    s.shape("/branch copy: same uuids, forkedFrom on every record", 1)
    s.permission = "acceptEdits"
    s.prompt("Different idea: the list as plain text that I can paste into any messenger.")
    edit(
        s,
        "src/list.ts",
        "/** Add up the ingredients",
        '/** Write the list as plain text, one line each. */\nexport function asText(lines: Line[]): string {\n  return lines.map((line) => `- ${line.amount} ${line.unit} ${line.name}`).join("\\n");\n}\n\n/** Add up the ingredients',
    )
    s.say(
        "`asText()` gives\n\n```text\n- 2 cup flour\n- 3 piece egg\n- 40 g butter\n```\n\nwhich every messenger keeps as it is."
    )
    s.turn_done()
    s.finish("the branch goes its own way")
    return s
