"""What a command prints, where the call and its result are two records."""

from __future__ import annotations

import json

import pytest

from everyleaf.config import RedactOptions
from everyleaf.redact.find import scan_sources
from everyleaf.sources.content import names
from everyleaf.sources.discover import find_sources
from everyleaf.workers import InProcess
from redact.keykinds import HEX
from redact.making import made, password, spoken, token
from sessions import nth


def call(command: str) -> str:
    return use(command=command)


def use(**asked: object) -> str:
    block = {"type": "tool_use", "id": "t1", "name": "Bash", "input": asked}
    return json.dumps(nth(1, "assistant", block))


def result(text: str, **more: object) -> str:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    told = {"stdout": f"{text}\n", "stderr": "", **more}
    return json.dumps(nth(2, "user", block, toolUseResult=told))


@pytest.fixture
def found(tmp_path, monkeypatch):
    monkeypatch.setattr("everyleaf.redact.find.default_memory", lambda _: tmp_path / "m")
    file = tmp_path / "-w" / "s.jsonl"
    file.parent.mkdir()

    def scan(*lines: str) -> list[str]:
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        sources = find_sources([file.parent])
        ((_, scanned),) = scan_sources(
            sources, RedactOptions(), InProcess(), lambda *_: None, cache_dir=tmp_path
        )
        return [one.value for one in scanned.findings]

    return scan


@pytest.mark.parametrize(
    "command",
    [
        "openssl rand -hex 32",
        "cd app && cat secrets/token.txt",
        "make\necho $API_TOKEN",
        "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d",
        "gh auth token",
        "grep -oP 'PASSWORD=\\K.*' .env",
        "cat .env | grep TOKEN | cut -d= -f2",
        "az account get-access-token --query accessToken -o tsv",
        "aws ssm get-parameter --name /db/x --with-decryption --output text",
        "terraform output -raw db_password",
        "tr -dc A-Za-z0-9 </dev/urandom | head -c 24",
    ],
)
def test_what_a_command_prints_is_found_in_its_result(command, found):
    value = made(40, HEX)

    assert value in found(call(command), result(value))


READS = names(
    """
    jq␣-r␣.apiKey␣f.json node␣-p␣process.env.API_KEY echo␣"$API_KEY" $env:API_KEY
    grep␣X_KEY␣.env␣|␣cut␣-d=␣-f2 aws␣configure␣get␣aws_secret_access_key cat␣.pass
    az␣keyvault␣secret␣show␣--vault-name␣v␣-n␣db␣--query␣value␣-o␣tsv cat␣~/.vault_pass
    op␣item␣get␣db␣--fields␣password␣--reveal pulumi␣config␣get␣dbPassword
    vault␣kv␣get␣-field=password␣secret/db gcloud␣secrets␣versions␣access␣1␣--secret=db
    psql␣-At␣-c␣"select␣value␣from␣a␣where␣key='smtp_password'" op␣read␣op://v/db/password
    kubectl␣get␣secret␣db␣-o␣jsonpath='{.data.a}'␣|␣base64␣-d chamber␣read␣app␣db_password
    sqlite3␣db␣'select␣token␣from␣sessions␣limit␣1' keepassxc-cli␣show␣-a␣Password␣a␣b
    python␣-c␣"from␣app␣import␣settings;print(settings.SECRET_KEY)" cd␣a␣&&␣cat␣token.txt
    """
)


@pytest.mark.parametrize("command", sorted(READS))
@pytest.mark.parametrize("make", [password, lambda: spoken() + spoken()])
def test_what_a_command_reads_by_the_name_of_a_secret_is_found(command, make, found):
    value = make()

    assert value in found(call(command.replace("␣", " ")), result(value))


@pytest.mark.parametrize(
    "command",
    [
        "cat VERSION",
        "grep -rl token src",
        "echo $TOKEN_COUNT",
        "cat token.txt && echo done",
        "jq .compass a.json",
        "cat token.txt > file",
    ],
)
def test_what_is_read_by_another_name_stays(command, found):
    assert found(call(command), result(spoken() + spoken())) == []


@pytest.mark.parametrize("text", ["no token there", "src/auth/token.ts", "120", "enabled"])
def test_what_is_no_secret_stays_below_the_name_of_one(text, found):
    assert found(call("cat token.txt"), result(text)) == []


FILES = names("token.txt api_key.txt .vault_pass a/db_password.txt client_secret .token")


@pytest.mark.parametrize("file", sorted(FILES))
@pytest.mark.parametrize("make", [password, token, lambda: spoken() + spoken()])
def test_what_a_file_holds_whose_name_says_it_is_found(file, make, found):
    read, written = make(), make()
    one = {"filePath": f"/w/{file}", "content": read}

    assert written in found(use(file_path=f"/w/{file}", content=f"{written}\n"))
    assert read in found(use(file_path=f"/w/{file}"), result(f"     1→{read}", file=one))


def test_what_another_file_holds_stays(found):
    asked = use(file_path="/w/VERSION", content=spoken() + spoken())

    assert found(asked, result(spoken() + spoken())) == []


def test_it_is_found_where_the_result_comes_later(found):
    value = made(40, HEX)

    assert found(call("gh auth token")) == []
    assert value in found(call("gh auth token"), result(value))


def test_what_other_commands_print_stays(found):
    assert found(call("git rev-parse HEAD"), result(made(40, HEX))) == []
    assert found(call("gh auth token"), result("no oauth token found")) == []


@pytest.mark.parametrize("answer", ["{}", "it's {}"])
def test_an_answer_to_a_question_for_a_password_is_found(answer, found):
    value = password()
    asked = nth(1, "assistant", {"type": "text", "text": "What is the database password?"})
    told = nth(2, "user", {"type": "text", "text": answer.replace("{}", value)})

    assert value in found(json.dumps(asked), json.dumps(told))


def test_an_answer_to_another_question_stays(found):
    asked = nth(1, "assistant", {"type": "text", "text": "Which release?"})
    told = nth(2, "user", {"type": "text", "text": password()})

    assert found(json.dumps(asked), json.dumps(told)) == []


@pytest.mark.parametrize("fields", [("selector", "value"), ("element", "text")])
def test_what_a_browser_fills_in_is_found(fields, found):
    value = password()
    filled = dict(zip(fields, ("#password", value), strict=True))
    block = {"type": "tool_use", "id": "t1", "name": "fill", "input": filled}

    assert value in found(json.dumps(nth(1, "assistant", block)))
