"""`list`, `tree`, `find` and `show`: on the example, on damage, in narrow terminals."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from everyleaf.cli.command import everyleaf, run
from everyleaf.cli.list import short_names
from sessions import FORKED, call, prompt, reply, result, uuid, write_records

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/archive"
SHOPPING = "79ed1050"
FRACTIONS = "66e54b32"
GREENHOUSE = "2abbdf99"


@pytest.fixture
def ask(capsys, monkeypatch):
    """Run a command in this process; return its exit code, stdout and stderr."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def run_command(*arguments, columns=None):
        if columns:
            monkeypatch.setenv("COLUMNS", str(columns))
        code = run(everyleaf, [str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run_command


@pytest.fixture
def on_example(ask):
    """Run a command on the example; nothing is looked for that would be masked."""

    def run_command(name, *arguments, columns=None):
        sources = (EXAMPLE,) if name == "list" else ("--source", EXAMPLE)
        return ask(name, *arguments, *sources, "-q", "--no-redact", columns=columns)

    return run_command


def write(folder, records, name="5f0c1d2e-7777-4000-8000-000000000000"):
    write_records(folder / "projects" / "-home-me-parser" / f"{name}.jsonl", records)
    return folder


def test_list_shows_no_marks_where_only_words_were_struck_out(ask, tmp_path):
    write(tmp_path, [prompt("p1", None, "Drop ~~two~~ parts"), reply("r1", "p1", "Ok")])

    assert "  Drop two parts  " in ask("list", tmp_path, "-q")[1]


def test_list_shows_titles_as_plain_words_and_json_as_they_are(ask, tmp_path):
    write(tmp_path, [prompt("p1", None, "Fix **three** `times`"), reply("r1", "p1", "Ok")])

    assert "  Fix three times  " in ask("list", tmp_path, "-q")[1]
    assert "Fix three times\n" in ask("list", tmp_path, "-q", columns=40)[1]
    row = json.loads(ask("list", tmp_path, "-q", "--json")[1])
    assert row["title"] == "Fix **three** `times`"


def test_titles_and_what_was_asked_stand_as_plain_words_everywhere(ask, tmp_path):
    asked = "> Fix **three** `times` in [this](a.py)"
    edit = call("c1", "r1", "Write", file_path="/home/ada/parser/a.py", content="x\n")
    told = [prompt("p1", None, asked), reply("r1", "p1", "# Sure"), edit]
    write(tmp_path, [*told, result("t1", "c1", "File created successfully")])
    named = ("5f0c", "--source", tmp_path, "-q")

    said = [
        ask("list", tmp_path, "-q")[1],
        ask("files", tmp_path, "-q")[1],
        ask("find", "sure", *named[1:])[1],
        ask("tree", *named)[1],
        ask("agents", *named)[1],
        ask("feedback", tmp_path, "-q")[1].partition("###")[0],
        "".join(ask("show", *named, "--format", "text")[1].partition("Session")[:2]),
    ]

    for shown in said:
        assert "Fix three times in this" in shown
        assert not re.search(r"[>*`\[]", shown)


def test_list_shows_each_session_once_newest_first(on_example):
    code, out, err = on_example("list", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    listed = on_example("list", "--warmup", "--json")[1].splitlines()

    assert code == 0
    assert [row["ended"] for row in rows] == sorted(
        (r["ended"] for r in rows), reverse=True
    )
    assert len({row["session"] for row in rows}) == len(rows)
    assert len(listed) == len(rows) + 1
    assert err == ""


def test_list_counts_as_the_published_facts_do(on_example, ask, tmp_path):
    site = tmp_path / "site"
    ask("build", EXAMPLE, "--out", site, "--no-redact", "-q")
    rows = map(json.loads, on_example("list", "--warmup", "--json")[1].splitlines())

    for row in rows:
        facts = json.loads((site / f"data/{row['session']}.json").read_text())
        paths = facts["paths"]
        active = [path for path in paths if path["status"] == "ACTIVE"]
        assert row["title"] == facts["title"]
        assert row["paths"] == len(paths)
        assert row["abandoned"] == len(paths) - len(active)
        assert row["agents"] == len(facts["agents"])
        if paths:
            assert row["ended"] == facts["ended"]
            assert row["prompts"] == (active or paths)[-1]["prompts"]
        is_one_file = all(run["origin"] == "" for run in facts["runs"])
        if len(paths) == 1 and is_one_file and not row["agents"]:
            assert row["usage"] == paths[0]["usage"]


def test_list_filters_and_says_so_with_its_exit_code(on_example):
    def sessions(*options):
        code, out, _ = on_example("list", "--json", *options)
        return code, {json.loads(line)["session"][:8] for line in out.splitlines()}

    assert sessions("--title", "SHOPPING LIST", "--status", "abandoned") == (0, {SHOPPING})
    assert sessions("--project", "lad*", "--since", "2026-03-15") == (0, {"1cb8ba1e"})
    assert sessions("--until", "2026-02-03", "--utc")[1] == {"38e72ac9"}
    assert sessions("--model", "no-such-model") == (1, set())
    assert sessions("--since", "soon")[0] == 2


def test_list_sorts_and_turns_round(on_example):
    def column(key, *options):
        out = on_example("list", "--json", *options)[1]
        return [json.loads(line)[key] for line in out.splitlines()]

    assert column("paths", "--sort", "paths")[:2] == [4, 2]
    titles = column("title", "--sort", "title")
    assert titles == sorted(titles, key=str.casefold)
    assert column("title", "--sort", "title", "--reverse") == titles[::-1]


def test_list_groups_by_age_as_seen_from_now(on_example, monkeypatch):
    monkeypatch.setattr(
        "everyleaf.cli.options.time.time", lambda: 1775174400.0
    )  # 2026-04-03

    out = on_example("list", "--utc")[1]

    heads = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert heads == ["Yesterday", "Past month", "Older"]


@pytest.mark.parametrize("columns", [40, 60, 120])
@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["tree", SHOPPING],
        ["tree", GREENHOUSE],
        ["find", "the"],
        ["find", "--regex", r"\w{20,}"],
    ],
)
def test_no_line_is_wider_than_the_terminal(on_example, arguments, columns):
    code, out, _ = on_example(*arguments, columns=columns)

    assert code == 0
    assert max(map(cell_len, out.splitlines())) <= columns
    assert "\x1b" not in out


def test_wide_characters_count_twice_and_escapes_do_not_drive_the_terminal(ask, tmp_path):
    text = "日本語のパーサーを書いてください。" * 4 + "\x1b[31m\u202e"
    write(tmp_path, [prompt("p1", None, text), reply("r1", "p1", "はい" * 40)])
    options = ("-q", "--no-redact")

    outs = [
        ask("list", tmp_path, *options, columns=40),
        ask("tree", "5f0c", "--source", tmp_path, *options),
        ask("find", "はい", "--source", tmp_path, *options),
    ]

    for code, out, _ in outs:
        assert code == 0
        assert max(map(cell_len, out.splitlines())) <= 40
        assert not re.search("[\x1b\u202e]", out)


def test_tree_draws_what_was_left_before_what_stayed(on_example):
    out = on_example("tree", SHOPPING)[1].splitlines()

    assert out[1] == "79ed1050 · ladle · 4 paths · 3 abandoned"
    marks = [line[:3].rstrip() for line in out if re.match(r"(├─)?[●○]", line)]
    assert marks == ["● I", "├─○", "├─○", "● S", "├─○", "● a"]
    assert "│   path 3 ABANDONED · 1 message · withdrawn" in out


def test_tree_names_agents_where_they_were_started(on_example):
    out = on_example("tree", GREENHOUSE)[1]

    assert re.search(r"\n  ◆ Explore: .*\(a45348c7, \d+ messages\)\n", out)
    assert "\nStarted by other agents:\n◆ " in out


def test_tree_pictures_are_well_formed_and_hold_all_runs(on_example):
    runs = json.loads(on_example("tree", SHOPPING, "--json")[1])["runs"]
    svg = ET.fromstring(on_example("tree", SHOPPING, "--svg")[1])  # noqa: S314  (ours)
    dot = on_example("tree", SHOPPING, "--dot")[1]
    mermaid = on_example("tree", SHOPPING, "--mermaid")[1]

    assert len(svg.findall(".//{http://www.w3.org/2000/svg}circle")) == len(runs)
    assert dot.count("->") == mermaid.count("-->") + mermaid.count("-.->") == len(runs) - 1
    assert dot.startswith("digraph ")
    assert mermaid.startswith("flowchart TD\n")


def test_a_session_of_one_path_is_drawn_as_well(ask, tmp_path):
    write(tmp_path, [prompt("p1", None, "Write it"), reply("r1", "p1", "Done.")])

    code, out, _ = ask("tree", "5f0c", "--source", tmp_path, "-q", "--no-redact", "--svg")

    assert code == 0
    assert "Write it" in "".join(ET.fromstring(out).itertext())  # noqa: S314  (ours)


def test_what_was_said_ends_no_label(ask, tmp_path):
    evil = '"]; click r1 "x" \\" <b>&\n]]></svg>'
    write(tmp_path, [*FORKED[:4], prompt("p3", "r1", evil), reply("r3", "p3", evil)])

    def tree(form):
        return ask("tree", "5f0c", "--source", tmp_path, "-q", "--no-redact", form)[1]

    ET.fromstring(tree("--svg"))  # noqa: S314  (ours)
    assert all(line.count('"') in {0, 2} for line in tree("--mermaid").splitlines())
    label = re.compile(r'"(?:[^"\\]|\\.)*"')
    bare = label.sub("", tree("--dot"))
    assert '"' not in bare
    assert "click" not in bare


def test_tree_shows_the_records_around_a_uuid_with_the_fork(ask, tmp_path):
    write(tmp_path, FORKED)
    options = ("--source", tmp_path, "-q", "--no-redact")

    code, out, _ = ask("tree", uuid("r1"), "--around", "1", *options)
    near = json.loads(ask("tree", uuid("r1"), "--around", "9", "--json", *options)[1])
    whole = ask("tree", uuid("p2"), *options)[1]

    assert code == 0
    assert "▶ r1000000" in out
    assert "├─ ABANDONED · path 1 · A slow one" in out
    assert [record["uuid"][:2] for record in near["records"]] == ["p1", "r1", "p3", "r3"]
    assert near["path"].endswith(":2")
    assert "▶ record p2000000 is 1 of 2 here" in whole


def test_names_that_fit_nothing_or_too_much_are_errors(on_example):
    assert on_example("tree", "no-such")[0] == 1
    assert on_example("show", "3")[0] == 1
    code, _, err = on_example("show", f"{FRACTIONS}:9")
    assert (code, "it has 1, 2" in err) == (1, True)
    assert on_example("tree", FRACTIONS, "--around", "2")[0] == 2


def test_each_command_takes_the_name_that_list_gives_a_second_session(
    ask, tmp_path, monkeypatch
):
    monkeypatch.setattr("everyleaf.revise.session.SETTLED_SECONDS", 0)
    for at, name in enumerate(("one/notes", "two/notes", "two/notes-2", "six/Notes-2")):
        talk = [prompt(f"p{at}", None, f"Ask {at}"), reply(f"r{at}", f"p{at}", f"Say {at}")]
        write_records(tmp_path / "projects" / f"-{name}.jsonl", talk)
    rows = map(json.loads, ask("list", tmp_path, "-q", "--json")[1].splitlines())
    names = [row["session"] for row in sorted(rows, key=lambda row: row["title"])]
    in_all = ("--source", tmp_path, "-q")

    assert sorted(names) == ["Notes-2", "notes", "notes-2-2", "notes-3"]
    for at, name in enumerate(names):
        assert f"\nSay {at}\n" in ask("show", name, *in_all, "--format", "text")[1]
        renamed = ask("rename", name, "Other", *in_all[:2], "--dry-run")[1]
        assert f"says 'Other' of r{at}000000-" in renamed
    assert "\nSay 2\n" in ask("show", "notes-2-", *in_all, "--format", "text")[1]
    assert (
        f"or {tmp_path}/projects/-two/notes.jsonl"
        in ask("rename", "n", "x", *in_all[:2])[2]
    )
    assert ask("find", "Say 2", *in_all)[1].startswith("notes-2-2  Ask 2")
    code, compared, _ = ask("diff", "notes-3", "notes", *in_all)
    assert code == 1
    assert "Say 1" in compared
    assert ask("build", tmp_path / "projects", "--out", tmp_path / "site", "-q")[0] == 0


def test_show_prints_what_a_build_of_markdown_writes_but_for_other_sessions(
    on_example, ask, tmp_path
):
    ask("build", EXAMPLE, "--out", tmp_path / "md", "--format", "md", "--no-redact", "-q")
    listed = ask("paths", EXAMPLE, "-q", "--ids", "none", "--no-redact")[1].splitlines()
    paths = [json.loads(line) for line in listed]
    wanted = [p for p in paths if p["session"][:8] in {FRACTIONS, SHOPPING, GREENHOUSE}]

    # On a terminal there is no other page that shows what led to a withdrawn prompt.
    for path in (each for each in wanted if "withdrawn" not in each["reason"]):
        _, out, _ = on_example("show", f"{path['session']}:{path['number']}")
        suffix = f"_path{path['number']}" if path["of"] > 1 else ""
        suffix += "_abandoned" if path["of"] > 1 and path["status"] == "ABANDONED" else ""
        file = tmp_path / "md" / f"transcript_{path['session']}{suffix}.md"
        lines = file.read_text().splitlines()
        own = [line for line in lines if not line.startswith("- Shares ")]
        assert out.splitlines() == own


def test_show_as_json_holds_every_record_of_the_path(on_example, ask):
    shown = json.loads(on_example("show", SHOPPING, "--json")[1])
    listed = ask("paths", EXAMPLE, "-q", "--no-redact")[1].splitlines()
    path = next(
        row
        for row in map(json.loads, listed)
        if row["session"] == shown["session"] and row["number"] == shown["number"]
    )

    assert [r for turn in shown["turns"] for r in turn["records"]] == path["ids"]
    kinds = {entry["type"] for turn in shown["turns"] for entry in turn["entries"]}
    assert {"prompt", "reply", "tool-call"} <= kinds


def test_show_prints_one_format_and_refuses_two(on_example):
    code, out, err = on_example("show", SHOPPING, "--json", "--format", "text")

    assert (code, out) == (2, "")
    assert "--json and --format exclude each other" in err


def test_show_as_text_has_no_markup_and_less_with_less_detail(on_example):
    full = on_example("show", FRACTIONS, "--format", "text")[1]
    talk = on_example("show", FRACTIONS, "--format", "text", "--detail", "talk")[1]
    prompts = on_example("show", FRACTIONS, "--format", "text", "--detail", "prompts")[1]

    assert len(full) > len(talk) > len(prompts)
    assert "\nPrompt 2 · " in prompts
    assert "\n$ Read src/scale.ts (15 lines)\n" in talk
    assert "<details>" not in full
    assert "\x1b" not in full


def test_a_recording_without_times_is_shown_without_a_gap_for_them(ask, tmp_path):
    talk = [prompt("p1", None, "Hi", timestamp=""), reply("r1", "p1", "Ho", timestamp="")]
    write(tmp_path, talk)

    lines = ask("show", "5f0c", "--format", "text", "--source", tmp_path, "-q")[1]

    _, _, third, _, _, heading, *_ = lines.splitlines()
    assert (third, heading) == ("2 messages", "Prompt 1")


def test_of_a_resumed_session_the_days_that_were_worked_on_are_told(ask, tmp_path):
    # Issue 14: told as 6309 h 33 min.
    home = write(
        tmp_path / "home",
        [
            prompt("p1", None, "Begin", timestamp="2026-01-31T23:50:00Z"),
            reply("r1", "p1", "Begun", timestamp="2026-02-01T00:10:00Z"),
            prompt("p2", "r1", "Go on", timestamp="2026-10-21T11:18:00Z"),
            reply("r2", "p2", "Gone on", timestamp="2026-10-21T11:38:00Z"),
            prompt("p3", "r1", "Or else", timestamp="2026-10-22T11:38:00Z"),
            reply("r3", "p3", "So", timestamp="2026-12-22T11:38:00Z"),
        ],
    )
    options = ("--source", home, "-q")

    text = ask("show", "5f0c:1", "--format", "text", *options)[1]
    markdown = ask("show", "5f0c:1", *options)[1]
    compared = ask("diff", "5f0c:1", "5f0c:2", *options)[1]
    site = tmp_path / "site"
    ask("build", home, "--out", site, "-q")
    (session,) = site.glob("sessions/*.html")
    pages = [session, *sorted(site.glob("transcripts/*.html"))]
    of_session, path_1, path_2 = (page.read_text() for page in pages)

    told = "2026-01-31 23:50 to 2026-10-21 11:38 UTC (worked on 3 days)"
    assert told in text
    assert told in markdown
    assert told in of_session
    assert "2026-12-22 11:38 UTC (worked on 5 days)" in of_session
    assert told in path_1 + path_2
    assert "Working time: 20 min | 0 ms (worked on 2 days)" in compared
    assert not re.search(r"\d{2,} h\b", text + markdown + of_session + path_1 + compared)


def test_what_pages_mask_is_masked_unless_raw(ask, tmp_path):
    text = "/home/me/parser/lexer.py and parser"
    write(tmp_path, [prompt("p1", None, text), reply("r1", "p1", "ok")])
    options = ("--source", tmp_path, "-q")

    outs = [
        ask("show", "5f0c", *options)[1],
        ask("tree", "5f0c", *options)[1],
        ask("tree", "5f0c", "--json", *options)[1],
        ask("find", "parser", *options)[1],
        ask("find", "parser", "--json", *options)[1],
        ask("list", tmp_path, "-q")[1],
    ]

    assert all("/home/me" not in out for out in outs)
    assert all("~/parser/lexer.py" in out for out in outs)
    assert "/home/me/parser" in ask("show", "5f0c", *options, "--no-redact")[1]


def test_find_tells_path_status_ancestry_children_and_link(ask, tmp_path):
    write(tmp_path, FORKED)
    options = (
        "--source",
        tmp_path,
        "-q",
        "--no-redact",
        "--json",
        "--site",
        "https://x.org/a/",
    )

    code, out, err = ask("find", "SLOW one", *options)
    (match,) = map(json.loads, out.splitlines())
    (reply_match,) = map(json.loads, ask("find", "which kind", *options)[1].splitlines())

    assert (code, err) == (0, "1 record in 1 session; 1 file searched\n")
    assert (match["path"][-2:], match["status"]) == (":1", "ABANDONED")
    assert [each["words"] for each in match["above"]] == ["Write a parser"]
    assert [each["words"] for each in match["below"]] == ["Slow it is."]
    assert match["link"].startswith("https://x.org/a/transcripts/transcript_5f0c1d2e-")
    assert match["link"].endswith("#m-p2000000")
    assert (reply_match["status"], reply_match["other_paths"]) == ("ACTIVE", 1)
    assert [each["words"] for each in reply_match["below"]] == ["A slow one", "A fast one"]


def test_find_links_lead_to_the_message_in_a_built_site(on_example, ask, tmp_path):
    site = tmp_path / "site"
    ask("build", EXAMPLE, "--out", site, "--no-redact", "-q")

    out = on_example("find", "the", "--in", "prompts", "--json", "--site", site)[1]

    links = [json.loads(line)["link"] for line in out.splitlines()]
    assert len(links) > 10
    for link in filter(None, links):
        page, _, anchor = link.removeprefix("file://").partition("#")
        assert f'id="{anchor}"' in Path(page).read_text()
    assert sum(link is None for link in links) == 0


def test_find_looks_where_it_is_told(ask, tmp_path):
    records = [
        prompt("p1", None, "needle one"),
        reply("r1", "p1", "needle two"),
        call("c1", "r1", "Bash", command="grep needle"),
        result("t1", "c1", "needle four"),
    ]
    write(tmp_path, records)

    def found(where):
        out = ask("find", "needle", "--in", where, "--source", tmp_path, "-q", "--json")[1]
        return [json.loads(line)["uuid"][:2] for line in out.splitlines()]

    assert found("prompts") == ["p1"]
    assert found("replies") == ["r1"]
    assert found("tools") == ["c1", "t1"]
    assert found("all") == ["p1", "r1", "c1", "t1"]


def test_find_tells_a_copied_record_once(on_example):
    out = on_example(
        "find", "I want a shopping list for a week", "--in", "prompts", "--json"
    )[1]

    assert len(out.splitlines()) == 1


def test_find_calls_projects_as_lists_do_wherever_there_are_matches(ask, tmp_path):
    for place in ("/srv/work/shop", "/srv/other/shop"):
        record = prompt("p1", None, f"Sell in {place}", cwd=place)
        folder = tmp_path / "projects" / place.replace("/", "-")
        write_records(folder / f"{place[5:6]}f0c1d2e.jsonl", [record])
    options = ("--source", tmp_path, "-q", "--no-redact", "--project")

    code, found, _ = ask("find", "in /srv/work", *options, "work-shop")

    assert code == 0
    assert " · work-shop\n" in found
    assert ask("find", "in /srv/work", *options, "other-shop")[0] == 1
    for words in ("in /srv/work", "in no place"):
        code, found, err = ask("find", words, *options, "shop")
        assert (code, found) == (2, "")
        assert "no project fits 'shop'" in err
        assert "the projects are: other-shop, work-shop" in err


def test_find_ends_as_grep_does(on_example):
    assert on_example("find", "no such words at all")[0] == 1
    assert on_example("find", "--regex", "a(b")[0] == 2
    assert on_example("find", "  ")[0] == 2


def test_an_archive_without_sessions_is_an_error_that_says_so(ask, tmp_path):
    for arguments in (["list", tmp_path], ["find", "x", "--source", tmp_path]):
        code, out, err = ask(*arguments)
        assert code in {1, 2}
        assert out == ""
        assert "no session files found" in err


def test_damaged_files_are_read_as_far_as_they_go(ask, tmp_path):
    simulate = ROOT.parent / "shared/tools/simulate.py"
    if not simulate.is_file():
        simulate = Path("/work/shared/tools/simulate.py")
    if not simulate.is_file():
        pytest.skip("the simulator is not here")
    command = [sys.executable, simulate, tmp_path / "a", "--sessions", "6", "--broken"]
    subprocess.run(command, check=True, capture_output=True)
    options = ("-q", "--no-redact")

    code, out, _ = ask("list", tmp_path / "a", *options, "--json", "--warmup")
    rows = [json.loads(line) for line in out.splitlines()]

    assert code == 0
    assert len(rows) > 6
    for row in rows:
        code, out, err = ask("tree", row["session"], "--source", tmp_path / "a", *options)
        assert (code == 0) == (row["paths"] > 0), (row, err)
        if row["paths"]:
            assert ask("show", row["session"], "--source", tmp_path / "a", *options)[0] == 0
    assert ask("find", "parser", "--source", tmp_path / "a", *options)[0] == 0


def test_short_ids_tell_sessions_apart():
    names = [f"12345678-{digit}000-4000-8000-000000000000" for digit in "ab"]
    names += ["abc", "notes-2025"]
    short = ["12345678-a", "12345678-b", "abc", "notes-2025"]

    assert short_names(names) == dict(zip(names, short, strict=True))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(shell):
    shown = CliRunner().invoke(everyleaf, ["completion", shell])

    assert shown.exit_code == 0
    assert "_EVERYLEAF_COMPLETE" in shown.stdout


def test_a_session_that_was_carried_on_is_found_on_the_path_that_goes_on(ask, tmp_path):
    later = "9a8b7c6d-1111-4000-8000-000000000000"
    write(tmp_path, FORKED[:2])
    write(tmp_path, [prompt("p4", "r1", "go on"), reply("r4", "p4", "Going on.")], later)
    other = "aaaaaaaa-1111-4000-8000-000000000000"
    write(tmp_path, [prompt("p9", None, "else"), reply("r9", "p9", "Else.")], other)
    options = ("--source", tmp_path, "-q", "--no-redact")

    before = json.loads(ask("find", "write a parser", *options, "--json")[1])
    after = json.loads(ask("find", "going on", *options, "--json")[1])
    shown = ask("show", later, *options, "--format", "text")[1]

    assert before["path"] == after["path"] == f"{later}:1"
    assert [each["words"] for each in after["above"]] == ["Write a parser", "go on"]
    assert "Write a parser" in shown
    assert ask("show", "5f0c", *options)[0] == 0


def test_find_tells_a_title_that_no_prompt_of_its_session_says(ask, tmp_path):
    titled = {"type": "custom-title", "customTitle": "The harbour plan", "sessionId": "s"}
    write(tmp_path, [prompt("p1", None, "Go"), reply("r1", "p1", "Gone."), titled])
    other = "aaaaaaaa-1111-4000-8000-000000000000"
    records = [prompt("p9", None, "harbour lights"), reply("r9", "p9", "Else.")]
    write(tmp_path, records, other)
    # Old versions wrote the title of one session into the file of another.
    third = "bbbbbbbb-1111-4000-8000-000000000000"
    write(tmp_path, [prompt("p5", None, "On"), reply("r5", "p5", "Yes.")], third)
    summary = {"type": "summary", "summary": "A harbour far off", "leafUuid": uuid("r5")}
    write(tmp_path, [summary, *records], other)
    options = (
        "--source",
        tmp_path,
        "-q",
        "--no-redact",
        "--json",
        "--site",
        "https://x.org",
    )

    every = [json.loads(line) for line in ask("find", "HARBOUR", *options)[1].splitlines()]
    titles = ask("find", "harbour", "--in", "titles", *options)[1].splitlines()
    found = {row["session"][:4]: row for row in every}

    assert sorted(found) == ["5f0c", "aaaa", "bbbb"]
    assert found["5f0c"]["kind"] == found["bbbb"]["kind"] == "title"
    assert (found["5f0c"]["match"], found["5f0c"]["in"]) == ("harbour", ["titles"])
    assert found["5f0c"]["link"].endswith("-000000000000.html")
    assert found["aaaa"]["kind"] == "prompt"
    assert sorted(json.loads(line)["session"][:4] for line in titles) == sorted(found)
    assert (
        " · title · "
        in ask("find", "far off", "--source", tmp_path, "-q", "--no-redact")[1]
    )
    assert ask("find", "harbour", "--in", "replies", "--source", tmp_path, "-q")[0] == 1
