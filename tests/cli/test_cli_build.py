"""`everyleaf build`: what it asks for, what it prints, how it exits."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from everyleaf.config import Detail, Format, Images, Left, RedactOptions, SharedPrefix
from everyleaf.errors import SourceError
from everyleaf.issues import Issue, IssueCode
from everyleaf.report import ClusterWork, JobKind

ISSUES = (
    Issue("b.jsonl", 7, IssueCode.VARIANT, "written again"),
    Issue("a.jsonl", 3, IssueCode.RECOVERED_LINE, "leading \0 bytes"),
)


def test_the_last_line_on_stdout_is_a_count(call):
    code, out, _ = call("build", "logs")

    assert code == 0
    assert out == (
        "12 sessions, 17 paths (12 active, 5 abandoned, 3 contained),"
        " 1,234 records all placed, wrote 40, kept 0, deleted 0; 0 issues\n"
    )


def test_one_of_a_kind_is_no_plural(call, stand_in):
    stand_in.reports(sessions=1, paths=1, records=1, issues=ISSUES[:1])

    _, out, _ = call("build", "logs")

    assert out.startswith("1 session, 1 path (")
    assert "1 record all placed" in out
    assert out.endswith("; 1 issue\n")


def test_every_option_reaches_the_build(call, stand_in):
    call(
        *("build", "one", "two", "--out", "o", "--title", "T", "--project", "p*"),
        *(
            "--project",
            "q",
            "--exclude",
            "x",
            "--session",
            "0b3f",
            "--format",
            "md",
            "--jobs",
            "3",
        ),
        *("--since", "2026-01-01T00:00Z", "--until", "2026-01-03T00:00Z"),
        *("--strict", "--force", "--include-archive"),
        *("--cluster", "local:2", "--trust-network", "--cache-dir", "notes"),
        *("--detail", "talk", "--front-matter", "--base-url", "https://a"),
        *("--allow-frames", "https://b.org", "--allow-frames", "https://a.org:8"),
        *("--no-redact", "--images", "drop", "--without", "tools,thinking"),
    )

    (options,) = stand_in.asked
    assert options.redact == RedactOptions(is_on=False, images=Images.DROP)
    assert msgspec.structs.asdict(options) == {
        "redact": options.redact,
        "sources": (Path("one"), Path("two")),
        "output_dir": Path("o"),
        "title": "T",
        "projects": ("p*", "q"),
        "exclude": ("x",),
        "sessions": ("0b3f",),
        "since": datetime(2026, 1, 1, tzinfo=UTC),
        "until": datetime(2026, 1, 3, tzinfo=UTC),
        "formats": (Format.MARKDOWN,),
        "jobs": 3,
        "theme": "default",
        "is_strict": True,
        "is_forced": True,
        "include_archive": True,
        "strict_paths": False,
        "detail": Detail.TALK,
        "without": (Left.THINKING, Left.TOOLS),
        "has_front_matter": True,
        "has_note_links": False,
        "base_url": "https://a/",
        "frames": ("https://a.org:8", "https://b.org"),
        "is_public": False,
        "is_private": False,
        "has_search": True,
        "shared_prefix": SharedPrefix.AUTO,
        "is_pruned": False,
        "is_preview": False,
        "has_cache": True,
        "cluster": "local:2",
        "cache_dir": Path("notes"),
        "is_network_trusted": True,
    }


def test_without_options_both_formats_go_to_a_folder_named_site(call, stand_in):
    call("build", "logs")

    (options,) = stand_in.asked
    assert options.output_dir == Path("site")
    assert options.formats == (Format.HTML, Format.MARKDOWN)
    assert not options.is_strict
    assert not options.is_forced


@pytest.mark.parametrize("option", ["-o", "--out"])
def test_the_output_folder_has_a_short_option(call, stand_in, option):
    call("build", "logs", option, "elsewhere")

    assert stand_in.asked[0].output_dir == Path("elsewhere")


def test_formats_come_in_one_order(call, stand_in):
    call("build", "logs", "--format", "md, html")

    assert stand_in.asked[0].formats == (Format.HTML, Format.MARKDOWN)


def test_without_a_source_the_configured_folder_is_read(call, stand_in, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/elsewhere")

    call("build")

    assert stand_in.asked[0].sources == (Path("/elsewhere"),)


def test_without_a_configured_folder_the_home_is_read(call, stand_in, monkeypatch):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", "/home/someone")

    call("build")

    assert stand_in.asked[0].sources == (Path("/home/someone/.claude"),)


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "--no-such-option"),
        ("build", "--format", "pdf"),
        ("build", "--format", ""),
        ("build", "--jobs", "-1"),
        ("build", "--jobs", "many"),
        ("build", "-q", "-v"),
        ("no-such-command",),
    ],
)
def test_wrong_usage_is_exit_code_2_and_builds_nothing(call, stand_in, arguments):
    code, out, err = call(*arguments)

    assert code == 2
    assert out == ""
    assert "Usage: everyleaf" in err
    assert stand_in.asked == []


def test_issues_are_counted_by_code_and_are_no_failure(call, stand_in):
    stand_in.reports(issues=ISSUES)

    code, out, err = call("build", "logs")

    assert code == 0
    assert "issues: 1 recovered-line, 1 variant (see report.html" in err
    assert out.endswith("; 2 issues\n")


def test_without_pages_nobody_is_sent_to_the_report(call, stand_in):
    stand_in.reports(issues=ISSUES)

    _, _, err = call("build", "logs", "--format", "md")

    assert "report.html" not in err
    assert "-v" in err


def test_verbose_lists_every_issue_with_its_place(call, stand_in):
    stand_in.reports(issues=ISSUES)

    _, _, err = call("build", "logs", "-v")

    assert "a.jsonl:3: recovered-line: leading \\x00 bytes\nb.jsonl:7: variant" in err


def test_quiet_leaves_only_the_last_line(call, stand_in):
    stand_in.reports(issues=ISSUES)

    _, out, err = call("build", "logs", "-q")

    assert err == ""
    assert out.count("\n") == 1


def test_strict_fails_on_any_issue(call, stand_in):
    clean, _, _ = call("build", "logs", "--strict")
    stand_in.reports(issues=ISSUES[:1])

    code, out, _ = call("build", "logs", "--strict")

    assert (clean, code) == (0, 1)
    assert "1 issue" in out


def test_a_lost_record_fails_the_build_and_is_named(call, stand_in):
    stand_in.reports(
        is_everything_placed=False, unplaced=tuple(f"uuid-{n}" for n in range(12))
    )

    code, out, err = call("build", "logs", "-q")

    assert code == 1
    assert "records NOT all placed" in out
    assert "error: 12 conversation records on no path" in err
    assert "uuid-9\n  and 2 more" in err


def test_one_lost_record_is_named_alone(call, stand_in):
    stand_in.reports(is_everything_placed=False, unplaced=("uuid-1",))

    _, _, err = call("build", "logs")

    assert "error: 1 conversation record on no path" in err
    assert "more" not in err


def test_an_error_is_a_message_with_a_hint(call, stand_in):
    stand_in.failure = SourceError("cannot read 'logs\x1b[2J'", hint="check the name")

    code, out, err = call("build", "logs", "-q")

    assert (code, out) == (1, "")
    assert err == "error: cannot read 'logs\\x1b[2J'\nhint: check the name\n"


def test_an_error_may_have_no_hint(call, stand_in):
    stand_in.failure = SourceError("nothing to read")

    _, _, err = call("build", "logs", "-q")

    assert err == "error: nothing to read\n"


def test_an_interrupt_is_said_plainly(call, stand_in):
    stand_in.failure = KeyboardInterrupt()

    code, out, err = call("build", "logs", "-q")

    assert (code, out) == (130, "")
    assert err.startswith("interrupted")


def test_a_bug_keeps_its_traceback(call, stand_in):
    stand_in.failure = ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError):
        call("build", "logs")


def test_options_can_be_asked_for_by_the_short_name(call):
    code, out, _ = call("build", "-h")

    assert code == 0
    assert "--out" in out
    assert "Examples:" in out


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("https://a.example", "https://a.example/"),
        ("https://a.example/x/", "https://a.example/x/"),
        ("http://127.0.0.1:8000/x", "http://127.0.0.1:8000/x/"),
        ("", ""),
    ],
)
def test_a_base_address_ends_in_a_slash(call, stand_in, given, taken):
    code, _, _ = call("build", "logs", "--base-url", given)

    assert code == 0
    assert stand_in.asked[0].base_url == taken


@pytest.mark.parametrize("given", ["a.example", "ftp://a/", "https://a/?q", "https://a/ b"])
def test_what_is_no_address_is_refused(call, given):
    code, _, err = call("build", "logs", "--base-url", given)

    assert code == 2
    assert "is no address like" in err


def test_files_that_workers_were_lost_with_are_named_and_fail_the_build(call, stand_in):
    stand_in.reports(lost=tuple(f"file-{n:02}.jsonl" for n in range(12)))

    code, out, err = call("build", "logs")

    assert (code, len(out.splitlines())) == (1, 1)
    assert "error: workers were lost with 12 files again and again" in err
    assert "  file-09.jsonl\n  and 2 more\nhint: " in err


def test_verbose_says_what_the_workers_of_a_cluster_did(call, stand_in):
    kind = JobKind("drawing sessions", 3, 2_500_000, 1.25)
    stand_in.reports(cluster=ClusterWork(2, (kind,), (1.0, 0.25)))

    _, _, err = call("build", "logs", "--verbose")

    assert "cluster: 2 workers, 2 begun again\n" in err
    assert "  drawing sessions: 3 jobs, 2.5 MB in 1.2 s\n" in err
    assert "  busiest worker 1.0 s, on average 0.6 s\n" in err


@pytest.mark.parametrize(
    "given",
    [
        "wiki.example.org",
        "https://a.org/x",
        "https://a.org; x",
        "*",
        "https://a b",
        "'self'",
    ],
)
def test_what_is_no_origin_may_frame_nothing(given, call, stand_in):
    code, _, err = call("build", "logs", "--allow-frames", given)

    assert code == 2
    assert "is no origin like https://wiki.example.org" in err
    assert not stand_in.asked


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ([], (False, False)),
        (["--front-matter"], (True, False)),
        (["--front-matter", "logs"], (True, False)),
        (["--front-matter", "obsidian", "logs"], (True, True)),
        (["--front-matter=obsidian"], (True, True)),
    ],
)
def test_front_matter_may_stand_alone_or_say_for_whom(call, stand_in, typed, told):
    assert call("build", *typed)[0] == 0

    (options,) = stand_in.asked
    assert (options.has_front_matter, options.has_note_links) == told
    assert ("logs" in typed) == (options.sources == (Path("logs"),))
