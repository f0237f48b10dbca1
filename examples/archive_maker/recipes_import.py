"""ladle: import from web pages. Research, steering, a hook that blocks, an automatic compaction."""

from __future__ import annotations

from archive_maker.journal import text
from archive_maker.recipes import LADLE
from archive_maker.session import Session
from archive_maker.tools import bash, bash_call, edit, task_create, task_update, write

PARSE = """/** Find the recipe in a page's JSON-LD, however deep it stands. */
export function findRecipe(node: unknown): Recipe | undefined {
  if (Array.isArray(node)) return first(node.map(findRecipe));
  if (typeof node !== "object" || node === null) return undefined;
  if (isRecipe(node)) return node;
  return "@graph" in node ? findRecipe(node["@graph"]) : undefined;
}

function first<T>(found: (T | undefined)[]): T | undefined {
  return found.find((one) => one !== undefined);
}
"""

SUMMARY = """Summary:
1. Primary request: import recipes from web pages into ladle, offline once imported.
2. Findings: most recipe pages carry schema.org/Recipe as JSON-LD, often inside `@graph`; amounts are
   free text in `recipeIngredient`.
3. Files: src/jsonld.ts (`findRecipe`), src/jsonld.test.ts.
4. Constraints from the person: no server, no tracking, no fetch from the page itself (CORS): a
   bookmarklet sends the JSON-LD to ladle. Never run `npm install` without asking.
5. Next step: parse amounts such as "1 1/2 cups (180 g) flour"."""


def importing() -> Session:
    s = Session(
        "ladle-import",
        LADLE,
        "2.1.231",
        "2026-03-18T19:45:30",
        model="claude-opus-4-8",
        slug="curious-rising-crumpet",
    )
    s.prompt(
        "Can ladle take a recipe from any recipe site? No server on our side please. Look around first, I'd guess there is a standard."
    )
    research(s)
    task_create(
        s, 1, "Find the recipe in JSON-LD", "src/jsonld.ts with tests on three saved pages"
    )
    task_create(s, 2, "Parse amounts", '"1 1/2 cups (180 g) flour" and friends')
    task_update(s, 1, "pending", "in_progress")
    write(s, "src/jsonld.ts", PARSE)
    steering(s)
    blocked(s)
    s.say(
        "`findRecipe()` copes with arrays and `@graph`, and the bookmarklet idea removes the CORS problem: it runs in the recipe's own page and hands ladle the JSON-LD only."
    )
    s.turn_done()
    kept_first = s.prompt(
        "good. amounts next, they are a mess: '1 1/2 cups (180 g) flour, sifted'"
    )
    s.say(
        "Amount, unit, an optional weight in brackets, name, and a remark after the comma. I would keep the weight when there is one, since it needs no conversion:\n\n```ts\nconst LINE = /^(?<amount>[\\d\\s/½⅓¼]+)\\s*(?<unit>\\p{L}+)?\\s*(?:\\((?<weight>\\d+ g)\\))?\\s*(?<name>[^,]+)(?:,\\s*(?<remark>.*))?$/u;\n```\n\nShall I write it with tests from the three saved pages?"
    )
    kept = [kept_first, s.shown[-1]]
    first = s.next_line
    s.compact(SUMMARY, trigger="auto", kept=kept)
    s.attach(
        "compact_file_reference",
        filename=f"{s.project.cwd}/src/jsonld.ts",
        displayPath="src/jsonld.ts",
    )
    s.attach(
        "task_status",
        taskId="2",
        taskType="task",
        status="pending",
        description="Parse amounts",
        deltaSummary=None,
    )
    # After a resume the next prompt hangs from the last kept message, which stands before the boundary.
    s.tip = kept[-1]
    s.wait(39_000)
    s.prompt("yes, with the weight first. back after lunch")
    s.shape(
        "automatic compaction; after a resume the next prompt hangs from a kept record",
        first,
    )
    task_update(s, 2, "pending", "in_progress")
    write(
        s,
        "src/amount.ts",
        "const LINE =\n  /^(?<amount>[\\d\\s/½⅓¼]+)\\s*(?<unit>\\p{L}+)?\\s*(?:\\((?<weight>\\d+ g)\\))?\\s*(?<name>[^,]+)(?:,\\s*(?<remark>.*))?$/u;\n\n/** Take an ingredient line apart; undefined if it is prose. */\nexport function parseLine(line: string): Record<string, string> | undefined {\n  return LINE.exec(line)?.groups;\n}\n",
    )
    bash(
        s,
        "npx vitest run src/amount.test.ts",
        " \u001b[31m✗\u001b[39m src/amount.test.ts \u001b[2m(24 tests | 1 failed)\u001b[22m 9ms\n   \u001b[31m→ '½ cup milk': expected '½', got undefined\u001b[39m",
        about="Run the new tests",
        code=1,
    )
    edit(
        s,
        "src/amount.ts",
        "[\\d\\s/½⅓¼]+",
        "[\\d\\s/½⅓⅔¼¾]+",
        text(
            "`½` failed in the test's own file: it was saved as NFD. Normalising is the caller's job; two more fractions belong in the class, though."
        ),
    )
    bash(
        s,
        "npx vitest run",
        " Test Files  4 passed (4)\n      Tests  34 passed (34)",
        about="Run all tests",
    )
    task_update(s, 2, "in_progress", "completed")
    s.say(
        "34 tests pass. Lines that do not parse are kept as they are, so nothing is lost on import."
    )
    s.system(
        "away_summary",
        content="We were importing recipes from web pages: `findRecipe` and `parseLine` are done and tested, the bookmarklet is next. (disable recaps in /config)",
        isMeta=False,
    )
    s.shape("recap (away_summary)", s.next_line - 1)
    s.state("custom-title", customTitle="Import recipes from any site")
    s.state("agent-name", agentName="import-recipes")
    s.shape("custom-title and agent-name", s.next_line - 2)
    s.last_prompt("yes, with the weight first. back after lunch")
    s.finish("one line through an automatic compaction")
    return s


def research(s: Session) -> None:
    first = s.next_line
    links = [
        {
            "title": "Recipe - a schema for recipes on web pages",
            "url": "https://schema.example.org/Recipe",
        },
        {
            "title": "Structured data for cooks & programmers",
            "url": "https://kitchen.example.com/structured-data?from=search&page=2",
        },
        {
            "title": "How much is a cup? 12 countries compared",
            "url": "https://kitchen.example.com/cups",
        },
    ]
    query = "recipe web page structured data JSON-LD schema ingredients"
    found = (
        f"The common format is schema.org/Recipe as JSON-LD; {len(links)} sources agree."
    )
    shown = ",".join(
        f'{{"title":"{link["title"]}","url":"{link["url"]}"}}' for link in links
    )
    words = f'Web search results for query: "{query}"\n\nLinks: [{shown}]\n\n{found}\n\nREMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.'
    stored = {
        "query": query,
        "results": [
            {"tool_use_id": "srvtoolu_01" + s.ids.hexes(22), "content": links},
            found,
        ],
        "durationSeconds": 6.42,
        "searchCount": 1,
    }
    s.use(
        "WebSearch",
        {"query": query},
        words,
        stored,
        s.thought(
            "I should check rather than guess: is JSON-LD really as common as I think, and are amounts structured or free text?"
        ),
    )
    page = '# Recipe\n\nThe page says:\n\n- `recipeIngredient` is **a list of strings**, one for each line.\n- `recipeYield` is text, e.g. "4 servings".\n- There is no structured amount in the core schema.'
    s.use(
        "WebFetch",
        {"url": "https://schema.example.org/Recipe", "prompt": "Are amounts structured?"},
        page,
        {
            "bytes": 48211,
            "code": 200,
            "codeText": "OK",
            "result": page,
            "durationMs": 1804,
            "url": "https://schema.example.org/Recipe",
        },
    )
    s.shape("WebSearch with links, WebFetch", first)
    first = s.next_line
    s.use(
        "WebFetch",
        {"url": "https://kitchen.example.com/cups", "prompt": "How large is a cup?"},
        "Request failed with status code 403",
        "Error: Request failed with status code 403",
        is_error=True,
    )
    s.shape("tool error", first)
    s.say(
        "There is a standard: [schema.org/Recipe](https://schema.example.org/Recipe) as JSON-LD. Amounts are free text in it, so that part needs a parser.\n\nSources: [Recipe](https://schema.example.org/Recipe), [Structured data for cooks](https://kitchen.example.com/structured-data)"
    )


def steering(s: Session) -> None:
    """The person types while the model works; one more message is never delivered."""
    first = s.next_line
    (call,) = s.reply(
        text("Now the tests, on three saved pages."),
        bash_call(s, "npx vitest run src/jsonld.test.ts", "Run the tests"),
    )
    s.wait(4)
    s.result(
        call,
        " \u001b[32m✓\u001b[39m src/jsonld.test.ts (3 tests) 6ms",
        {
            "stdout": " \u001b[32m✓\u001b[39m src/jsonld.test.ts (3 tests) 6ms",
            "stderr": "",
            "interrupted": False,
            "isImage": False,
        },
    )
    s.steer("please use a bookmarklet, a fetch from our page will hit CORS")
    edit(
        s,
        "src/jsonld.ts",
        "/** Find the recipe in a page's JSON-LD",
        "/** Find the recipe in the JSON-LD that the bookmarklet sent",
        text(
            "A bookmarklet it is: it runs in the recipe's own page, so there is nothing to fetch."
        ),
    )
    s.state(
        "queue-operation",
        operation="enqueue",
        timestamp=s.stamp(),
        content="and remind me to buy vanilla",
    )
    s.state(
        "queue-operation",
        operation="popAll",
        timestamp=s.stamp(),
        content="and remind me to buy vanilla",
    )
    s.shape("steering while the model works, and a queued message taken back", first)


def blocked(s: Session) -> None:
    first = s.next_line
    (call,) = s.reply(
        bash_call(
            s, "npm install bookmarklet-builder", "Install a bundler for the bookmarklet"
        )
    )
    reason = "[~/.claude/hooks/no-install.sh]: new dependencies need a word with Ada first"
    s.result(
        call,
        f"PreToolUse:Bash hook error: {reason}",
        f"Error: PreToolUse:Bash hook error: {reason}",
        is_error=True,
        toolDenialKind="hook",
    )
    s.attach(
        "hook_blocking_error",
        hookName="PreToolUse:Bash",
        toolUseID=call.id,
        hookEvent="PreToolUse",
        blockingError={"blockingError": reason, "command": "~/.claude/hooks/no-install.sh"},
    )
    s.attach(
        "hook_success",
        hookName="PostToolUse:Bash",
        toolUseID=call.id,
        hookEvent="PostToolUse",
        content="",
        stdout="",
        stderr="",
        exitCode=0,
        command="~/.claude/hooks/notify.sh",
        durationMs=12,
    )
    s.shape("a hook that blocks, and hook_success", first)
    task_update(
        s,
        1,
        "in_progress",
        "completed",
        text("No new dependency then; twenty lines by hand will do."),
    )
