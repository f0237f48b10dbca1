"""A git repository, and the sessions that worked in it, made step by step on one clock."""

from __future__ import annotations

import difflib
import os
import subprocess
from datetime import UTC, datetime, timedelta

from everyleaf.opening.reading import Scope
from everyleaf.why.history import asked_lines
from everyleaf.why.trace import trace
from sessions import Home, Talk

START = datetime(2026, 1, 1, 10, tzinfo=UTC)
BOT = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.example>"


class World:
    """Ada's repository, what she and others commit, and her sessions."""

    def __init__(self, folder):
        self.home = Home(folder / ".claude")
        self.top = folder / "parser"
        self.top.mkdir(parents=True)
        self.now = START
        self.talks = []
        self.git("init", "-q", "-b", "main")
        self.commit_file("README.md", "# A parser\n", "Begin")

    def wait(self, minutes=1):
        self.now += timedelta(minutes=minutes)
        return f"{self.now:%Y-%m-%dT%H:%M:%S}.000Z"

    def git(self, *arguments, author="Ada <ada@example.org>"):
        name, _, email = author.partition(" <")
        at = f"{int(self.now.timestamp())} +0000"
        mine = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        for role in ("AUTHOR", "COMMITTER"):
            mine |= {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": email.rstrip(">")}
        mine |= {"GIT_COMMITTER_DATE": at, "GIT_EDITOR": "true"}
        if arguments[0] in {"commit", "merge"} and "--amend" not in arguments:
            mine["GIT_AUTHOR_DATE"] = at
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.top,
            env=os.environ | mine,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def read(self, file):
        place = self.top / file
        return place.read_text() if place.exists() else ""

    def write(self, file, text):
        """Change a file as a person does in an editor."""
        (self.top / file).parent.mkdir(parents=True, exist_ok=True)
        (self.top / file).write_text(text)

    def append(self, file, *lines):
        self.write(file, self.read(file) + "".join(f"{line}\n" for line in lines))

    def commit(self, message, *options, **more):
        self.wait()
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message, *options, **more)
        return self.git("rev-parse", "HEAD").strip()

    def commit_file(self, file, text, message, **more):
        self.write(file, text)
        return self.commit(message, **more)

    def session(self, name, **fields):
        talk = Session(self, self.home.project / f"{name}.jsonl", name, **fields)
        self.talks.append(talk)
        return talk

    def agent(self, agent_id, talk):
        file = self.home.agent(agent_id, talk.session, description="Help").file
        made = Session(self, file, talk.session, isSidechain=True, agentId=agent_id)
        self.talks.append(made)
        return made

    def save(self):
        for talk in self.talks:
            talk.save()


def answers_of(world, file):
    """Return what is found of a file, and the answer to each of its lines, in order."""
    world.save()
    lines = asked_lines(world.top, file)
    (found,) = trace(Scope((world.home.folder,)), lambda *_: None, world.top, [lines])
    answers = {
        line: source
        for source in found.answers
        for first, last in source.spans
        for line in range(first, last + 1)
    }
    return found, [answers[line] for line, _, _ in lines.lines]


class Session(Talk):
    """A session that edits files of the repository, as its edit tools record it."""

    def __init__(self, world, file, session, **fields):
        super().__init__(file, session, **fields)
        self.world = world
        self.knows_contents = True
        """Its results hold what files held before; newer ones leave that out at times."""

    def add(self, kind, content, **more):
        return super().add(kind, content, at=self.world.wait(), **more)

    def edit(self, file, old, new):
        """Replace a text; return the uuid of the call's record."""
        before = self.world.read(file)
        assert before.count(old) == 1
        return self.rewrite(file, before.replace(old, new))

    def append(self, file, *lines):
        """Add lines at the end of a file; return the uuid of the call's record."""
        return self.rewrite(
            file, self.world.read(file) + "".join(f"{line}\n" for line in lines)
        )

    def rewrite(self, file, text):
        """Change a file, or make it; return the uuid of the call's record."""
        before = self.world.read(file)
        self.world.write(file, text)
        name = f"/home/ada/parser/{file}"
        asked = {"file_path": name, "content": text}
        kind = "update" if before else "create"
        result = {"type": kind, "filePath": name, "content": text, "originalFile": before}
        if before and not self.knows_contents:
            patch = difflib.unified_diff(
                before.splitlines(), text.splitlines(), lineterm=""
            )
            asked = {"file_path": name, "old_string": before, "new_string": text}
            result = {"filePath": name, "structuredPatch": [*_hunks(list(patch)[2:])]}
        self.call("Edit" if "old_string" in asked else "Write", asked, result=result)
        return self.records[-2]["uuid"]

    def commit(self, message, *options):
        """Commit all that is changed, and record what git prints."""
        self.world.git("add", "-A")
        asked = {"command": f"git commit -m '{message}'"}
        tool_use_id = f"toolu_{self.file.stem[:8]}_{len(self.records)}"
        block = {"type": "tool_use", "id": tool_use_id, "name": "Bash", "input": asked}
        uuid = self.add("assistant", [block])
        said = self.world.git("commit", "-m", message, *options)
        given = {"type": "tool_result", "tool_use_id": tool_use_id, "content": said}
        self.add("user", [given], toolUseResult={"stdout": said, "stderr": ""})
        return uuid


def _hunks(patch):
    """Yield the hunks of a patch as the CLI records them: a tab as two blanks."""
    places = [at for at, line in enumerate(patch) if line.startswith("@@")]
    for at, end in zip(places, [*places[1:], len(patch)], strict=True):
        old, new = (int(each[1:].split(",")[0]) for each in patch[at].split()[1:3])
        lines = [line.replace("\t", "  ") for line in patch[at + 1 : end]]
        yield {"oldStart": old, "newStart": new, "lines": lines}
