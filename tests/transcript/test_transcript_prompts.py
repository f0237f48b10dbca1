from __future__ import annotations

import hypothesis
from hypothesis import strategies as st

from everyleaf.model import Kind
from everyleaf.transcript.document import (
    Chip,
    Code,
    Fold,
    Link,
    Links,
    Manner,
    Notice,
    NoticeKind,
    Picture,
    Prompt,
    Prose,
)
from everyleaf.transcript.prompts import place_pictures
from transcript.written import Raw, document, user


def prompt(content: object, **fields: object) -> Prompt:
    (entry,) = document(user(content, **fields), kinds=[Kind.PROMPT]).entries
    assert isinstance(entry, Prompt)
    return entry


def text(words: str) -> Raw:
    return {"type": "text", "text": words}


def test_typed_text_keeps_its_line_breaks():
    entry = prompt("Fix it\nplease")

    assert entry.parts == (Prose("Fix it\nplease", keeps_breaks=True),)
    assert (entry.manner, entry.words, entry.is_numbered) == (
        Manner.TYPED,
        "Fix it please",
        True,
    )


def test_reminder_is_taken_out_and_folded():
    entry = prompt("Fix it <system-reminder>today is Monday</system-reminder>")

    assert entry.parts == (
        Fold("system reminder", (Code("today is Monday"),)),
        Prose("Fix it", keeps_breaks=True),
    )


def test_command_becomes_a_chip_with_its_arguments():
    entry = prompt(
        "<command-message>review is running</command-message>\n"
        "<command-name>/review</command-name>\n<command-args>all of it</command-args>"
    )

    assert entry.parts == (Chip("command", "/review", "all of it"),)
    assert (entry.manner, entry.words) == (Manner.COMMAND, "/review all of it")


def test_output_tag_without_a_word_is_not_drawn_as_it_is_written():
    entry = prompt("<bash-stdout>a.py</bash-stdout><bash-stderr></bash-stderr>")

    assert entry.parts == (Code("a.py", is_terminal=True),)
    assert entry.words == ""


def test_skill_that_an_agent_began_with_is_no_prompt_and_says_what_it_is():
    skill = [
        text("<command-name>jest</command-name><skill-format>true</skill-format>"),
        text("Base directory for this skill: /x\n\nDo this."),
    ]

    (entry,) = document(user(skill), kinds=[Kind.PROMPT]).entries

    assert isinstance(entry, Notice)
    assert (entry.kind, entry.text) == (
        NoticeKind.COMMAND,
        "skill given at the start: /jest",
    )
    (body,) = entry.parts
    assert isinstance(body, Prose)


def test_old_command_carries_its_expanded_text():
    entry = prompt(
        "<command-name>/a</command-name><command-contents>Do this.</command-contents>"
    )

    assert entry.parts[1] == Fold("expanded command", (Prose("Do this."),))


def test_shell_line_is_shown_as_one():
    entry = prompt("<bash-input>ls -l\nwho</bash-input>")

    assert entry.parts == (Code("ls -l\nwho", language="bash"),)
    assert (entry.manner, entry.words) == (Manner.SHELL, "! ls -l …")


def test_output_that_is_empty_is_not_drawn_as_its_tags():
    entry = prompt("<bash-stdout>pushed</bash-stdout><bash-stderr></bash-stderr>")

    assert entry.parts == (Code("pushed", is_terminal=True),)


def test_memory_is_shown_as_such():
    entry = prompt("<user-memory-input>use tabs</user-memory-input>")

    assert (entry.manner, entry.words) == (Manner.MEMORY, "# use tabs")
    assert entry.parts == (Prose("use tabs", keeps_breaks=True),)


def test_context_of_the_editor_stands_before_the_text():
    entry = prompt(
        [
            text("<ide_opened_file>The user opened the file /a/x.py in the IDE. May not."),
            text(
                "<ide_opened_file>The user opened the file /a/x.py in the IDE."
                " This may or may not be related.</ide_opened_file>"
            ),
            text("<ide_selection>line 3</ide_selection>Fix this"),
            text("<new-diagnostics>x.py: no</new-diagnostics>"),
        ]
    )

    assert entry.parts[:3] == (
        Chip("opened in the editor", "/a/x.py"),
        Fold("selected in the editor", (Code("line 3"),)),
        Fold("diagnostics", (Code("x.py: no"),)),
    )
    assert entry.words.startswith("<ide_opened_file>")  # the one that was never closed


def test_opened_file_of_unknown_wording_is_shown_as_it_is():
    assert prompt("<ide_opened_file>x.py</ide_opened_file>").parts == (
        Chip("opened in the editor", "x.py"),
    )


def test_files_pastes_and_hooks_are_context():
    entry = prompt(
        "<attached_files>a.py\nb.py</attached_files>"
        '<pasted_content file="log.txt">long</pasted_content>'
        "<user-prompt-submit-hook>checked</user-prompt-submit-hook>Look"
    )

    assert entry.parts == (
        Chip("files", "a.py b.py", "a.py\nb.py"),
        Fold("pasted log.txt", (Code("long", language="log.txt"),)),
        Fold("hook: user prompt submit", (Code("checked"),)),
        Prose("Look", keeps_breaks=True),
    )


def test_markup_that_a_person_typed_is_text():
    entry = prompt("<div>is this right?</div>")

    assert entry.parts == (Prose("<div>is this right?</div>", keeps_breaks=True),)


def test_pictures_are_numbered_as_in_the_text():
    image = {
        "type": "image",
        "source": {"type": "base64", "data": "AA==", "media_type": "image/png"},
    }

    entry = prompt([text("See [Image #1]"), image, image])

    assert entry.parts[1:] == (
        Picture("AA==", "image/png", "Image #1"),
        Picture("AA==", "image/png", "Image #2"),
    )


def test_pasted_pictures_have_the_numbers_that_the_text_knows_them_by():
    image = {"type": "image", "source": {"data": "AA==", "media_type": "image/png"}}
    written = user([{"type": "text", "text": "See [Image #4]"}, image, image])

    (entry,) = document({**written, "imagePasteIds": [4, "x"]}).entries

    assert isinstance(entry, Prompt)
    assert [p.alt for p in entry.parts if isinstance(p, Picture)] == [
        "Image #4",
        "Image #2",
    ]


def test_picture_that_was_not_recorded_says_so():
    empty = {"type": "image", "source": {"type": "base64", "data": ""}}
    by_address = {"type": "image", "source": {"type": "url", "url": "https://a.org/x.png"}}

    entry = prompt([empty, by_address])

    problems = [part.problem for part in entry.parts if isinstance(part, Picture)]
    assert problems == [
        "not recorded",
        "not recorded, only its address: https://a.org/x.png",
    ]


def test_documents_are_named():
    pdf = {
        "type": "document",
        "title": "a.pdf",
        "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"},
    }
    note = {
        "type": "document",
        "title": "a.txt",
        "source": {"type": "text", "data": "words"},
    }
    page = {"type": "document", "source": {"type": "url", "url": "https://a.org"}}

    first, second, third = prompt([pdf, note, page]).parts

    assert first == Chip("document", "a.pdf", "application/pdf, 3 bytes")
    assert second == Fold("a.txt", (Code("words", language="a.txt"),))
    assert isinstance(third, Links)


def test_block_of_unknown_type_is_kept_folded():
    (part,) = prompt([{"type": "hologram", "value": 1}]).parts

    assert isinstance(part, Fold)
    assert part.summary == "block of type 'hologram'"


def test_plan_that_a_session_starts_with_is_folded():
    entry = prompt("Implement the plan", planContent="# Plan")

    assert entry.parts[-1] == Fold("plan", (Prose("# Plan"),))


def test_interruption_in_the_place_of_a_prompt_is_a_notice():
    (entry,) = document(
        user([text("[Request interrupted by user]")]), kinds=[Kind.PROMPT]
    ).entries

    assert isinstance(entry, Notice)
    assert (entry.kind, entry.text) == (NoticeKind.INTERRUPT, "Request interrupted by user")


def test_what_another_wrote_in_the_place_of_a_prompt_is_no_prompt():
    (entry,) = document(
        user("hello", origin={"kind": "peer", "name": "bob"}), kinds=[Kind.PROMPT]
    ).entries

    assert isinstance(entry, Notice)
    assert entry.text == "bob: hello"


def test_meta_text_in_the_place_of_a_prompt_is_not_numbered():
    assert not prompt("Do this", isMeta=True).is_numbered


def test_blank_prompt_still_has_its_entry():
    assert prompt("").parts == ()


def test_directive_of_a_forked_agent_stands_open_behind_its_folded_instructions():
    entry = prompt("<fork-boilerplate>\nYou are a fork.\n</fork-boilerplate>\n\nFix it")

    assert entry.parts == (
        Fold("fork boilerplate", (Code("You are a fork."),)),
        Prose("Fix it", keeps_breaks=True),
    )
    assert entry.words == "Fix it"


def test_what_a_stop_hook_said_before_a_prompt_is_folded():
    entry = prompt("<stop-hook-feedback>Run the tests.</stop-hook-feedback>Fix it")

    assert entry.parts[0] == Fold("stop hook feedback", (Code("Run the tests."),))


def test_passage_that_a_search_found_is_linked_with_its_source():
    found = {
        "type": "search_result",
        "title": "Guide",
        "source": "https://a.org/guide",
        "content": [text("Leaves are green.")],
    }
    bare = {"type": "search_result", "source": "https://a.org/x"}

    entry = prompt([found, bare, {"type": "container_upload", "file_id": "f1"}])

    assert entry.parts == (
        Links((Link("Guide", "https://a.org/guide"),)),
        Fold("passage", (Prose("Leaves are green."),)),
        Links((Link("https://a.org/x", "https://a.org/x"),)),
        Chip("uploaded file", "f1"),
    )


def test_document_that_is_a_text_shows_what_was_said_of_it():
    source = {"type": "text", "media_type": "text/plain", "data": "a b"}

    entry = prompt([{"type": "document", "source": source, "context": "The input."}])

    assert entry.parts == (
        Fold("text/plain", (Prose("The input."), Code("a b", language="text/plain"))),
    )


ONE = Picture("AA==", "image/png", "Image #1")
TWO = Picture("BB==", "image/png", "Image #2")


def test_picture_stands_behind_the_paragraph_that_names_it():
    text = Prose(
        "See [Image #2] first\n\nthen [Image #1]\n\nand say why", keeps_breaks=True
    )

    assert place_pictures((text, ONE, TWO)) == (
        Prose("See [Image #2] first", keeps_breaks=True),
        TWO,
        Prose("then [Image #1]", keeps_breaks=True),
        ONE,
        Prose("and say why", keeps_breaks=True),
    )


def test_picture_that_is_named_nowhere_stays():
    chip = Chip("command", "/look")

    assert place_pictures((chip, Prose("See"), ONE)) == (chip, Prose("See"), ONE)


def test_picture_moves_behind_a_text_that_comes_later():
    assert place_pictures((ONE, Prose("See [Image #1]"))) == (Prose("See [Image #1]"), ONE)


def test_fenced_text_is_not_cut():
    text = Prose("```\n[Image #1]\n\n```")

    assert place_pictures((text, ONE)) == (text, ONE)


@hypothesis.given(
    st.lists(
        st.sampled_from(
            (ONE, TWO, Prose("a [Image #1]\n\nb"), Prose("[Image #2]\n\n[Image #1]"))
        ),
        max_size=6,
    )
)
def test_no_word_and_no_picture_is_lost(parts):
    unlike = [part for n, part in enumerate(parts) if part not in parts[:n]]

    placed = place_pictures(unlike)

    pictures = [part for part in placed if isinstance(part, Picture)]
    said = sorted(
        word for part in placed if isinstance(part, Prose) for word in part.text.split()
    )
    assert sorted(p.alt for p in pictures) == sorted(
        p.alt for p in unlike if isinstance(p, Picture)
    )
    assert said == sorted(w for p in unlike if isinstance(p, Prose) for w in p.text.split())
