r"""Places where passwords and tokens stand: strict about the place, free about the value.

A row of `contexts.txt` is a kind, who judges what stands there (`judging`), and a pattern of
RE2 whose first group that took part is the value; `{...}` stands for what `_PIECES` has
under that name. Behind `@` stands, without regard to case, what is in each line that one of
the rows below it begins in: only such lines are looked at closely, and by those rows alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact import commands, examples, judging, neighbours, words
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Callable


class Context(NamedTuple):
    """A place, and which values there are secrets."""

    sign: str
    """Pattern of what is in the line that it begins in, in small letters or large ones."""
    kind: str
    pattern: str
    is_secret: Callable[[str], bool]
    gate: str
    """Pattern of what is in each text in which the other one finds something."""


_VENDORS = (
    "mistral|cohere|openai|anthropic|claude|groq|gemini|deepgram|stripe|twilio|sendgrid|mailgun"
    "|datadog|algolia|alpha[ ]?vantage|pagerduty|cloudflare|cf|maps|rapidapi|posthog|supabase"
)
"""Whose keys people name after them."""

_PIECES = {
    # Names of passwords, and of other secrets, whatever stands before them.
    "pass": r"(?:passw[o0]rd(?:_?plain|_?clear)?|passwort|passw(?:d|\b)|pass[ _-]?phrase|passcode|_pass|pre-?shared-?key|\bpsk|-psk|(?:\b|_)pw(?:d|_plain|\b)|psw|pswd|kennwort|\bpwd_(?:admin|root|user|db|prod|old|new)|(?:db|user|smtp|rpc|control|remote|root|admin|ldap|mail|imap|ftp|wifi|bind|proxy|sudo|mqtt|router|my)_?(?:pass|pwd?)"
    r"|(?:wi-?fi|wlan)_?key|(?:unlock|door|gate|alarm)_?code|(?-i:[a-z]P(?:wd?|ass)\b|[A-Z]{2}P(?:W|WD)\b))",
    "SECRET": r"(?:SECRET|TOKEN|API_?KEY|APIKEY|PRIVATE_?KEY|ACCESS_?KEY|SECRET_?KEY|SIGNING_?KEY"
    r"|ENCRYPTION_?KEY|MASTER_?KEY|AUTH_?KEY|SERVICE_?KEY|LICENSE_?KEY|APP_?KEY|_SALT|CRED(?:S|ENTIALS?)?"
    r"|_DSN|_AUTH|_COOKIE|_PAT|_SEED|_SIGNING|_LICENSE|(?:BW|OP)_SESSION|_KEYS?)(?:_(?:KEY|VALUE|BASE|BASIC|HASH|PROD|PRODUCTION|DEV|STAGING|TEST|LIVE"
    r"|GITHUB|GITLAB|AWS|V?\d{1,3}|[A-Z]))?",
    "secret": r"(?:secret|token|(?:api|private|access|secret|signing|encryption|decryption|validation|upgrade|cookie|jwt|master|stream|auth|service(?:[ _.-]role)?|account"
    r"|license|shared|app|consumer|subscription|client|write|admin|fernet|network|local|azure_?storage|{vendor})[ _.:-]?key|credentials?|hmac|_auth|[_-]pat\b|(?-i:[a-z]Pat\b)|pepper|(?:[_-]|password)salt(?:main)?)"
    r"(?:[ _-]?(?:key|value|string|base"
    r"|hash|prod|dev|test|live|data|text|raw|v?\d{1,3}))?",
    # Between a name and its value: quotes that may be escaped, marks of prose, a sign.
    "is": r"[\"'`*_\]\\)]{0,6}\s{0,24}(?:=>|:=|\?{1,2}=|\+=|==?|:)\s{0,8}(?:[!&]{1,2}\w{1,20}[ ])?[*_]{0,2}[\\bfruBFRU@]{0,2}",
    "is_env": r"[\\]?(?:[ ]?\?=[ ]?|=)[*_]{0,2}",
    # The last ones are doubled, as SQL, CSV and shells do inside of quotes.
    "double": r"(?:\"((?:[^\"\\\n]|\\[^\n])+?)\\?\"|\"\"([^\"\\\s,;:()+]+)\"\")",
    "single": r"(?:'\\''([^'\n]+)'\\''|'((?:[^'\\\n]|\\[^\n])+?)\\?'|''([^'\\\s,;:()+]+)'')",
    "tick": r"`([^`\n]+)`",
    "bare": r"([^\s\"'`<>|,;]{3,})",
    "env": r"([^\s\"'`]+)",
    "cmd": r"(?:^|[\s;&|$(`\"'>/])",
    "gutter": r"(?:[^\n]{0,40}\d\d:\d\d:\d\d[.,\d]*(?:Z[ \t](?:\[\w+\][ \t])?|[ ][^\n]{3,40}[ ]-[ ])|[ \t]*\d+(?:\x{2192}|\t|: | \|)|[\w./-]+[:-]\d+[:-]|[\w-]+[ \t]+\|)?[ \t>|+\x{2502}-]*",
    # Where a line begins, maybe within quotes.
    "start": r"(?:^|[\n\"'`>(=]){gutter}",
    "line": r"(?:^|\n)[^\n:=]{0,48}",
    "triple": r"(?:\"\"\"([^\"\n]{2,})\"\"\"|'''([^'\n]{2,})''')",
    # A type, where programs declare one.
    "typed": r"\w{0,12}(?:\s?:\s?&?(?:'static\s)?|[ ]As[ ])[\w.<>\[\]?| ]{2,30}\s?=\s?(?:(?:\w{0,20}[Ff]ield|Secret(?:Str|Bytes))\()?[bfru]{0,2}",
    # Where a word begins: also behind an escape that is written out, and a mark of prose.
    "b": r"(?:\b|_|\\[nrt]|%0[AaDd])",
    # Letters that are all that is assigned, at the end of a line; between quotes; behind it.
    "word": r"([{L}][{L}_-]{3,60})(?:`|[\"'`*_~.!?\]>]{0,4}[ \t]*(?:[\r\n<|]|[ \t](?:#|//|\\)|$))",
    "letters": r"[\"']([{L}\d][{L}\d_.:=!@#%^&*+~?-]{5,60})\\?[\"']",
    "mixed": r"([{L}\d][{L}\d_.!@#%^&*+~?-]{5,60})[\"'`*_~!?\]>]{0,4}[ \t]*(?:[\r\n<|]|[ \t](?:#|//|\\)|$)",
    "run": r"([{L}\d][{L}\d_.!@#%^&*+~?-]{5,60})(?:[\s\"'`<|;,]|$)",
    "sign": r"[\"'`*_]{0,3}(?:[ \t]{0,8}[:=]|[ ]\.{3,60}[ :]|\.{6,60})[:*_]{0,3}[ \t]{0,8}[*_]{0,3}",
    # Names that say clearly that what follows is secret.
    "strict": r"(?:secret(?:[ _-]?key(?:[ _-]?base)?)?|(?:api|private|access|signing|encryption|master|auth|admin|app|service[ _-]role|{vendor})[ _.-]?key"
    r"|(?:api|access|auth|bot|refresh|deploy|npm|github|gitlab|slack)[ _-]?token)",
    "STRICT": r"(?:SECRET(?:_?KEY(?:_BASE)?)?|TOKEN|(?:API|PRIVATE|ACCESS|SIGNING|ENCRYPTION|MASTER|AUTH|ROLE)_?KEY)",
    "spaced": r"([A-Z][a-z]{2,11}(?:[ ][a-z]{3,11}){1,2}[ ]\d{1,4})",
    "row": r"((?:[a-z]{3,10}[ ]){3,8}[a-z]{3,10}(?:[ ]!)?)",
    # What only its owner knows.
    "recall": r"maiden[ ]name|(?:first|favou?rite|childhood)[ ](?:pet|car|school|teacher|street|job|book|film|friend|hero)|(?:security|reset|secret)[ ](?:question|answer)|gr[eo]w[ ]up|born[ ]in|m\x{e4}dchenname|sicherheitsfrage|девичья|nom[ ]de[ ]jeune[ ]fil{2}e|apellido[ ]de[ ]soltera|cognome[ ]da[ ]nubile|(?:code|duress|panic|safe)[ ]?word",
    # Before a code that somebody was sent.
    "yours": r"din kod \x{e4}r|(?:dein|ihr)[ ](?:[\w-]+[ ])?code[ ](?:lautet|ist)|votre code(?:[ ]de[ ]\w+)?[ ]est|(?:tu|su)[ ]c[o\x{f3}]digo(?:[ ]de[ ]\w+)?[ ]es|seu[ ]c[o\x{f3}]digo(?:[ ]de[ ]\w+)?[ ](?:\x{e9}|e)|il[ ]tuo[ ]codice(?:[ ]di[ ]\w+)?[ ](?:\x{e8}|e)|uw[ ]code[ ]is|tw\x{f3}j[ ]kod[ ]to|ваш[ ]код|код[ ]подтверждения|验证码|驗證碼|認証コード|인증번호",
    # Who logs in to Kafka, as its manual and most settings call them: `user_admin="…"`.
    "sasl": r"(?:admin|alice|bob|kafka|client|producer|consumer|broker)\w{0,20}",
    "foreign": f"(?:{examples.FOREIGN})",
    "latin": r"[!-_a-~\x{c0}-\x{24f}]",
    "scripted": r"[\x{370}-\x{1fff}\x{3041}-\x{d7ff}]",
    # What prose puts between a name and a value.
    "of": r"(?:[ \t]{1,2}(?:f\x{fc}r|von|der|de|du|des|del|della|do|da|pour|от|для|к|van|voor|dla|av|till|pentru|k|for|of|to|on|en)[ \t](?:[^\n:=\"]|\"\w[^\n:=\",]*\"){1,40}?)?",
    "opened": r"[\"'`*_(<\x{201c}-\x{201e}\x{ab}\x{300c}]{0,3}[ \x{a0}]?",
    # What stands between words of a key and a token: a sign, a cell, a verb.
    "link": r"(?:[ ]\([\w ]{2,12}\))?[\"'`*_\])]{0,4}(?:[ \t]*(?:[?|,;:=\x{203a}\x{2502}\x{2551}\x{ff1a}\x{2192}\x{2013}\x{2014}]|->|<-|(?:は|是|为|為)\x{ff1a}?)[ \t]*|[ ]-[ ]|[ ]you need:?[ ]|[ \t]{1,30}\(?"
    r"|['\x{2019}]s[ ]|[ \t]+(?:(?:is|was|will|to|as|set|changed|rotated|should|be|now|with|=|ist|lautet|est|es|\x{e8}|\x{e9}|\x{e4}r)[ \t:]+){1,3})[\"'`*(~\x{201c}\x{201e}\x{ab}]{0,4}",
    "items": r"(?:[\s\d>|+{\[\x{2192}-]{0,24}[\"']?[a-zA-Z]\w{0,30}[\"']?\s{0,8}[:=]\s{0,2}[\"']?[^\n{}\"',]{1,60}[\"']?,?){0,2}?",
    # Letters, and what few texts have besides: the class of all letters takes long to compile.
    "L": r"A-Za-z\x{c0}-\x{1fff}\x{3040}-\x{fdff}",
    "vendor": _VENDORS,
    # What an administrator logs in to.
    "panel": "cpanel|plesk|ipmi|idrac|ilo|bmc|smtp|imap|phpmyadmin|grafana|portainer|proxmox|jenkins|kibana|wordpress|wp-admin|pi-?hole|unifi|esxi|vcenter",
    # Who names a setting after a service alone keeps its key there.
    "bare_vendor": "PUSHER|SERPAPI|SCRAPINGBEE|SCRAPERAPI|BROWSERLESS|BUNNY|AGORA|ABLY|TAVILY|EXA|FIRECRAWL|DEEPGRAM|ASSEMBLYAI|ELEVENLABS|REPLICATE|OPENROUTER|WANDB|KAGGLE|TMDB|OMDB|OPENWEATHER|OPENWEATHERMAP|COINMARKETCAP|COINGECKO|ETHERSCAN|INFURA|ALCHEMY|FINNHUB|NEWSAPI|SENDGRID|MAILGUN|POSTMARK|RESEND|TWILIO|VONAGE|MAPBOX|UNSPLASH|PEXELS|GIPHY|ALGOLIA|IPINFO|IPSTACK|ABUSEIPDB|VIRUSTOTAL|SHODAN|CENSYS|HUNTER",
}
# Many may begin at once: counted, they would be many states of one automaton.
_PIECES["start"] = _PIECES["start"].replace(
    "{gutter}", _PIECES["gutter"].replace("{0,40}", "*").replace("{3,40}", "{3,}")
)
_PIECES.update(printing=commands.PRINTING, readers=commands.READERS)
_PIECES["quoted"] = "(?:{triple}|{double}|{single}|{tick})".format_map(_PIECES)
_PIECES["value"] = "(?:{double}|{single}|{env})".format_map(_PIECES)

_LOOSE = _PIECES | {
    "pass": r"\w*(?:pass|pw|psk|pswd?|kennwort|pre-?shared-?key|(?:wi-?fi|wlan)_?key"
    r"|(?:unlock|door|gate|alarm)_?code)(?:\w*|[ ]phrase)",
    "secret": r"(?:secret|token|key|credential|hmac|_auth|pat|pepper|salt)[\w-]*(?: \w{3,6})?",
    "SECRET": r"(?:SECRET|TOKEN|KEY|_SALT|CRED|_DSN|_AUTH|_COOKIE|_PAT|_SESSION|_SIGNING|_LICENSE)\w*",
    "strict": r"(?:secret|token|key)[\w-]*",
    "STRICT": r"(?:SECRET|TOKEN|KEY)\w*",
    "quoted": r"[\"'`][^\n]*",
    "double": r"\"[^\n]*",
    "single": r"'[^\n]*",
    **dict.fromkeys(("start", "gutter"), r"[^\n]*"),
    **dict.fromkeys(
        ("value", "env", "bare", "word", "letters", "mixed", "run"), r"\S[^\n]*"
    ),
    "N": "*",
}
"""What takes less time to compile, and finds more."""

_ROWS = (Path(__file__).parent / "contexts.txt").read_text("utf-8")
_JUDGES = vars(words) | vars(judging) | vars(neighbours)
_WORD = lazily(r"\A(\(\?i\))?\\b")
_QUOTE = lazily(r"(\[(?:\\.|[^\]\\])*\])|\\\"")
_BEGINNING = lazily(r"(?<![^|])\\b")
_MOST_COLUMNS = 6
"""So many places in a row are tried for `{N}`: columns of a table, arguments of a call."""


def contexts() -> tuple[Context, ...]:
    """Return all rules, patterns written out."""
    made: list[Context] = []
    sign = ""
    for row in _ROWS.splitlines():
        if row.startswith("@ "):
            # A blank of a command may be escaped, as may be what stands before it.
            sign = (
                written(row.removeprefix("@ "), _PIECES)
                .replace(r"[ \t]", r"(?:[ \t]|%20)")
                .replace("[ _.-]?key", "(?:[ _.-]|%20)?key")
                .replace("<<<", "(?:<|&lt;|%3C){3}")
            )
            sign = _BEGINNING.sub("", sign)
            sign = _QUOTE.sub(lambda found: found[1] or r"(?:\"|&quot;|&#34;)", sign)
            continue
        kind, judge, pattern = row.split(maxsplit=2)
        pattern = _WORD.sub(r"\1{b}", pattern)
        is_secret = _JUDGES[f"is_{judge}"]
        gate = written(pattern, _LOOSE)
        pattern = written(pattern, _PIECES)
        for count in range(_MOST_COLUMNS if "{N}" in pattern else 1):
            counted = pattern.replace("{N}", f"{{{count}}}")
            made.append(Context(sign, kind, counted, is_secret, gate))
    return tuple(made)


def written(pattern: str, pieces: dict[str, str]) -> str:
    """Return a pattern with pieces in place of their names in braces."""
    for name, piece in pieces.items():
        pattern = pattern.replace("{" + name + "}", piece)
    return pattern
