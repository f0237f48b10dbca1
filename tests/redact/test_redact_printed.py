"""What a command prints, where the call and its result are two records."""

from __future__ import annotations

import json
from concurrent.futures import Executor

import pytest

from everyleaf.config import RedactOptions
from everyleaf.redact.detect import open_detector
from everyleaf.redact.find import scan_sources
from everyleaf.sources.discover import find_sources
from everyleaf.sources.lines import names
from everyleaf.workers import InProcess
from redact.keykinds import HEX, LOWER
from redact.making import DIGITS, made, password, phrase, shown, spoken, token
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


def test_rules_are_compiled_before_work_is_handed_to_processes(found, monkeypatch):
    handed: list[int] = []
    plain = InProcess()

    class Processes(Executor):
        def submit(self, *work, **more):
            handed.append(open_detector.cache_info().currsize)
            return plain.submit(*work, **more)

    monkeypatch.setattr(f"{__name__}.InProcess", Processes)
    open_detector.cache_clear()

    found(call("ls"), result("a b"))

    assert handed == [1]


def test_what_is_remembered_needs_no_rules(found):
    lines = call("openssl rand -hex 32"), result("c0ffee" * 10)
    before = found(*lines)
    open_detector.cache_clear()

    assert found(*lines) == before != []
    assert open_detector.cache_info().currsize == 0


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


SHAPES = [
    lambda: f"{spoken().title()}#{spoken().title()}/{made(2, '23456789')}",
    lambda: f"!{spoken().title()}{made(3, '23456789')}{spoken()}",
    lambda: f"P@{spoken()}w0rd{made(3, '23456789')}",
    lambda: f"{spoken()}.{spoken()}!{made(3, '23456789')}",
]
"""As people make passwords."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "command",
    [
        "anytool open '{}' in.zip",
        "filesend //h/share -U ada%'{}'",
        "filesend -u ada,'{}' sftp://h",
        "dump.py ada:'{}'@db.example.org",
        "anytool --raw <<< '{}'",
        "anytool --stdin < <(echo '{}')",
        "for p in x '{}'; do anytool \"$p\"; done",
        "sudo -S ls <<EOF\n{}\nEOF",
        "chpasswd <<'EOF'\nada:{}\nEOF",
        "anycli set wifi.key='{}'",
    ],
)
def test_what_looks_like_a_password_is_found_in_what_someone_ran(command, shape, found):
    value = shape()

    assert any(value in one for one in found(call(command.replace("{}", value))))


def test_paths_versions_and_expressions_that_someone_ran_stay(found):
    commands = (
        "go get example.org/a/cobra@v1.9.2 && npm i react@18.2.0 @a/b@latest",
        "git show HEAD~3 9f8e7d6c^ && gh issue view acme/repo#123",
        "ls docs/2026-08-19* && rm -rf out/*.v2 'run-2026-06-23T22-30'",
        "grep -rn 'Test.*V2\\|Sideband64k' src && rg '^[0-9]+:func '",
        "mail ada2@example.org; curl 'http://h/a%20b%2Fc1#L10' --session 8c66f12a",
    )

    assert found(*map(call, commands)) == []


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("file", ["/w/passwords.txt", "/w/creds.txt", "/w/vpn-auth.txt"])
def test_what_looks_like_a_password_is_found_in_a_file_of_them(file, shape, found):
    values = [shape() for _ in range(4)]
    lines = f"wiki: {values[0]}\nh.example ada {values[1]}\n"
    shown_ = {"type": "file", "filename": file, "content": {"file": {"content": values[2]}}}

    seen = found(
        use(file_path=file, old_string=lines),
        call(f"cat -n {file}"),
        result(f"1\tvpn: {values[3]}\n2\t# end"),
        json.dumps(nth(3, "user", "see it") | {"attachment": shown_}),
    )

    assert set(values) <= set(seen)


@pytest.mark.parametrize(
    ("question", "make"),
    [
        ("Which token should it use?", lambda: made(40, HEX)),
        ("Which API key is right?", lambda: made(32, "abcdefghkmnpqrst23456789")),
        ("What is your PIN?", lambda: made(6, "0123456789")),
    ],
)
def test_what_a_person_answers_to_a_question_for_a_secret_is_found(question, make, found):
    value = make()
    told = f'User has answered your questions: "{question}"="{value}".'

    assert value in found(call("x"), result(told, answers={question: value}))
    assert found(call("x"), result("ok", answers={"Which commit?": value})) == []


def test_what_a_command_of_the_session_is_given_to_log_in_is_found(found):
    value = password()
    said = (
        "<command-name>/login</command-name>\n<command-message>login</command-message>\n"
        f"<command-args>ada {value}</command-args>"
    )

    assert value in found(json.dumps(nth(1, "user", {"type": "text", "text": said})))


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
    consul␣keygen mix␣hex.user␣key␣generate␣--key-name␣ci nsc␣generate␣nkey␣--user
    redis-cli␣config␣get␣requirepass␣|␣tail␣-1 docker␣swarm␣unlock-key␣-q
    systemd-creds␣decrypt␣db.cred␣- git-crypt␣export-key␣/dev/stdout␣|␣base64
    xxd␣-ps␣a/admin.macaroon bw␣generate␣-ln␣--length␣18 uuidgen␣#␣new␣API␣key
    cat␣/etc/munge/key.b64
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
        "cat token.txt && make test",
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


def test_what_is_edited_in_a_file_of_secrets_and_told_in_json_is_found(found):
    edited, held, made_ = (made(32, HEX) for _ in range(3))
    edit = use(file_path="/w/config/master.key", old_string=edited, new_string="x")
    file = json.dumps({"path": "config/master.key", "content": held})
    log = json.dumps({"cmd": "head -c 16 /dev/urandom | xxd -p", "log": made_})

    assert edited in found(edit)
    assert held in found(call("curl h/file"), result(json.dumps({"result": file})))
    assert made_ in found(call("curl h/log"), result(log))


def test_each_password_in_a_line_of_pwgen_and_the_words_of_a_wallet_are_found(found):
    pair = [f"{made(8, LOWER)}4q7x" for _ in range(2)]
    words = phrase(12).replace("-", " ")

    assert {*pair} <= {*found(call("pwgen -s 12 2"), result(" ".join(pair)))}
    assert words in found(call("bip39 generate"), result(words))


def test_the_second_line_of_a_file_that_logs_in_is_found(found):
    value = f"{spoken()}{made(3, '23456789')}"
    file = {"filePath": "/etc/openvpn/auth.txt", "content": f"jane\n{value}\n"}
    read = use(file_path="/etc/openvpn/auth.txt")

    assert value in found(read, result(f"1→jane\n2→{value}", file=file))


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


def test_digits_that_answer_to_a_wish_for_a_pin_are_found(found):
    value = made(8, "23456789")

    told = found(said(1, "user", "generate a PIN with 8 digits"), said(2, "user", value))

    assert told == [value]


def test_several_answers_to_a_question_for_a_secret_are_found(found):
    value = ", ".join(f"{spoken().title()}#{made(2, DIGITS)}{spoken()}" for _ in range(2))
    answers = {"Which PIN, which token?": value}

    assert value in found(call("x"), result(value, answers=answers))


@pytest.mark.parametrize(
    ("make", "answer"),
    [
        (lambda: spoken() + spoken(), "it's {}"),
        (lambda: spoken() + spoken(), "The password is {}."),
        (lambda: f"{spoken()}{made(1, '23456789')}", "{}"),
    ],
)
def test_a_word_that_answers_a_question_for_a_password_is_found(make, answer, found):
    value = make()
    asked = said(1, "assistant", "What is the database password?")

    assert value in found(asked, said(2, "user", answer.replace("{}", value)))


ASKED = [
    ("What is the PIN?", lambda: made(4, "3456789"), "{}"),
    ("Enter the one-time code from your phone.", lambda: made(6, "3456789"), "{}"),
    ("I need `JWT_SECRET`.", token, "{}"),
    ("What should SMTP_PASS be?", lambda: made(17), "{}"),
    ("I'll need DB_USER, DB_PASS and DB_HOST.", password, "app, {}, db"),
    ("Paste your private key:", lambda: made(64, HEX), "{}"),
    ("What's the passphrase of the key?", lambda: phrase().replace("-", " "), "{}"),
    ("Please paste the recovery phrase.", lambda: phrase(12).replace("-", " "), "{}"),
    ("\u5bc6\u7801\u662f\u4ec0\u4e48\uff1f", password, "{}"),
    ("gib mir ein sicheres Passwort", password, "Hier: `{}`"),
    ("here are the creds", password, "ada\n{}"),
    ("password is in the next message", lambda: f"{phrase(1)}{made(4, '3456789')}", "{}"),
    ("Could you share the API key?", token, "sure, {}"),
    ("What's the password?\n\nI wait for your answer.", password, "{}\n\nthen restart it"),
    ("Is there a keystore password? I cannot sign without.", password, "yes: {}"),
    ("Qual \u00e9 a senha?", lambda: f"{phrase(1)}_{made(2)}q7x", "{}"),
    ("What's the master key for the search?", lambda: f"{phrase(2)}-17", "{} I think"),
    ("What is the code of the alarm?", lambda: made(6, "3456789"), "{}"),
    ("What is the passphrase?", lambda: "wizard winter badger dragon", "{}\n\ntry it"),
]


@pytest.mark.parametrize(("question", "make", "answer"), ASKED)
def test_what_was_asked_for_or_announced_is_found(question, make, answer, found):
    value = make()
    asked = said(1, "assistant", question)

    assert value in found(asked, said(2, "user", answer.replace("{}", value)))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        *(
            ("What is the password?", answer)
            for answer in ("it's missing", "it's still broken", "yes", "continue")
        ),
        ("Shall I rename the token?", "yes, use accessToken instead"),
        ("Should the password field be required?", "yes, see FooBar123 in UserForm.tsx"),
        ("Which password hash do you need?", "bcrypt, cost 12, like in v2.3.1"),
        ("Need a pin?", "v1.2.3 of 2024"),
        ("Shall I run the token tests now? They take long.", "yes please run them"),
        ("What is the passphrase?", "please check the docs first"),
        ("What is the passphrase?", "just leave it empty"),
    ],
)
def test_other_answers_to_it_stay(question, answer, found):
    assert found(said(1, "assistant", question), said(2, "user", answer)) == []


def test_an_answer_to_another_question_stays(found):
    asked = nth(1, "assistant", {"type": "text", "text": "Which release?"})
    told = nth(2, "user", {"type": "text", "text": "zumogaripek4713"})

    assert found(json.dumps(asked), json.dumps(told)) == []


@pytest.mark.parametrize("fields", [("selector", "value"), ("element", "text")])
def test_what_a_browser_fills_in_is_found(fields, found):
    value = password()
    filled = dict(zip(fields, ("#password", value), strict=True))
    block = {"type": "tool_use", "id": "t1", "name": "fill", "input": filled}

    assert value in found(json.dumps(nth(1, "assistant", block)))


FILLED = {
    "a name": ((), {"element": "Password textbox in the form", "text": "{}"}),
    "a form": ((), {"fields": [{"name": "Password", "ref": "e12", "value": "{}"}]}),
    "a ref of Playwright": (
        ('- generic [ref=e2]:\n  - textbox "Password" [ref=e12]',),
        {"element": "second field", "ref": "e12", "text": "{}"},
    ),
    "a uid of DevTools": (
        ('uid=1_11 textbox "E-mail"\nuid=1_12 textbox "Password" required',),
        {"uid": "1_12", "value": "{}"},
    ),
    "a form by uid": (
        ('uid=1_11 textbox "E-mail"\nuid=1_12 textbox "Password" required',),
        {"elements": [{"uid": "1_12", "value": "{}"}]},
    ),
    "a ref of Chrome": (
        ('textbox "Email" [ref_2]\n textbox "Password" [ref_3] type="password"',),
        {"ref": "ref_3", "value": "{}"},
    ),
}


@pytest.mark.parametrize("name", FILLED)
@pytest.mark.parametrize("value", ["sunshine", "silver pirate lemon tulip", "hunter7"])
def test_whatever_is_filled_into_a_field_of_passwords_is_found(name, value, found):
    told, fields = FILLED[name]
    shows = [called(1, "mcp__browser__snapshot"), *(answered(1, one) for one in told)]
    fills = called(
        2, "mcp__browser__fill", **json.loads(json.dumps(fields).replace("{}", value))
    )

    assert value in found(*shows, fills)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ({"uid": "1_11"}, "sunshine"),
        ({"uid": "1_12"}, "changeme"),
        ({"element": "Password reset mail"}, "sunshine"),
    ],
)
def test_what_is_filled_into_other_fields_stays(field, value, found):
    told = 'uid=1_11 textbox "E-mail"\nuid=1_12 textbox "Password" required'
    shows = called(1, "mcp__browser__snapshot"), answered(1, told)

    assert found(*shows, called(2, "mcp__browser__fill", **field, value=value)) == []


def test_a_field_is_known_while_no_other_page_is_told_of(found):
    shows = called(1, "mcp__b__snapshot"), answered(1, 'uid=1_1 textbox "Password"')
    clicks = called(2, "mcp__b__click", uid="1_1"), answered(2, "Clicked, see reference.")

    typed = called(3, "mcp__b__fill", uid="1_1", value="sunshine")
    assert "sunshine" in found(*shows, *clicks, typed)


def test_a_field_of_the_page_before_is_forgotten(found):
    first, second = 'uid=1_1 textbox "Password"', 'uid=1_1 textbox "City"'
    shows = called(1, "mcp__b__snapshot"), answered(1, first)
    again = called(2, "mcp__b__snapshot"), answered(2, second)

    assert (
        found(*shows, *again, called(3, "mcp__b__fill", uid="1_1", value="sunshine")) == []
    )


def said(place: int, kind: str, text: str) -> str:
    return json.dumps(nth(place, kind, {"type": "text", "text": text}))


def called(number: int, name: str, **asked: object) -> str:
    block = {"type": "tool_use", "id": f"t{number}", "name": name, "input": asked}
    return json.dumps(nth(number, "assistant", block))


def answered(number: int, text: str, **told: object) -> str:
    block = {"type": "tool_result", "tool_use_id": f"t{number}", "content": text}
    return json.dumps(nth(number + 5, "user", block, **told))


def attached(**fields: object) -> str:
    return json.dumps({**nth(3, "attachment", {}), "attachment": fields})


COMMANDS = [
    "kubectl get secret web -o jsonpath='{.data.pw}' | base64 -d",
    "python3 -c 'import secrets; print(secrets.token_urlsafe(24))'",
    "rbw get wiki.example.org",
    "node -p \"crypto.randomBytes(24).toString('base64url')\"",
    "sed -n 's/^rpc_password *= *//p' app.ini",
    "curl -s https://h.example/login -d @u | jq -r .access_token",
    "gpg --batch -d pw.gpg",
]
TELLS = {
    "a shell of a server": lambda c, v: (
        called(1, "mcp__box__exec", cmd=c),
        answered(1, v),
    ),
    "a person's own": lambda c, v: (
        said(1, "user", f"<bash-input>{c}</bash-input>"),
        said(2, "user", f"<bash-stdout>{v}</bash-stdout><bash-stderr></bash-stderr>"),
    ),
    "in the background": lambda c, v: (
        called(1, "Bash", command=c),
        answered(1, "Command running in background with ID: b7"),
        called(2, "BashOutput", bash_id="b7"),
        answered(2, f"<status>completed</status>\n<stdout>\n{v}\n</stdout>"),
    ),
    "of a task": lambda c, v: (
        called(1, "Bash", command=c),
        answered(1, "Command running in background with ID: b8"),
        called(2, "TaskOutput", task_id="b8"),
        answered(2, "", toolUseResult={"task": {"output": v}}),
    ),
    "of an older shell": lambda c, v: (
        called(2, "BashOutput", bash_id="b9"),
        answered(
            2,
            f"<status>completed</status>\n<stdout>\n{v}\n</stdout>",
            toolUseResult={"shellId": "b9", "command": c, "stdout": v},
        ),
    ),
    "with its status": lambda c, v: (
        called(1, "Bash", command=c),
        answered(1, f"Exit code 1\n{v}"),
    ),
    "in a fence": lambda c, v: (said(1, "user", f"I ran `{c}`:\n\n```\n{v}\n```\nwhy?"),),
    "behind a prompt": lambda c, v: (said(1, "user", f"ada@box:~$ {c}\n{v}\n"),),
    "quoted": lambda c, v: (said(1, "user", f"> $ {c}\n> {v}\nsays ada"),),
    "at a client": lambda c, v: (said(1, "user", f"mysql> {c}\n{v}\n"),),
    "at another": lambda c, v: (said(1, "user", f'iex(1)> {c}\n"{v}"\n'),),
    "at a third": lambda c, v: (said(1, "user", f'irb(main):001:0> {c}\n=> "{v}"\n'),),
    "at a shell of a Mac": lambda c, v: (said(1, "user", f"ada@box app % {c}\n{v}\n"),),
    "at a shell of root": lambda c, v: (said(1, "user", f"root@box:~# {c}\n{v}\n"),),
    "in colours": lambda c, v: (
        called(1, "Bash", command=c),
        answered(1, f"\x1b[1;32m{v}\x1b[0m"),
    ),
    "in a table": lambda c, v: (
        said(1, "user", f"$ {c}\n+---+---+\n| id | value |\n+---+---+\n| 7 | {v} |\n"),
    ),
    "in a frame": lambda c, v: (
        called(1, "Bash", command=c),
        answered(1, f"┌───┬───┐\n│ id │ value │\n├───┼───┤\n│ 7 │ {v} │\n└───┴───┘"),
    ),
    "in a sentence": lambda c, v: (said(1, "assistant", f"`{c}` printed `{v}`."),),
    "of a hook": lambda c, v: (said(1, "user", f"[{c}]: {v}"),),
}


@pytest.mark.parametrize("told", TELLS)
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("make", [password, token])
def test_what_a_command_prints_is_found_wherever_it_is_told(told, command, make, found):
    value = make()

    assert value in found(*TELLS[told](command, value))


def test_each_line_of_what_is_made_and_each_cell_of_what_is_read_is_found(found):
    values = [token() for _ in range(3)]
    cell = password()

    assert {*values} <= {*found(call("pwgen 32 3"), result("\n".join(values)))}
    assert cell in found(
        call("sqlite3 a.db 'select name, password from people'"), result(f"ada|{cell}")
    )


BESIDE = {
    "a hook": lambda c, v: (
        attached(type="hook_success", stdout=v, content="", command=c),
    ),
    "a hook that blocks": lambda c, v: (
        attached(type="hook", blockingError={"blockingError": v, "command": c}),
    ),
    "an object": lambda c, v: (
        called(1, "mcp__box__exec", cmd=c),
        answered(1, json.dumps({"command": c, "stdout": v, "exitCode": 0})),
    ),
}


@pytest.mark.parametrize("told", BESIDE)
@pytest.mark.parametrize("command", ["cat /etc/a.secret", "bin/rails secret"])
def test_what_a_command_prints_is_found_beside_it(told, command, found):
    value = made(32, HEX)

    assert value in found(*BESIDE[told](command, value))


def test_a_password_of_groups_is_found(found):
    value = " ".join(f"{made(3)}7" for _ in range(6))

    command = "wp user application-password create ada ci --porcelain"
    assert value in found(call(command), result(value))


def test_words_that_make_a_passphrase_are_found(found):
    phrase = " ".join(spoken() for _ in range(5))

    assert phrase in found(call("diceware -n 5"), result(phrase))
    assert phrase in found(
        said(1, "user", "<bash-input>diceware -n 5</bash-input>"),
        said(
            2, "user", f"<bash-stdout>{phrase}\n</bash-stdout><bash-stderr></bash-stderr>"
        ),
    )


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("cd my-token-app && pwd", "/home/ada/code/my-token-app2"),
        ("ls $(go env GOPATH)/token", "gcfg@v1.5.1-0.20230307220236\ngo-git-fixtures"),
        ("sha256sum password.txt | cut -d' ' -f1", "{hex}"),
        ("grep -rn credential src", "src/auth/credential_store2.go:14:"),
        ("git rev-parse HEAD:token", "{hex}"),
        ("pulumi config get token", "host=localhost:8080"),
        ("aws secretsmanager list-secrets", '{"SecretList":[{"Name":"db-a1B2c3"}]}'),
    ],
)
def test_paths_digests_and_settings_are_no_answers(command, text, found):
    text = text.replace("{hex}", made(40, HEX))

    assert found(call(command), result(text)) == []
    assert found(said(1, "user", f"I ran `{command}`:\n\n```\n{text}\n```\n")) == []


def test_what_a_container_makes_is_an_answer(found):
    value = made(64, HEX)

    assert value in found(
        call("docker run --rm my-cmd openssl rand -hex 32"), result(value)
    )


def test_the_id_of_a_container_is_no_answer(found):
    command = "docker run -d -e DB_PASSWORD=$PW app:1"

    assert found(call(command), result(made(64, HEX))) == []


@pytest.mark.parametrize("command", ["token()", "gh auth token", "create_token()"])
@pytest.mark.parametrize("told", ["`{}` graph commit layout bucket", "Call `{}`:", "$ {}"])
@pytest.mark.parametrize("language", ["python", "typescript", "", "c++", "shell-session"])
def test_the_code_behind_a_command_stays_code(command, told, language, found):
    text = f"{told.format(command)}\n\n```{language}\nlayout = 1\n```\n"

    assert not found(json.dumps(nth(1, "assistant", {"type": "text", "text": text})))


WRAPPED = [
    "export DB_PASSWORD={}",
    '  "password": "{}",',
    "postgres://ada:{}@db.example.org:5432/crm",
    "curl -u ada:{} https://x.example.org/api",
    "The password for the staging database is {} and the user is ada.",
    "docker login -u ada -p {} registry.example.org",
]


@pytest.mark.parametrize("said", WRAPPED)
@pytest.mark.parametrize("frame", ["", "\u2502 "])
def test_a_password_that_a_terminal_cut_is_hidden_whole(said, frame, detector):
    value = password()
    before = said.partition("{}")[0]
    line = f"{'word ' * 20}"[: 74 - len(before)] + said.replace("{}", value)
    cut = [line[at : at + 80] for at in range(0, len(line), 80)]
    text = "\n".join(f"{frame}{one:<80} \u2502" if frame else one for one in cut)

    left = shown(detector, text)

    assert value[:6] not in left
    assert value[6:] not in left


def test_lines_of_all_columns_stay_apart_where_nothing_is_cut(detector):
    texts = [
        f"{'the password must be long, '.ljust(79, 'x')}.\nand it is asked for twice",
        f"17\t// {'BasicAuth and TokenAuth, whose Authorizer':.>74}\n18\t// methods go",
    ]

    assert [shown(detector, text) for text in texts] == texts


PASTED = {
    "above a fence": "{c}\n```\n{v}\n```\nis this right?",
    "told of": "this is what I have in {c}:\n\n{v}\n\nwhy does it not work?",
}


@pytest.mark.parametrize("shape", PASTED)
@pytest.mark.parametrize(
    "command",
    [
        "openssl rand -base64 32",
        "az keyvault secret show --name db --query value -o tsv",
        "terraform output -raw kube_admin_pw",
        "aws ecr get-login-password",
    ],
)
def test_what_a_command_prints_is_found_below_it_where_it_is_pasted(command, shape, found):
    value = token()

    assert value in found(said(2, "user", PASTED[shape].format(c=command, v=value)))


@pytest.mark.parametrize(
    "text",
    [
        "Use the token in the header:\n\nAuthorization4\n",
        "run pytest with --junit-xml\n```\nreport4.xml\n```",
        "git show --format=%H -s\n```\n1f0c9a2b7\n```",
        "| `get_token` | reads it |\n| AC-F2.10 | routes.rs:164-166 |\n",
    ],
)
def test_what_is_pasted_below_anything_else_stays(text, found):
    assert found(said(2, "user", text)) == []
