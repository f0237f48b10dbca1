r"""Passwords and tokens in what people run and call, and in settings of one program.

Rows as those of `contexts`, which reads them.
"""

from __future__ import annotations

import re

from everyleaf.redact import text_of
from everyleaf.redact.engine import compile_pattern, may_have
from everyleaf.redact.examples import FOREIGN
from everyleaf.sources.lines import lazily

PRINTING, READERS, MAKING = (
    f"(?:{'|'.join(rows.splitlines())})"
    for rows in re.findall(r"(?m)^# .*\n((?:.+\n)+)", text_of("commands"))
)
"""What a command has that prints a secret, also one of a file, a store or a cloud; what
reads a password from what is typed; a command that makes a value, or reads one from where
secrets are kept."""
_NAME = (
    r"(?:passw(?:or)?d|passphrase|passcode|(?<![a-z])(?:pass|psk|pw(?![a-z]))|pwd|secret|token|credentials?"
    r"|(?:api|access|secret|private|auth|master|signing|encryption|anon|service|role)[_-]?keys?|(?:master|credentials)\.key|erlang\.cookie|vault_pass|google_authenticator"
    r"|(?-i:_KEY))(?:string|[_-]?value)?"
)
_SELECTED = lazily(rf"(?i){_NAME}(?![\w-]|\.(?!txt\b|[\"' \t]))|document\.cookie")
"""The name of a secret, in what a command or a tool is asked for."""
_MADE = lazily(f"(?i){MAKING}")
ASKING = f"(?:passw|passphrase|passcode|pass|psk|pwd?|secret|token|credential|key|{MAKING})"
"""What a command that asks for a secret has, as RE2 looks for it."""
_MAY_NAME = rf"(?i){FOREIGN}|/run/secrets/|pass|psk|pwd|(?:[._-]|\b)pw\b|secret|token|cred|key|login|auth|codes|netrc|userlist|\.cookie|\.pw|\.user|_users?\.|id_[rde]|document\.cookie"
"""What is in each name of a secret, and of a file with one."""
_MAY_ASK = rf"{_MAY_NAME}|{MAKING}"
_NO_SECRET = lazily(
    r"\bgit[ \t]+(?:[a-z-]+=\S+[ \t]+)*(?:log|rev-parse|show(?![^\n]*[ \t][\w~^/@{}.-]+:[\w./])|branch|hash-object|merge-base|describe|rev-list)\b|\b[ef]?grep[ \t]+(?![\"']?\.)(?:-\w+[ \t]+)*-\w*[lcnrRH]|\A(?:pwd|cd|ls)\b|\b(?:docker|podman)[ \t]+(?:run[ \t]+(?:-\S+[ \t]+(?:[^\s-]\S*[ \t]+)?)*?-\w*d|create|start)(?=\s|\Z)|\b(?:md5|sha\d*|b2)sum\b(?![^\n]*base64)|(?<![\d=&-])(?<!\APS)>(?!&[12])|^(?:sudo[ \t]+)?(?:(?:[ef]?grep|rg|ag)(?![ \t]+(?:-\w*o|(?:-h[ \t]+)?[\"']?\.[\"']?[ \t]))|find(?![^\n]*-exec[ \t]+(?:cat|head|tail)\b)|ls|wc|which|stat|file|du)\b(?![^\n]*\|[ \t]*(?:cut|awk|sed|tr|head|tail|xargs)\b)"
)
_FILE = lazily(
    rf"(?i)(?:^|[/\\])(?:[\w.-]*(?:{_NAME}|creds?|logins?|(?:recovery|backup)[-_]?codes?|pw(?=\.txt)|(?!parole)(?:{FOREIGN})|(?<![a-z])auth(?=\.(?:txt|conf))|-auth|erlang\.cookie)s?(?:\.(?:txt|key|conf|dat|secret|csv|client|lst))?"
    r"|/run/secrets/[\w.-]+|(?:master|credentials|production|staging)\.key|userlist\.txt|(?<!\w)secrets\.ya?ml|key\.(?:b64|base64|hex)|[\w.-]*(?:htpasswd|netrc|pgpass)|[\w.-]*ask-?pass[\w.-]*|[\w-]+\.(?:pw|users?)|(?:vs?ftpd?|virtual|vmail|mail|smtp)[_-]users?\.txt|id_(?:rsa|dsa|ecdsa|ed25519))\Z"
)
_READS = lazily(
    r"\b(?:cat|bat|less|more|head|tail|nl|sed[ \t]+-n|strings|type)((?:[ \t]+[^\s|;&<>]+)+)"
)
_LONGEST_READ = 300
_LONGEST_COMMAND = 20_000
_ENDED = lazily(r"&&|\|\||;\s|\n")
_TAIL = lazily(
    r"(?:\s*(?:&&|\|\||[;\n])\s*(?:echo(?:[ \t]+[\"'\w .!-]{0,40})?|true|:|ls|2>\S{1,40})){1,3}\s*\Z"
)
"""What goes on behind a command, and prints nothing of a file."""
_LINE = rf"{PRINTING}[^\n]*"


def names_secret(file: str) -> bool:
    """Return whether a file is one with a secret by its name."""
    return may_have(_MAY_NAME, file) and _FILE.search(file) is not None


def reads_secrets(command: str) -> bool:
    """Return whether the last of what a command does is to print a file of secrets."""
    if not may_have(_MAY_NAME, command):
        return False
    last = _last_of(command)
    is_read = len(last) <= _LONGEST_READ and _NO_SECRET.search(last) is None
    return is_read and any(
        names_secret(word.strip("\"'"))
        for said in _READS.finditer(last)
        for word in said[1].split()
    )


def asks_for_secret(command: str) -> bool:
    """Return whether a command, or what a tool is asked for, reads a secret or makes one."""
    if len(command) > _LONGEST_COMMAND or not may_have(_MAY_ASK, command):
        return False
    last = _last_of(command)
    is_read = len(last) <= _LONGEST_READ and _SELECTED.search(last) is not None
    return (
        is_read or (len(command) <= _LONGEST_READ and _MADE.search(command) is not None)
    ) and _NO_SECRET.search(last) is None


def _last_of(command: str) -> str:
    """Return the last of several commands whose output is more than a word."""
    return _ENDED.split(_TAIL.sub("", command.strip()))[-1]


def printing_line(command: str) -> str:
    """Return how the first line goes on from where a command prints a secret; or nothing."""
    body = command.encode(errors="replace")
    found = compile_pattern(_LINE).search(body)
    return body[slice(*found.span())].decode(errors="replace") if found else ""
