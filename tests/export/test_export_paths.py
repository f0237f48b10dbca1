"""Every path in every format: whole, alone, as the format wants it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256

import html5lib
import pytest

from everyleaf.explore.sessions import read_paths
from everyleaf.export.run import ExportOptions, export_all
from everyleaf.library import build_site
from everyleaf.opening.reading import Scope
from everyleaf.publish.site import verify_site
from everyleaf.transcript.facts import add_usage
from everyleaf.workers import say_nothing
from export.conftest import FORMS
from sessions import SESSION, Home, spoken, write_records


def trajectories(folder):
    for file in sorted(folder.rglob("*.json")):
        if file.name != "manifest.json":
            yield file, json.loads(file.read_bytes())


def rows_of(folder):
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_bytes().splitlines():
            yield file.name, json.loads(line)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "pairs"])
def test_each_path_is_exported_once(form, source, export, said_on):
    folder, exported = export(source, form)

    paths = [(file.session, file.number) for file in exported.files]
    assert set(paths) == set(said_on)
    if form == "messages":
        assert len(list(rows_of(folder))) == len(said_on)
    assert verify_site(folder).is_whole


@pytest.mark.parametrize("form", FORMS)
def test_the_same_input_gives_the_same_bytes(form, source, export):
    folder, _ = export(source, form)
    again, _ = export(source, form, is_forced=True)  # Another folder.

    first = {f.relative_to(folder): f.read_bytes() for f in folder.rglob("*.*")}
    assert first == {f.relative_to(again): f.read_bytes() for f in again.rglob("*.*")}


def nat_model():
    reason = "nvidia-nat-atif, which has the models of the format, is not installed"
    return pytest.importorskip("nat.atif.trajectory", reason=reason).Trajectory


def harbor_model():
    name = "harbor.models.trajectories.trajectory"
    reason = "Harbor is not installed: `just atif` validates with it"
    return pytest.importorskip(name, reason=reason).Trajectory


@pytest.mark.parametrize("model", [nat_model, harbor_model])
def test_every_trajectory_validates(model, source, export, said_on):
    folder, _ = export(source, "atif")

    trajectory = model()
    valid = [
        trajectory.model_validate_json(file.read_bytes())
        for file, _ in trajectories(folder)
    ]
    assert len(valid) == len(said_on)
    assert {one.schema_version for one in valid} == {"ATIF-v1.7"}


def test_a_trajectory_holds_its_path_and_nothing_of_an_abandoned_one(
    source, export, said_on
):
    folder, _ = export(source, "atif")

    abandoned = 0
    for file, whole in trajectories(folder):
        path = (whole["session_id"], whole["extra"]["path"])
        records = [uuid for step in whole["steps"] for uuid in step["extra"]["records"]]
        others = set().union(*(said_on[each] for each in said_on if each != path))
        assert said_on[path] <= set(records)
        assert not set(records) & (others - said_on[path])
        is_apart = file.parent.name == "abandoned"
        assert is_apart == (whole["extra"]["status"] == "ABANDONED")
        abandoned += is_apart
    assert abandoned


def test_tokens_are_those_of_the_page(source, export):
    folder, _ = export(source, "atif")
    rows, _ = export(source, "messages")

    told = {(m["session"], m["path"]): m for _, row in rows_of(rows) for m in [row["meta"]]}
    some = 0
    for _, whole in trajectories(folder):
        meta, sums = (
            told[whole["session_id"], whole["extra"]["path"]],
            whole["final_metrics"],
        )
        steps = [step["metrics"] for step in whole["steps"] if "metrics" in step]
        for kind in ("prompt_tokens", "completion_tokens", "cached_tokens"):
            assert sums[f"total_{kind}"] == sum(one[kind] for one in steps)
        assert sums["total_completion_tokens"] == meta["output_tokens"]
        assert sums["total_cached_tokens"] == meta["cache_read_tokens"]
        some += bool(steps)
    assert some


def test_tokens_of_a_response_in_many_records_count_once(export, source):
    from everyleaf.library import load_archive  # noqa: PLC0415  (one test wants it)
    from everyleaf.opening.reading import families_of  # noqa: PLC0415
    from everyleaf.pages.sourcing import open_builder  # noqa: PLC0415
    from everyleaf.transcript.facts import distinct_responses  # noqa: PLC0415

    rows, _ = export(source, "messages")
    told = {(m["session"], m["path"]): m for _, row in rows_of(rows) for m in [row["meta"]]}
    for work in families_of(load_archive(source)):
        build = open_builder(work)
        for ref, leaf in work.tree.leaves.items():
            turns = [work.tree.turns[key] for key in work.tree.chain(leaf)]
            facts = [one for turn in turns for one in build(turn, ()).facts.responses]
            kept = distinct_responses((None, one) for one in facts)
            usage = add_usage(one.usage for _, one in kept)
            meta = told[ref.session, ref.number]
            assert meta["output_tokens"] == usage.output
            assert meta["cache_read_tokens"] == usage.cache_read


def test_subagents_stand_in_the_path_that_called_them(export):
    from export.conftest import EXAMPLE  # noqa: PLC0415  (this one knows its agents)

    folder, _ = export(EXAMPLE, "atif")

    whole = json.loads((folder / "2abbdf99-9580-4822-a1b9-ed7aa0ef9936.json").read_bytes())
    inner = {one["trajectory_id"]: one for one in whole["subagent_trajectories"]}
    named = {
        ref["trajectory_id"]
        for step in whole["steps"]
        for result in step.get("observation", {"results": []})["results"]
        for ref in result.get("subagent_trajectory_ref", ())
    }
    assert named == set(inner)
    assert len(inner) > 1


def test_messages_are_what_chat_templates_take(source, export):
    folder, _ = export(source, "messages")

    calls = 0
    for name, row in rows_of(folder):
        assert name.startswith(row["meta"]["status"].lower())
        tools = {tool["function"]["name"] for tool in json.loads(row["tools"])}
        waiting: dict[str, str] = {}
        named = set()
        for message in row["messages"]:
            assert isinstance(message["content"], str)
            if message["role"] == "tool":
                assert waiting.pop(message["tool_call_id"]) == message["name"]
                continue
            for call in message.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
                waiting[call["id"]] = call["function"]["name"]
                named.add(call["function"]["name"])
                calls += 1
            assert message["role"] in {"user", "assistant"}
        assert len(waiting) == row["meta"]["unanswered_calls"]
        assert tools == named
    assert calls


def test_pairs_part_where_one_side_was_left(source, export):
    pairs, _ = export(source, "pairs")
    rows, _ = export(source, "messages")

    whole = {
        (row["meta"]["session"], row["meta"]["path"]): row["messages"]
        for _, row in rows_of(rows)
    }
    found = list(rows_of(pairs))
    assert found
    for _, pair in found:
        meta = pair["meta"]
        left = whole[meta["session"], meta["path"]]
        taken = whole[meta["session"], meta["chosen_path"]]
        assert pair["prompt"] + pair["rejected"] == left
        assert pair["prompt"] + pair["chosen"] == taken
        assert meta["status"] == "ABANDONED"


def test_a_path_is_held_against_what_was_gone_on_with_at_its_own_fork(tmp_path):
    source, out = tmp_path / "logs", tmp_path / "pairs"
    records = [
        *spoken(None, "p1 Write a parser", "r1 Which kind?"),
        *spoken("r1", "p2 A slow one", "r2 In which language?"),
        *spoken("r2", "p3 In C", "r3 In C it is."),
        *spoken("r2", "p4 In Python", "r4 In Python it is."),
        *spoken("r1", "p5 A fast one", "r5 Fast it is."),
    ]
    for minute, record in enumerate(records):
        record["timestamp"] = f"2026-01-31T14:{minute:02}:00Z"
    write_records(source / f"{SESSION}.jsonl", records)

    options = ExportOptions(form="pairs", output_dir=out)
    export_all(Scope((source,)), say_nothing, options)

    said = [
        (
            pair["prompt"][-1]["content"],
            pair["chosen"][0]["content"],
            pair["rejected"][0]["content"],
            pair["meta"]["chosen_status"],
        )
        for _, pair in rows_of(out)
    ]
    assert said == [
        ("In which language?", "In Python", "In C", "ABANDONED"),
        ("Which kind?", "A fast one", "A slow one", "ACTIVE"),
    ]


def test_our_own_reader_finds_the_same_path_in_a_session(source, export):
    folder, exported = export(source, "session")

    scope = Scope((source,))
    before = {one.path.ref: one for one in read_paths(scope, say_nothing)}
    for file in exported.files:
        (made,) = read_paths(Scope((folder / file.url,)), say_nothing)
        old = next(
            one
            for ref, one in before.items()
            if (ref.session, ref.number) == (file.session, file.number)
        )
        assert made.ids == old.ids
        assert not made.inferred
        assert made.path.status == "ACTIVE"
        assert made.path.messages == old.path.messages


def test_ids_of_a_session_are_fresh_and_hang_in_one_chain(source, export, said_on):
    folder, exported = export(source, "session")

    old = set().union(*said_on.values())
    for file in exported.files:
        lines = (folder / file.url).read_bytes().splitlines()
        *records, title = map(json.loads, lines)
        last = None
        for record in records:
            is_boundary = record.get("subtype") == "compact_boundary"
            above = record.get("logicalParentUuid" if is_boundary else "parentUuid")
            assert is_boundary or above == last
            assert record["sessionId"] == (folder / file.url).stem == title["sessionId"]
            assert record["uuid"] not in old
            last = record["uuid"]
        assert title["type"] == "custom-title"


def test_a_page_is_one_file_that_fetches_nothing(source, export):
    folder, _ = export(source, "html")

    for file in folder.rglob("*.html"):
        text = file.read_text()
        parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
        tree = parser.parse(text)
        assert not [*tree.iter("script"), *tree.iter("link"), *tree.iter("iframe")]
        (policy,) = re.findall(r'Content-Security-Policy content="([^"]*)"', text)
        digests = [
            b64encode(sha256((style.text or "").encode()).digest()).decode()
            for style in tree.iter("style")
        ]
        assert re.findall(r"'sha256-([^']*)'", policy) == digests
        assert policy.startswith("default-src 'none'")
        for image in tree.iter("img"):
            assert image.get("src", "").startswith("data:image/")
        for link in tree.iter("a"):
            href = link.get("href")
            assert href is None or re.match(r"https?://|mailto:|#m-", href)
        for each in tree.iter():
            assert not [name for name in each.attrib if name.startswith("on")]
            # Its policy would not apply it, and the browser's console would say so.
            assert "style" not in each.attrib


def test_columns_of_a_table_are_on_their_sides_without_a_style(export, tmp_path):
    home = Home(tmp_path / "home")
    talk = home.talk()
    talk.prompt("Which?")
    talk.reply("| a | b | c |\n|:-:|--:|---|\n| 1 | 2 | 3 |")
    talk.save()

    folder, _ = export(home.folder, "html")

    (page,) = folder.glob("*.html")
    tree = html5lib.parse(page.read_text("utf-8"), namespaceHTMLElements=False)
    cells = [*tree.iter("th"), *tree.iter("td")]
    assert [one.get("align") for one in cells] == ["center", "right", None] * 2


def test_a_digest_is_shorter(export):
    from export.conftest import EXAMPLE  # noqa: PLC0415  (long enough to be shortened)

    full, _ = export(EXAMPLE, "html")
    digest, _ = export(EXAMPLE, "html", detail="digest")

    sizes = [
        (len((full / page.name).read_bytes()), len(page.read_bytes()))
        for page in digest.glob("*.html")
    ]
    assert sum(one[1] for one in sizes) < sum(one[0] for one in sizes) * 0.8


def test_a_page_is_at_most_twice_its_markdown(source, export, tmp_path):
    folder, _ = export(source, "html")
    build_site(source, out=tmp_path, format="md", shared_prefix="full")

    markdown = {
        file.stem.removeprefix("transcript_").removesuffix(
            "_abandoned"
        ): file.stat().st_size
        for file in tmp_path.glob("transcript_*.md")
    }
    for page in folder.rglob("*.html"):
        own = re.sub(rb'src="data:[^"]*"|<title>[^<]*', b"", page.read_bytes())
        assert len(own) <= 2 * markdown[page.stem], page.name


def test_the_shortest_path_is_a_page_of_at_most_twice_its_markdown(export, tmp_path):
    home = Home(tmp_path / "home")
    talk = home.talk()
    talk.prompt("Fix it.")
    talk.reply("Fixed.")
    talk.save()

    folder, _ = export(home.folder, "html")
    build_site(home.folder, out=tmp_path / "md", format="md")

    (page,), (markdown,) = folder.glob("*.html"), (tmp_path / "md").glob("transcript_*.md")
    text = page.read_text("utf-8")
    assert len(text) <= 2 * len(markdown.read_text("utf-8"))
    assert "<style" not in text
    parser = html5lib.HTMLParser(strict=True)
    tree = parser.parse(text)
    said = [each.text for each in tree.iter("{http://www.w3.org/1999/xhtml}p")]
    assert {"Fix it.", "Fixed."} <= {str(each).strip() for each in said}


def test_a_page_has_the_style_of_what_is_on_it_and_no_more(export):
    from export.conftest import EXAMPLE  # noqa: PLC0415  (it has tables, diffs and lists)

    folder, _ = export(EXAMPLE, "html")

    seen = set()
    for page in folder.rglob("*.html"):
        head, _, body = page.read_text("utf-8").partition("</style>")
        for tag in (
            "h2",
            "em",
            "pre",
            "ins",
            "del",
            "details",
            "table",
            "img",
            "blockquote",
        ):
            is_there = f"<{tag}" in body
            assert bool(re.search(rf"\b{tag}[{{[]", head)) == is_there, (page.name, tag)
            seen.add((tag, is_there))
    assert {("pre", True), ("pre", False), ("table", True), ("table", False)} <= seen
