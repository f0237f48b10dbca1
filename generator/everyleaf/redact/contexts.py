r"""Places where passwords and tokens stand: strict about the place, free about the value.

A row is a kind, who judges what stands there (`judging`), and a pattern of RE2 whose first
group that took part is the value; `{...}` stands for what `_PIECES` has under that name.
Behind `@` stands, without regard to case, what is in each line that one of the rows below it
begins in: only such lines are looked at closely, and by those rows alone.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact import commands, judging, neighbours, words
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
    "pass": r"(?:passw[o0]rd(?:_?plain|_?clear)?|passwort|passwd|pass[ _]?phrase|passcode|_pass|pre-?shared-?key|\bpsk|-psk|(?:\b|_)pw(?:d|\b)|psw|pswd|kennwort|(?:db|user|smtp|rpc|remote|root|admin|ldap|mail|imap|ftp|wifi|bind|proxy|sudo|mqtt|router|my)_?(?:pass|pwd?))",
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
    "sign": r"[\"'`*_]{0,3}(?:[ \t]{0,8}[:=]|[ ]\.{3,60}[ ])[:*_]{0,3}[ \t]{0,8}[*_]{0,3}",
    # Names that say clearly that what follows is secret.
    "strict": r"(?:secret(?:[ _-]?key(?:[ _-]?base)?)?|(?:api|private|access|signing|encryption|master|auth|admin|app|service[ _-]role|{vendor})[ _.-]?key"
    r"|(?:api|access|auth|bot|refresh|deploy|npm|github|gitlab|slack)[ _-]?token)",
    "STRICT": r"(?:SECRET(?:_?KEY(?:_BASE)?)?|TOKEN|(?:API|PRIVATE|ACCESS|SIGNING|ENCRYPTION|MASTER|AUTH|ROLE)_?KEY)",
    "foreign": f"(?:{words.FOREIGN})",
    "latin": r"[!-~\x{c0}-\x{24f}]",
    # What prose puts between a name and a value.
    "of": r"(?:[ \t]{1,2}(?:f\x{fc}r|von|der|de|du|des|del|della|do|da|pour|от|для|к|van|voor|dla|av|till|pentru|k|for|of|to|on)[ \t](?:[^\n:=\"]|\"\w[^\n:=\",]*\"){1,40}?)?",
    "opened": r"[\"'`*_(<\x{201c}-\x{201e}\x{ab}\x{300c}]{0,3}[ \x{a0}]?",
    # What stands between words of a key and a token: a sign, a cell, a verb.
    "link": r"(?:[ ]\([\w ]{2,12}\))?[\"'`*_\])]{0,4}(?:[ \t]*(?:[?|,;:=\x{203a}\x{2502}\x{2551}\x{ff1a}\x{2192}\x{2013}\x{2014}]|->|<-|(?:は|是|为|為)\x{ff1a}?)[ \t]*|[ ]-[ ]|[ ]you need:?[ ]|[ \t]{1,30}\(?"
    r"|['\x{2019}]s[ ]|[ \t]+(?:(?:is|was|will|to|as|set|changed|rotated|should|be|now|with|=|ist|lautet|est|es|\x{e8}|\x{e9}|\x{e4}r)[ \t:]+){1,3})[\"'`*(~\x{201c}\x{201e}\x{ab}]{0,4}",
    "items": r"(?:[\s\d>|+{\[\x{2192}-]{0,24}[\"']?[a-zA-Z]\w{0,30}[\"']?\s{0,8}[:=]\s{0,2}[\"']?[^\n{}\"',]{1,60}[\"']?,?){0,2}?",
    "quoted": "",
    "value": "",
    # Letters, and what few texts have besides: the class of all letters takes long to compile.
    "L": r"A-Za-z\x{c0}-\x{1fff}\x{3040}-\x{fdff}",
    "vendor": _VENDORS,
}
# Many may begin at once: counted, they would be many states of one automaton.
_PIECES["start"] = _PIECES["start"].replace(
    "{gutter}", _PIECES["gutter"].replace("{0,40}", "*").replace("{3,40}", "{3,}")
)
_PIECES.update(printing=commands.PRINTING, readers=commands.READERS)
_PIECES["quoted"] = "(?:{triple}|{double}|{single}|{tick})".format_map(_PIECES)
_PIECES["value"] = "(?:{double}|{single}|{env})".format_map(_PIECES)

_LOOSE = _PIECES | {
    "pass": r"\w*(?:pass|pw|psk|pswd?|kennwort|pre-?shared-?key)(?:\w*|[ ]phrase)",
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

_ROWS = r"""
@ (?:unlock|access|activation|entry|door|gate|pairing)[ ]code|pre-?shared-?key|pass(?:[^a-z \t\n,.;:]|[wpc]|[ ]phrase|[ \t]{1,8}[=:?+])|(?:^|[^ ]|(?:^|[^-])[ ])pass:|[:/]pass[ \t]+\\*\"|[(_-]pass|pwd|(?:\b|_|\\n|%0a|db|root|user|admin|router|my)pw(?:[^a-z\d]|$)|psk[^a-z]|pass[ ](?:is|isn't|wasn't|was|will|should|you)[ :]|\b(?:my|our|your|this|new|old|db|database|root|admin|user|wi-?fi|vpn|sudo|login|mail|ssh|staging|prod)[ ]pass\b|\bthe[ ]pass(?:[ ](?:for|on|of|used|set|to|here|there)[ ]|['\x{2019},]|[ ](?:[(-]|\x{2013}|\x{2014}))|pass[ ](?:\x{2192}|->)|[ ]pass[ ][!-~]{6}|mdp[ :=]|pas[w]ord|pswd?|\bp/w\b|\\*\"p\\*\"[ ]?:|kennwort|keymaterial|\.secrets|contrase|\x{5bc6}(?:\x{7801}|\x{78bc})|rediscli|mot de passe|protectinmemory
env-password        unquoted         (?:ASK(PASS)=|(?:PASSWORD|PASSWD|PASSPHRASE|PASS|REDISCLI_AUTH|_(?:PWD|PSW|PW))(?:_(?:PROD|PRODUCTION|DEV|STAGING|TEST|LIVE|ROOT|ADMIN|DB|OLD|NEW|[A-Z]|V?[0-9]{1,3}))?{is_env}{value})
env-password        word_too         (?:{line}{pass}=|\b(?:ENV|ARG|set -[a-z]{1,3}|setenv|setx)[ \t]+\w{0,60}(?:PASS\w*|_PWD?|{pass})[ \t]+){value}
password            phrase           (?i){pass}(?:[_-]?(?:hash|salt|confirmation|value|prod|dev|test|live|admin|root|user|db|v?\d{1,3}))?{is}{quoted}
password            word_too         (?i){line}{pass}[\"']?[ \t]*(?:=>|[:?+]?=|:)[ \t]*(?:[!&]{1,2}\w{1,20}[ ])?{bare}
password            unlisted         (?i)(?:^|[^\w$.])[\w-]*{pass}{sign}{word}
password            phrase           (?i)(?:{pass}[^\n]{0,24}?\)\.(?:type|fill|send_?keys)\(\s?|\.(?:type|fill)\([^\n]{0,60}?(?:{pass}|[#.=]pass)[\w\])=\"'-]{0,6}[\"'],\s?){quoted}
password            word_too         (?i)(?:(?:^|\n){gutter}[*`]{0,2}[\w.]{0,40}{pass}[*`]{0,2}(?:[ ]+[|\x{2502}][ ]?|\t)[*`]{0,2}([^\s|*`]{4,})[*`]{0,2}[ \t|\x{2502}]*\r?(?:\n|$)|(?:password for user \"[^\"\n]{1,60}\": ?([^\s\"'`<>|]{4,})|{pass}{is}[\"']?\$\{\w{1,40}:?[-=]([^\s\"'`<>|{}]{4,})\}|{pass}:?</\w{1,8}>:?\s?([^\s<>\"'`]{4,})))
password            phrase           (?i){pass}\*{0,2}(?: for [\w@. -]{1,40})? (?:is|was|=|to|as|will be):? {0,2}{quoted}
password            word_too         (?i){pass}[\"'`*_]{0,3}(?: for (?:'[^'\n]{1,80}'|\"[^\"\n]{1,80}\"|[\w@. -]{1,40}))?(?::| is| was|'s|\x{2019}s| =|=)[:*_]{0,3} {0,4}[*_`]{0,3}([^\s\"'`<>]{4,})
password            phrase           (?i)(?:{pass}[\"'`]?(?:\s{0,3}(?:,|\|\||\?\?)|\) ?,)(?:[ ]?<<)?|{pass}[\"']?\s?:\s?\{[^{}\n]{0,80}?\"(?:example|default|const)\"\s?:|{pass}[^\n]{0,40}?\bdefault\s?=|getpass[^\n=]{0,40}?[=,][ ]?(?:lambda[^:\n]{0,24}:|return_value[ ]?=)|\.StringVarP?\(&\w{1,40},\s?\"[\w-]{0,30}{pass}\w{0,12}\",\s?(?:\"\w?\",\s?)?|{pass}[ ]PIC[ ][^\n]{1,16}[ ]VALUE[ ]|(?:set|with|fill)[\w-]{0,20}password[\"'`]?\s?[(,])\s{0,3}{quoted}
password            assigned         (?i){pass}\w{0,12}[\"']{0,2}[,;$:]?{items}(?:[\s\d>|+{\x{2192}-]{0,24}|\s*\n{gutter}\s*)[\"']{0,2}(?:parameter)?value[\"']?\s{0,8}[:=]\s{0,2}{value}
password            unquoted         (?i)(?:[\w-]\.(?:password|passwd|pwd|passphrase|pass)=([^\s\"'`]{2,})|password is generated for [^\s:]{1,60}: ?([^\s]{6,}))
password            given            (?i)(?:^|[\s|\"'`>(:])([^\s\"'`<>|\x{201c}\x{201d}]{6,64})[\"'`\x{201d}]?[ \t|)\];]*(?:(?:<-|\x{2190}|#|//[ ]|--[ ]|[ ]\()[ ]?|[ ]is[ ]|[.,]?(?:[ ]\w+,)?[ ][(]?(?:<-[ ])?(?:so[ ])?(?:that|this|it|das)(?:['\x{2019}]s|[ ](?:is|was|ist))[ ]|[ ]would be better as[ ])(?:(?:the|my|our|your|new|real)[ ])?(?:\w+[ ]){0,3}(?:{pass}|/etc/\S{0,30}secrets)|{pass}[ ](?:changed|reset|set|updated)[ ](?:successfully[ ])?(?:to|as):?[ ]{opened}([^\s\"'`<>]{6,64})|your[ ]{pass}[ ]run:?[ ]{1,4}echo[ ]+([^\s\"'`<>]{6,64})
password            word_too         (?i)(?:password(?:(?:[ \t]+/t)?[ \t]+REG_\w+(?:[ \t]+/d)?)?|\(pass|unlock code|passwort lautet|contrase\x{f1}a es)[ \t]{1,12}(\([^\s\"'`|<>=]{3,}|[^\s\"'`|<>(][^\s\"'`|<>]{3,})
password            phrase           (?i)(?:{pass}\w{0,12}(?:[ \t]*<-[ \t]*|[ \t]*:?=[ \t]*\[\]byte\(|[ \t]+string[ \t]+=[ \t]*|\{)|\.(?:with|set)?_?(?:password|passphrase|passwd)\(|{pass}\s?[=:]\s?(?:Secret(?:Str|Bytes)?|Some|Redacted|Just)\(|{pass}[\"'`\])]{1,4}\s?(?:\.unwrap_or(?:_else)?\((?:\|_?\|[ ])?|\bor\b|\|\|=?|\?\?=?|\?:)|{pass}{is}(?:(?:await[ ])?(?:\w{1,20}\.)?(?:new[ ]string|md5|sha[\d_]{1,4}|password|\w{0,6}crypt|encrypt|hash\w{0,8})?\(\s{0,24}|[\"'][^\"'\n]{1,80}[\"']\s?(?:[+.]|[=-]>))|:[\w-]*{pass}[ \t]+|{pass}\"\r?\n{gutter}\d+\)[ ]|pass\w{0,5}\[\d{0,3}\]\s?=|{pass}[\"']?\s?[:=][^\n\"'`]{1,60}default\(|{pass}{typed}|(?:\bpw|{pass})[\"']?[ \t]*[=:][^\n]{0,60}?(?:\|\||\?\?))\s?{quoted}
password            made             (?i){pass}(?:{sign}| is | was )[<\[]([^\s<>\[\]_-]{10,64})[>\]]
password            quoted_mixed     (?i)(?:^|\n){gutter}[\w-]{0,30}{pass}[ \t]+[\"']{1,2}([^\s\"']{6,64})[\"']{1,2}[;,]?[ \t]*\r?(?:\n|$)|{start}[\w-]{0,30}{pass}\w{0,12}[ \t]{2,60}(~[^\s/]{6,64})[ \t]*\r?(?:\n|$)
password            odd              (?i){pass}(?:[ \t]+[\"'`]|[ ](?:(?:should|must|to)[ ]be|ist)[ ][\"'`]?|[ ]for[ ]\w+[ ]'[^'\n]{1,40}':[ ]|[\"']?[ ]\[[^\]\n]{0,30}\]:[ ]|[\"'][\])]{1,2}[ \t]*\r?\n{gutter}')([^\s\"'`]{8,64})
password            assigned         (?i){pass}\w{0,12}[\"']?[ \t]*[:=][ \t]*\{?[ \t]*\n(?:[^\n{}]{0,60}\n){0,2}[^\n\w]{0,30}(?:value|default)[\"']?[ \t]*[:=][ \t]*{value}
password            phrase           (?i)(?:{b}set[ ]+\w{0,10}value\s*=\s*{single}[^\n]{0,60}\bwhere\b[^\n]{0,60}{pass}|type=[\"']password[\"'][^<>\n]{0,200}?value=[\"']([^\"'\n]{2,})[\"']|value=[\"']([^\"'\n]{2,})[\"'][^<>\n]{0,80}?type=[\"']password|{b}variable\s+\"{1,2}[\w.-]*{pass}[\w.-]*\"{1,2}\s*\{[^}]{0,200}?\bdefault\s*=\s*{double})
secret              token            (?i)\bset[ ]+\w{1,20}\s*=\s*{single}[^\n]{0,20}\bwhere\b[^\n]{0,20}=\s*'[^'\n]{0,40}(?:{secret}|(?-i:_KEY))'
password            phrase           (?i)(?:enter[ ]pass[ ]?phrase[ ]for[ ][^\n:]{1,120}:[ ]?([a-z]{3,12}(?:[ ][a-z]{3,12}){2,8})[ \t]*\r?(?:\n|$)|\b(?:agreed[ ]on|chose|picked|set|use)[ ][\"'`]?([a-z]{3,12}\d{0,4}(?:[ .-][a-z]{3,12}\d{0,4}){3,8})[\"'`]?[ ]as[ ](?:\w+[ ]){0,4}pass(?:phrase|word)|(?:{pass}|\bpass)(?:[\"'`]?[ \t]*(?:=>|[:=]))?[ \t]+\"((?:[^\"\\\n]|\\[^\"\n])*\\\"[^\s\"\\,:;)}\]][^\s\"]{1,40})\")
password            odd              (?i)(?:\bpassword[ ][a-z]\w{2,30}[ ]=[ ]([^\s\"'`]{8,64})[ \t]*(?:\r?\n|$)|{pass}(?:{sign}|[ ](?:is[ ])?)[\"'`]?((?:[^\s\"'`<>(),;=/]{1,40}[\"'`<>]|<)[^\s\"'`<>(),;=/]{2,40}(?:[<>][^\s\"'`<>(),;=/]{2,40})?)[\"'`]?[.,]?(?:\s|$))
env-password        password         (?i)(?:{pass}[\"']?[:=]\"((?:[^\"\\\n]|\\[^\n])*\\\"(?:[^\"\\,:}\]\n]|\\[^\n])+)\"|\"\w{0,40}{pass}=([^\s\"'\\]{1,60}'[^\s\"\\]{0,60})\")
password            unquoted         (?i)(?:\$\{\w*(?:pass|_pw|pwd)\w{0,20}(?::?[-=]|:)([^}\s]{2,})\}|(?:\[\w{0,20}pass\w{0,8}\]|{pass}\[\])=([^\s&\"'<>;]{2,})|name\\?\"?>[^<\n]{0,40}{pass}[^<\n]{0,20}</[\w:.-]+>\s{0,20}(?:{gutter})<[^<>\n]{0,60}value\\?\"?>([^<\n]{2,})<|<key>[^<\n]{0,40}{pass}[^<\n]{0,20}</key>(?:[\s\d>|+\x{2192}-]{0,24}|\s*\n{gutter})<string>([^<\n]{2,})<|\bpassword\r?\n{gutter}V[ ]\d{1,3}\r?\n{gutter}([^\s]{2,64}))
password            assigned         (?i)(?:{pass}\"\]=>[\s\d\x{2192}]{0,24}string\(\d+\)\s*\"([^\"\n]{2,})\"|\[[\w-]*{pass}\] => ([^\s]{3,})|{pass}[^\n]{0,12}\n{gutter}[- ]{0,4}(?:input\w{0,8}|typ(?:e[ds]?|ing)(?:_\w{1,6})?|value|text|fill|enter\w{0,8}):[ \t]*{value})
password            unlisted         (?i)<[\w:.-]{0,20}(?:{pass}|pass|keymaterial|sharedkey|value[ ]protect[^<>\n]{0,40}|[ ](?:name|key|id)=\"[\w.-]{0,40}{pass}\w{0,8}\")(?:[ ][^<>\n]{0,120})?>(?:<!\[CDATA\[|&quot;|\s{0,24}(?:{gutter})<value>)?([^<>\s]{4,64}?|[a-z]{3,12}(?:[ ][a-z]{3,12}){2,7})(?:\]\]>|&quot;)?</
password            far_password     (?i)(?:{pass}\w{0,12}[\s)\]\"'`/:=,{!<>+.-][^\n\"'`;]{0,32}[\s(=:,{\[]|\bdef[ ]\w{0,20}{pass}\w{0,12}\([^)\n]{0,40}\):\s{1,24}return[ ])[\"'`]([^\s\"'`]{8,64})[\"'`]
password            odd              (?i)(?:{pass}[ ]\[(?:default:?[ ])?([^\]\s=]{8,64})\]|name=\\?\"[\w-]{0,30}{pass}\w{0,12}\\?\"[ \t]*\r?\n(?:{gutter}\r?\n)?{gutter}([^\s\"'`<>|\x{2502}]{8,64})[ \t\x{2502}]*\r?(?:\n|$)|(?:\\*[\"'*$]pass\\*[\"']?\s?(?::|=>?|\)\.(?:type|fill|send_keys)\()|\*pass\s?=|:(?:[\w-]+/)?pass[ \t]+)\s?{quoted}|(?:{pass}|\bpass)[\"']?[ \t]*:[ \t]*#[^\n]{0,60}\n{gutter}[ \t]*([^\s:]{8,64})[ \t]*\r?(?:\n|$)|(?:unlock|access|activation|entry|door|gate|pairing)[ ]code(?:[ ]is|:)[ ]{opened}([^\s\"'`<>]{8,64}))
password            unlisted         (?i)(?:{pass}[ \t]?[:=][ \t]?([^\s\"'`]{4,})[ \t,;]+(?:user|login|e-?mail|host)\w*[ \t]?[:=]|(?:\w=[^\s=]+[ \t]+|(?:user|login|e-?mail)\w*[ \t]?[:=][ \t]?[^\s\"']{1,60}[ \t,;/]+){pass}[ \t]?[:=][ \t]?([^\s\"'`]{4,}))
password            quoted_mixed     (?i)(?:(?:^|\n)[^\n]{0,60}{pass}[^\n:]{0,100}:[ \t]*\r?\n(?:{gutter}\r?\n)?{gutter}([^\s`*]{8,64})[ \t]*\r?(?:\n|$)|\bpassword\b[^\n]{0,60}\breset[.:]?[ \t]*\r?\n{gutter}new[ ]value:[ ]*([^\s]{6,64}))
password            unlisted         (?i)(?:^|\n)[ \t\d\x{2192}]{0,10}[\w.-]{1,60}\.{pass}[ \t]*:[ \t]*{word}
password            unlisted_token   (?i)(?:^|[\n\"'(,*&;{])[ \t\d\x{2192}+]{0,10}(?:pass|pw)[ \t]*[:=]{1,2}[ \t]*[\"']?([^\s\"'`<>|,;]{6,60})
connection-password word_or_short    (?i)(?:^|[?&;\s\"'`,(]){pass}\s?=\s?([^\s;&\"'`<>,)]+)
connection-password password         (?i)[?&;](?:password|passwd|pwd|pass)=([^\s;&\"'`<>]+)
password            argument         (?i)(?:(?:(?:{cmd}--?(?:[a-z][\w-]{0,30}-)?(?:password|passwd|passphrase|(?-i:pass)|pwd)(?:=|[ \t]+){value}|-pass(?:in|out)?[ \t]+[\"']?pass:[\"']?([^\s\"']+))|(?:^|[^ ]|[^d][ ])Password for '[^'\n]{1,80}': ?([^\s]{2,}))|(?:{pass}|\bpass)[\"']?[ \t]*:[ \t]*(?:&\w+[ ]|!!\w+[ ])?[|>][+-]?[ \t]*\r?\n{gutter}[ \t]*([^\s]{2,}))
password            argument         (?:^|\n)--?[\w-]{0,30}(?:password|passwd|passphrase|pass|pwd)\n([^\n]{2,})
password            sql_password     (?i)\b(?:ENCRYPTED\s+|WITH\s+|LOGIN\s+|SET\s+)?PASSWORD\s*(?:=|FOR\s+\S+\s*=|TO)?\s*(?:PASSWORD\s*\(\s*)?N?(?:{single})
env-password        password         (?:^|\n)[ \t]*(?:export[ \t]+)?[A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE|_PASS|_PWD)={env}[ \t]*\r?(?:\n|$)
password            word_too         (?i)(?:^|[\n\"'`>])[^\n]{0,30}{pass}[*_]{0,2}:?[*_]{0,2}[ \t]*\r?\n(?:[ \t>]*(?:`{3}\w*)?\r?\n)?[ \t>]*[`*]{0,3}([^\s`*]{6,64})[`*]{0,3}[ \t]*\r?(?:\n|$)
password            cell             (?i)(?:^|\n)[^\n]{0,30}{pass}[*_]{0,2}:[*_]{0,2}[ \t]*\r?\n(?:[ \t>]*(?:`{3}\w*)?\r?\n)?[ \t>]*[`*]{0,3}([^\s`*]{6,64})[`*]{0,3}[ \t]*\r?(?:\n|$)
@ app-specific:?[ ]|\b(?:pass(?:word|wd)?|pw)[^\n]{0,24}[^a-z][a-z]{4}[ -][a-z]{4}[ -][a-z]{4}[ -][a-z]{4}
password            app_password_too (?i)(?:pass(?:word|wd)?|\bapp[ ]pw)[^\n]{0,24}?[:=,|(>\s\"'`]([a-z]{4}(?:[ ][a-z]{4}){3})[ ][a-z]
password            app_password     (?i)(?:pass(?:word|wd)?|app[ ]pw|app-specific)[^\n]{0,24}?(?:[:=,|(>\s\"'`\x{80}-\x{ffff}]|\n`{3}\w*\n)(?:([a-z]{4}(?:-[a-z]{4}){3})(?:[^a-z-]|$)|([a-z]{4}(?:[ -][a-z]{4}){3})(?:[^a-z \n-]|[ ]?(?:\n|$|[^a-z \n])))
@ \bmachine[ \t]+[!-~]+(?:\\|%0|[ \t]+(?:login|password|account)|[ \t]*\r?$)|\bdefault[ \t]*(?:login|\n)|\d>[ \t]?auth[ \t]|\"auth(?:[ \t][^\n]+\\r|\\*\"[ ]\\*\")|(?-i:AUTH)(?:[ \t][!-~]{8}|\r?$)|:(?:5432|5433|6432|\*):[\w*]|\$(?:2[aby]|5|6|y|argon2id?|apr1|1)\\*\$|\bntlm[ \t]*[:=]|\"(?:[dkpq]|d[pq]|qi)\\*\"|<(?:d|d[pq]|inverseq)>|httponly_|\bdns[ \t]+[a-z]+[ \t]+[\w-]{24}|auth(?:\\*\"|&quot;|&#34;)|identitytoken|registrytoken|npmauthident
password            argument         \b(?:machine[ \t]+\S{1,100}|default)\s+(?:login[ \t]+\S{1,100}\s+)?password[ \t]+([^\s]+)
password            word_too         (?:(?:\d>[ \t]?|\")AUTH[ \t]+([^\s\"\\]{4,})|(?i:\"auth\"(?:[ ]\"[\w.@-]{1,40}\")?[ ]\"([^\s\"]{4,})\")|AUTH\r?\n\$\d+\r?\n([^\s]{4,}))
password            unlisted         (?:^|[\s\"'`(=>:+\x{2192}\x{2502}-])(?:localhost|\*|\d+\.[\d.]+|[A-Za-z][\w.-]*):(?:[1-9]\d{3,4}|\*):(?:\*?|[A-Za-z][\w-]{0,60}):[A-Za-z][\w.@-]{0,60}:([^\s:\"'`]{4,})
password-hash       password         (?i:\bntlm)[ \t]*[:=][ \t]*([0-9a-f]{32})\b|(\$(?:2[aby]|5|6|y|argon2id?)\$[A-Za-z0-9./$=,+-]{30,}|\$(?:1|apr1)\${1,2}[A-Za-z0-9./]{1,16}\${1,2}[A-Za-z0-9./]{22})
jwk                 token            (?:\"(?:d|k|p|q|dp|dq|qi)\"\s*:\s*\"|<(?:D|DP|DQ|InverseQ)>)([\w+/=-]{32,})[\"<]
cookie              token            #HttpOnly_[^\n]{1,200}\t\S{1,80}\t([^\s]{8,})
secret              key_in_prose     (?i){start}dns[ \t]+[a-z]{3,20}[ \t]+([\w-]{24,128})[ \t]*\r?(?:\n|$)
registry-auth       encoded          (?:\"(?:auth|identitytoken|registrytoken|_auth)\\?\"\s*:\s*\\?\"|npmAuthIdent:[ ]*\"?)([A-Za-z0-9+/=_.-]{8,})(?:\\?\"|\s|$)
@ secret|(?:bw|op)_session|token(?:[^s_u]|_?u(?:[^s]|s[^a])|_(?:[^su]|s[^a])|$)|hmac|salt|pepper|network_key|credential|_auth(?:[^oe]|$)|_dsn|_license[ =]|_pat\b|(?-i:[a-z]Pat\b)|_creds?[^a-z]|cookie|api[ _.-]?key|[_.-]key(?:[^s]|s[^(]|$)|(?:private|preshared|access|signing|encryption|decryption|validation|upgrade|cookie|jwt:|master|auth|service|account|azure_?storage|license|shared|app|consumer|subscription|client|wallet|admin|write|local|{vendor}|bad|invalid|unseal|deployer|minter|owner|relayer|signer)[ ]?key|\bapi[^\n]*[ ]key[ ][0-9a-f]{32}|csrf|\bjwt[^a-z.]|\b(?:pat|wif)[ :=]|keys_(?:base64|b64|hex)|(?:primary|secondary|current|deploy|my|new|this|using|rotated|generated)[ ]?key|\"(?:access|refresh)\\*\"|key:[ ][\w+=.~-]{20}|keys:[ ][0-9a-f]{32}|key[ ](?:created|generated|rotated|you)|access[ ]grant|key[ ][\"'`]?[\w+/=.~-]{16,}[\"'`]?[ ]
password            odd              (?i)(?:(?:\buser\w{0,5}[\"']?[ ]?[:=][ ]?[^\s,;]{1,60},[ ]?[\"']?(?:secret|token|key)[\"']?[ ]?[:=][ ]?|-key[ ]ascii-text[ ]|{start}(?:shared|secret)_key[ \t]+)[\"']?([^\s\"',;}]{8,64})|{b}(?:bind)?credentials[\"']?[ \t]*[:=][ \t]*[\"']?([^\s\"'`,;]{8,64}))
env-secret          token            {SECRET}{is_env}{value}
secret              token            (?i){secret}[^\n]{0,40}?\bdefault\s?=\s?{quoted}
secret              token            (?i){secret}{is}{quoted}
env-secret          unlisted_token   {STRICT}(?:{is_env}|[\"']?:[ ])[\"']?{run}
secret              unlisted_token   (?i)(?:(?:^|[^\w$.:])[\w-]*{strict}{sign}|:[\w-]*{strict}[\"'`*_]{0,3}(?:[ \t]{0,8}=|:[*_]{0,3}[ \t])[ \t]{0,8}[\"'`*_]{0,3}|(?:^|\n){gutter}[\w.-]+\.{strict}=){mixed}
secret              unlisted_token   (?i)(?:{strict}(?:{is}(?:\[\]byte\()?|{typed}){letters}|{b}(?:set -[a-z]{1,3}|setenv|setx|secret set)[ \t]+\w{0,60}{strict}[ \t]+[\"']?{mixed})
secret              unquoted_token   (?i){line}{secret}[\"']?[ \t]*(?:=>|[:?+]?=|:)[ \t]*(?:!{1,2}\w{1,20}[ ])?{bare}
secret              unquoted_token   (?i){secret}[\"'`*_]{0,3}(?: (?:for|f\x{fc}r|pour|para) [\w@. -]{1,40})?(?::| is| was| lautet| est| es| ist| \x{e9}| is \"|'s| =|=| [\x{2013}\x{2014}])[:*_]{0,3} {0,2}[*_`]{0,2}([\w+/=.~!@#$%^&*:()-]{12,})
secret              token            (?i)(?:{secret}|(?-i:[A-Z]_(?:KEY|SEED)))[\"'`]?\s{0,3}(?:,|\|\||\?\?|\(|: ?\w{2,12}\(|=\w{2,12}\(|:?= ?(?:\w{1,20}::)+(?:from|new|from_static)\()\s{0,3}{quoted}
secret              token            (?i)(?:(?:{secret}|x-[a-z-]{1,30}-key|(?-i:[A-Z]_(?:KEY|SEED)))\w{0,12}[\"']{0,2}[,;$:]?{items}(?:[\s\d>|+{\[\x{2192}\x{2502}-]{0,24}|\s*\n{gutter}\s*)[\"']{0,2}(?:parameter)?value[\"']?\s{0,8}[:=]\s{0,2}{value}|(?:<[\w:.-]*(?:{secret}|(?-i:[A-Z]_KEY))(?:[ ][^<>\n]{0,120})?>(?:<!\[CDATA\[)?([^<>\s]{8,}?)(?:\]\]>)?</|{secret}:?</\w{1,8}>:?\s?([^\s<>\"'`]{8,})))
env-secret          token            (?i)(?:{b}ENV|{b}ARG|\bset -[a-z]{1,3}|\bsetenv|\bsetx|#\s?define|\bsecret set)[ \t]+\w{0,60}(?:{secret}|{pass})[ \t]+(?:--body[ =])?{value}
secret              password         (?i)(?:(?:wallet|private|deployer|minter|owner|relayer|signer)[ _-]?key\"?\s*[:=]\s*\"?(0x[0-9a-f]{64})|\bapi[^\n]{0,30}[ ](?:using|with)[ ](?:the[ ]|this[ ]|our[ ])?key[ ]([0-9a-f]{32,64})\b|\"sha1\"\s?:\s?\"([0-9a-f]{40})\",\s*\"token_last_eight\")
secret              header           (?i)proxy_set_header[ \t]+\S*(?:token|key|auth)\S*[ \t]+{value}
secret              far_token        (?i)(?:{start}(?:In \[\d+\]: |>>> )[\w.]*(?:{secret}|{pass}|key)\w*[ \t]*\r?\n{gutter}(?:Out\[\d+\]: )?'([^'\n]{8,})'|{b}secrets\.\w+[ \t]*\r?\n[^\n]{0,60}\[debug\]=>[ ]'([^'\n]{8,})')
secret              far_token        (?i)\b(?:(?:unseal[ _]keys?(?:_b64|_hex)?|keys_(?:base64|b64|hex))[\"']?(?:[ ]\d)?[\s:=\[-]{1,40}(?:[\"']?[\w+/=]{20,88}[\"']?(?:,\s{0,40}|\s{1,24}-[ ])){N}[\"']?([\w+/=]{20,})|keys:[ ](?:(?:[0-9a-f]{32}){1,2},[ ]){N}((?:[0-9a-f]{32}){1,2})\b)
secret              token            (?i)(?:{b}set (?:the |your )?{secret} to [\"'`]([^\s\"'`]{8,})[\"'`]|{b}variable\s+\"{1,2}[\w.-]*(?:{secret}|(?-i:_KEY\b))[\w.-]*\"{1,2}\s*\{[^}]{0,200}?\bdefault\s*=\s*{double})
secret              option_token     (?i){cmd}--?(?:[a-z][\w-]{0,30}-)?(?:token|api-?key|apikey|secret|secret-key|access-key|auth-?key|auth|key|credentials?|private-key|bearer)(?:=|[ \t]+){value}
secret              token            (?i)(?:(?:(?:{secret}|(?-i:[A-Z]_KEY))[\"'`\])]{1,4}\s?(?:\.unwrap_or(?:_else)?\((?:\|_?\|[ ])?|\bor\b|\|\|=?|\?\?=?|\?:)|{secret}{is}[\"'][^\"'\n]{8,80}[\"']\s?(?:[+.]|->)|:[\w-]*{secret}[ \t]+|{secret}[\"']?\s?[:=][^\n\"'`]{1,60}default\(|(?:{secret}|(?-i:_KEY)){typed})\s?{quoted}|{secret}[\"']?[ \t]*:[ \t]*[|>][+-]?[ \t]*\n{gutter}[ \t]*([^\s]{8,}))
secret              option_token     (?i)\bconfig(?::set)?[ \t]+(?:set[ \t]+)?(?:--\S{1,20}[ \t]+)*[\w.:-]{0,40}(?:{pass}|{secret})[ \t]+{value}
env-secret          token            (?i){secret}=\"((?:[^\"\\\n]|\\[^\n])*\\\"(?:[^\"\\\n]|\\[^\n])*)\"
secret              token            (?i)(?:(?:{secret}\"\]=>[\s\d\x{2192}]{0,24}string\(\d+\)\s*\"([^\"\n]{8,})\"|\[[\w-]*{secret}\] => ([^\s]{8,})|\$\{\w*{secret}:?[-=]([^}\s]{8,})\})|name=\"[\w.-]*(?:{secret}|csrf)[\w-]*\"[^<>\n]{0,80}(?:content|(?:\w+:)?value)=\"([^\"\n]{12,})\")
secret              unquoted_token   (?i)(?:(?:^|\n)[ \t|>\d\x{2192}\x{2502}]{0,10}[*`]{0,2}[\w -]{0,30}(?:{secret}|session_key|_pat\b|\bsalt)[*`]{0,2}(?:[ \t]{0,40}[|\x{2502}][ \t]*|\t|[ ]{4,40})[*`]{0,2}([^\s|*`]{12,})[*`]{0,2}[ \t|\x{2502}]*(?:[\r\n]|$)|(?:{secret}|(?-i:[A-Z]_KEY|\bPAT))[^\n]{0,100}:[ \t]*\r?\n(?:{gutter}(?:`{3}\w*)?\r?\n)?{gutter}(?:base64:)?([\w+/=.~-]{20,}|[a-z0-9!@#$%^&*(_=+)-]{50})(?:[\s\"'`|<*\x{2502},;)\]}$\\]|$)|secret[_ ]?key[^\n]{0,40}[\s\"'`*\x{201c}]([a-z0-9!@#$%^&*(_=+)-]{50})(?:[\"'`\s*\x{201d}]|$))
password            password         (?i)basic_?auth\w{0,8}[\"']?\s?[=:]\s?[\"']?[\w.@-]{1,60}:([^\s\"'`]{4,})
cookie              jar              (?i)\"name\"\s*:\s*\"(?:set-)?cookie\"\s*,\s*\"value\"\s*:\s*\"([^\"\n]{6,})
secret              option_token     (?:^|\n)--?[\w-]{0,30}(?:token|api-?key|secret|secret-key|access-key|auth-?key)\n([^\n]{2,})
secret              token            (?i)\.key\.[\w.-]{1,80}[\"'][ ]?[,=:)][ ]?[\"']([A-Za-z0-9+/]{40,}={0,2})[\"']
password            phrase           (?i)(?:secret|security)[ ]answer[^\n\"]{0,40}{double}
secret              unquoted_token   (?i)(?:{secret}|(?-i:_KEY))[ \t]*:[ \t]*&\w{1,20}[ \t]+[\"']?([^\s\"'`]{8,})
secret              far_token        (?i)(?:{strict}(?:[ ]here|,[ ]which[ ]is)?|\b(?:primary|secondary|current|deploy|my|new|this|using|rotated|generated)[ _-]?key|\bjwt(?:[ ]token)?|\b(?:pat|wif)(?:[ ]for[ ]\w{2,12})?|session cookie|[\"'](?:access|refresh)|\bkey[ ](?:created|generated|rotated|you need is)){link}([\w+/=.~:@#%^&*!$()-]{16,200}|[A-Za-z\d]{12,15})
secret              far_token        \b(?:[A-Z]\w{1,20}(?:[ ][a-z]{1,12})?|bearer|webhook|session|client|app|kubeadm|jira|sentry|discord|admin)[ ](?i:token|secret|write key){link}([\w+/=.~:@#%^&*!$-]{16,200})
secret              far_token        (?i)(?:(?:(?:{secret}|_key)</key>(?:[\s$]{0,40}|\s*\n{gutter})<string>(?:base64:)?([^<\n]{8,})<|(?:name|key|id)=\\?\"[\w.-]{0,40}(?:{secret}|(?-i:_KEY))\\?\"[^<>\n]{0,40}>\s{0,20}(?:<value>)?([^<\n]{8,})<)|(?:{b}(?:token|key)[ ](?:[\"'`(]{0,2}([\w+/=.~-]{16,200})[\"'`)]{0,2}[ ](?:(?:is|was|has been)[ ])?(?:revoked|rejected|invalid|expired|leaked|committed|exposed|compromised|hard-?coded|public|dead|burnt|not[ ]|that[ ](?:[\w']+[ ]){1,3}(?:gave|sent|pasted|provided|shared|posted)\b|(?:for|from|of)[ ](?:the[ ]|our[ ]|your[ ])?(?:[\w-]+[ ]){0,2}(?:API|account|provider|vendor)\b)|(?:was[ ])?(?:created|generated|issued|rotated)[.:!]?\s{1,4}[\"'`*]{0,3}([\w+/=.~-]{16,200}))|{b}(?:token|key|secret)[ ](?:created|generated|issued|rotated)[.:!]?[ \t]*\r?\n(?:{gutter}[^\n]{1,40}\r?\n)?{gutter}(?:value|key|token):[ \t]*([\w+/=.~-]{16,200})))
secret              key_in_prose     {start}(?:[Kk]ey|KEY)[ \t]*:[ \t]*([\w+=.~-]{20,200})[ \t]*\r?(?:\n|$)
secret              far_token        (?i)(?:([\w+/=.~-]{16,200})[\"'`*\x{201d}]{0,3}[ ](?:is[ ](?:my|the|our|your)|as)[ ](?:\w+[ ]){0,3}(?:{secret}|{strict}|access[ ]grant)|(?:{secret}|(?-i:_KEY))[\"'`)]?[ \t]*=[ \t]*optional\([^\n]{0,40}?{quoted})
secret              token            (?i)(?:{b}(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?(?:[\"']%s[\"'][ \t]+)?{value}[ \t]*>{1,2}[ \t]*[\"']?[\w./~-]{0,80}(?:secret|token|key)|{secret}[ \t]?[:=][ (]{0,2}[\"'][^\"'\n]{8,120}[\"'][ \t]*\n\s{0,40}{quoted})
aws-secret-key      token            (?i)(?:secret[ _]?access[ _]?key(?:[ ]\[[^\]\n]{0,30}\])?[\"'`*]{0,3}[ \t]*[:=|\x{2502}]|aws_secret_access_key[ \t])[ \t]*[\"'`*]{0,3}([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)
@ {foreign}
password            word_too         (?i){foreign}{of}(?:\s{1,2}(?:ist|lautet|est|c.est|este|es|era|\x{e9}tait|\x{e9}|\x{e8}|to|je|jest|\x{e4}r|er|on|is|l\x{e0}|هي|هو|है|είναι|היא|adalah)\s{1,2}|\s{0,2}(?:는|은|は|是|คือ|为|為|\x{ff1a}|:|=|\x{2192}|\x{2013}|\x{2014}|->)\s{0,2}){opened}\[?({latin}{4,})
password            odd              (?i){foreign}{of}[,:]?\s{1,2}(?:(?:a|em|en|na|par[a]|por|til|auf)[ ])?{opened}({latin}{8,})
@ (?:pass(?:word|wd|phrase|code|wort)?|kennwort|pwd?)[-_=+ ][!-~]{5,80}\.(?:txt|zip|7z|[rt]ar|[txg]?[gx]z|sql|bak|kdbx|pdf|docx?|xlsx?|csv|log|png|jpe?g|enc|gpg|dmg|iso)|/(?:reset|verify|confirm|activat|invit|magic|recover)[\w-]{0,24}/(?:[\w-]{1,24}/){0,3}[\w-]{24}|://[^\s/]+/t/[\w-]{20}|bearer,?[ \t]|authorization|basic[ \t][A-Za-z0-9+/]{6}|cookie
password            told             (?i)(?:^|[^a-z\d])(?:pass(?:word|wd|phrase|code|wort)?|kennwort|pwd?)[-_=+ ]([^\s\"'`/\\<>|()]{5,64}?)[)]?\.(?:txt|zip|7z|[rt]ar|[txg]?[gx]z|sql|bak|kdbx|pdf|docx?|xlsx?|csv|log|png|jpe?g|enc|gpg|dmg|iso)\b
url-token           token            (?i)://[^\s\"'`]{1,80}/(?:reset|verify|confirm|activat|invit|magic|recover)[\w-]{0,24}/([0-9a-f]{32,128})\b
url-token           key_in_prose     (?i)(?:://[^\s/\"']{1,80}/t/([\w-]{20,64})(?:[/\s\"'`]|$)|/(?:reset|verify|confirm|activat|invit|magic|recover)[\w-]{0,24}/(?:[\w-]{1,24}/){0,3}((?:[^\W0]|-|0[\da-wyz_-])[\w-]{23,200}))
bearer-token        header           (?i)bearer,?[ \t]{1,3}[\"'`*]{0,3}([\w.~+/=-]{12,})
api-key-header      header           (?i)(?:^|[^A-Za-z0-9])(?:proxy-)?authorization{is}[\"'`]{0,2}(?:(?:bearer|basic(?:[ ][\w.@-]{2,30})?|token|ssws|apikey|api-key|digest|negotiate|key|aws4-hmac-sha256|sso-key|genie-?key|splunk|oauth|bot|signature)[ \t]+)?(?:token=\\?\"?)?['(]?([^\s\"'`<>,;\\]{6,})
basic-credentials   basic            \bBasic[ \t]([A-Za-z0-9+/]{12,}={0,2})
session-cookie      far_token        (?i)(?:cookies?\w{0,8}(?:\.set\(|\(|\s?[=:]\s?\{)\s?\\*[\"'][\w.-]{1,40}\\*[\"']\s?[,:]\s?\\*[\"']([^\s\"'\\]{16,200})\\*[\"']|cookie[ ]is[ ][`\"']?[\w.-]{1,40}=([^\s\"'`;]{16,200})|\{cookie,\s?'?([a-z]{20})'?\})
cookie              jar              (?i)(?:^|[^A-Za-z0-9])(?:set-)?cookie{is}\\?[\"']?([ !#-&(-\[\]-~]{6,})
@ ,[ ]?pass(?:word)?[ ]|(?:old|new)[ ]one[ ](?:is|was)[ ]|[ ]to[ ](?:log|sign|get)[ ]?in|[0-9!#$%*?][ ](?:par[a][ ](?:entrar|acceder)|per[ ](?:entrare|accedere)|zum[ ](?:ein|an)|om[ ]in[ ]te|pour[ ](?:[tms]e|vous)[ ]conn|do[ ]logow)|[0-9!#$%*][ ](?:to[ ]unlock|for[ ]everything|everywhere)|\b(?:use|try|is|are|with|utilise[rz]?|usa|nutze|nimm|(?:login|smtp|imap|s?ftp|mqtt|vpn|ssh|rdp|mail):)[ ][^\s:/]{2,40}[ ]?[:/][ ]?[!-~]{6,64}(?:[ ](?:for|on|in|at|against|pour|para|f\x{fc}r|zum|auf)|[ .,]*\r?$)|(?:log[ ]?in|sign[ ]in|connect|authenticate)[^\n]{0,30}[ ](?:with|using|as)[ ][^\n ]{2,60}(?:[ ]and|[ ]?/|[ ]with|,)[ ]?|(?:creds|log[ ]?in|zugangsdaten|identifiants)(?:[ ](?:is|are|sind|for[ ][^\n]{1,30}))?(?:[ ]?:|[ ])[ ]?[^\s/:,|]{2,60}[ ]?[/:,|][ ]?[!-~]{6}|[ ](?:as|for)[ ](?:[a-z]+[ ]){0,3}(?:pass|pwd?\b)|\bpw(?:&quot;|[\\\"']){0,3}[ \t]?[:=]
password            given            (?i)(?:(?:\brotat\w{1,4}[ ][^\n]{0,40}?\bold|[,;.][ ](?:and[ ])?(?:the[ ])?new)[ ]one[ ](?:is|was)[ ]{opened}([^\s\"'`,]{7,63}[^\s\"'`,.])|\b(?:use|usa|nimm|nutze|gebruik|utilise[rz]?|u\x{17c}yj)[ ]{opened}(?:[\w.@-]{2,30}/)?([^\s\"'`]{4,60}(?:\d\d|[!#$%^&*])[^\s\"'`]{0,12})[\"'`*]{0,2}[ ](?:to[ ](?:(?:log|sign|get)[ ]?in|unlock)|par[a][ ](?:entrar|acceder)|per[ ](?:entrare|accedere)|zum[ ](?:einloggen|anmelden)|om[ ]in[ ]te[ ]loggen|pour[ ](?:[tms]e|vous)[ ]connecter|do[ ]logowania|for[ ]everything|everywhere))
password            paired           (?i)\b(?:use|try|is|are|with|utilise[rz]?|usa|nutze|nimm|(?:login|smtp|imap|s?ftp|mqtt|vpn|ssh|rdp|mail):)[ ]{opened}[a-z][\w.@-]{0,40}[a-z][ ]?[:/][ ]?([^\s\"'`]{6,64}?)(?:[\"'`*]{0,2}[ ](?:for|on|in|at|against|pour|para|f\x{fc}r|zum|auf)[ ]|[.,]?[ ]?\r?(?:\n|$))
@ (?:my|your|our|this|new|old|the)[ ]key[ ]is|cl\x{e9}|clave|ключ|chave|chiave|sleutel|klucz|anahtar|nyckeln|schl\x{fc}ssel|מפתח|คีย์|kh\x{f3}a|[\x{5bc6}\x{79c1}](?:\x{94a5}|\x{9470})|キー|비밀[ ]?키|jeton|токен|トークン|令牌
secret              password         (?i)(?:(?:clave|chave|chiave)[ ](?:priva[dt]a|se[cg]reta)|cl\x{e9}[ ](?:priv\x{e9}e|secr\x{e8}te)|geheim\w*[ ]schl\x{fc}ssel|(?:закрытый|секретный)[ ]ключ|秘密鍵|シークレットキー|비밀[ ]?키|[\x{5bc6}\x{79c1}](?:\x{94a5}|\x{9470})){of}(?:{link}|[ ]){opened}((?:0x)?[0-9a-f]{64}|[0-9a-f]{32})\b
secret              key_in_prose     (?i)(?:(?:my|your|our|this|new|old|the)[ ]key[ ]is|cl\x{e9}|clave|ключ|chave|chiave|sleutel|klucz|anahtar|nyckeln|schl\x{fc}ssel|מפתח|คีย์|kh\x{f3}a|[\x{5bc6}\x{79c1}](?:\x{94a5}|\x{9470})|キー|jeton|токен|トークン|令牌)(?:{link}|[ ](?:הוא|l\x{e0}|to|on)[ ]|คือ){opened}(0x[0-9a-f]{64}|[\w+/=.~-]{24,200})
@ [ ]/[ ][\"'`*]{0,3}[^\s\"'`/|]{0,63}[0-9!#$%^&@*?+~=]|\b(?:user|login|account|cred)\w*:[ ]\S{2,40}[ ]/[ ]|[\w.+-]@[\w-]+\.[\w.]+[`*]{0,2}[ ]?(?:/[ ]?[`*]{0,2}[^\s\"'`/|]{8}|\|)
password            odd              (?:(?i:(?:^|[\s:(>*`])(?:(?:admin(?:istrator)?|postgres|root|sa)[`*]{0,2}[ ]/[ ]|[\w.+-]+@[\w-]+\.[\w.]+[`*]{0,2}[ ]?/[ ]?){opened}([^\s\"'`/|]{8,64}))|\|[ \t]*[\w.+-]+@[\w-]+\.[\w.]+[ \t]*\|[ \t]*`?([^\s|`]{8,64})`?[ \t]*\|)
password            told             (?i)\b(?:user|login|account|cred|admin|root)\w*:[ ]{opened}[\w.@+-]{2,40}[\"'`*]{0,2}[ ]/[ ]{opened}([^\s\"'`|]{6,64})
password            far_password     (?:^|[\n\"'>(]){gutter}(?:[\w .-]{1,24}:[ ])?[`*]{0,2}[A-Za-z][\w.-]{1,30}[`*]{0,2}[ ]/[ ]{opened}([^\s\"'`/|]{8,64})[\"'`*)\]},]{0,4}[ \t|\x{2502}]*\r?(?:\n|$)
@ (?:://|:\\/\\/)[^\s/]*@|://[^\s/:]*:[^\s/]*[ ]?[\x{2502}\x{2503}]?\r?$
connection-password url_password     (?:://|:\\/\\/)(?:[^\s:/@\"'<>]{1,60}@)?[^\s:/@\"'<>]{0,100}:([^\s\"'<>/`]+)@[\w\[$%{(/-]
connection-password token            (?:://|:\\/\\/)([A-Za-z0-9_-]{20,})(?::(?:x(?:-oauth-basic)?|api_?token|unused)?)?@[\w\[]
connection-password password         (?i)\b(?:trojan|hysteria2?|tuic)://([^\s@:/\"'<>]{6,})@
connection-password made             (?:://|:\\/\\/)([A-Za-z0-9]{14,19})@[\w\[]
@ [?&;#](?:[\w-]*(?:token|key|secret|session|auth|sig|signature|code|jwt|sas|hash)|appid)[\w-]*=
url-token           url_token        (?i)[?&;#](?:access[_-]?token|api[_-]?key|apikey|auth[_-]?token|token|secret|client[_-]?secret|refresh[_-]?token|id[_-]?token|session(?:id|_id|[_-]?token)?|auth|key|sig|signature|code|jwt|sas|subscription-key|x-api-key|private[_-]?token|app[_-]?key|appid|hash|(?:invit(?:e|ation)|join|activation|reset|verification|confirmation|magic|login)_?code)=([^\s&\"'`<>#\\;]{6,})
@ x-[a-z-]*sign|-token|api-?key|-key|-auth(?:[^o]|$)|x-[a-z-]*pass|x-[a-z-]*secret|x-[a-z-]*key|x-[a-z-]*token|x-(?:access|session|csrf)|forhttpheaderfield
api-key-header      header           (?i)(?:value[:(][ ]?@?\\*\"([^\s\"\\]{8,200})\\*\",?[ ]forHTTPHeaderField:[ ]?@?\\*\"(?:authorization|[\w-]*(?:key|token|secret|auth|sign))|(?:^|[^A-Za-z0-9])(?:x-[a-z0-9-]{0,30}((?:idempotency|cache|surrogate|public)-key|(?:tokens|author|authenticated-user)[\"':=,])|(?:x-[a-z0-9-]{0,40}(?:key|token|secret|auth|password|pass|signature)[a-z0-9-]{0,20}|x-(?:access|session|x?csrf)|(?:private|job|deploy|circle|csrf|plex|auth|access|session|id|refresh)-token|api-?key|ocp-apim-subscription-key|dd-a(?:pi|pplication)-key|xi-api-key|api-token|apikey|rapidapi-key|helicone-auth|shopify-access-token|www-authenticate)(?:{is}|[\"'`]{1,2},\s?(?:value:[ ]?)?[\"'`])\\?[\"']?([^\s\"'`<>,;\\]{6,})))
@ [ ]n/a[ ]{2}|^[ \t>|+]*(?:\w+_)?pin[ ]{4}|(?:gdb|dlv|lldb|pdb|rdb:\d)\)[ ][^\n]*(?:pass|secret|token|key)|(?:expect\(|>>>[ ])[^\n]*(?:pass|secret|token|key)|fill\(
password            phrase           (?i)\((?:gdb|dlv|lldb|i?pdb|rdb:\d+)\)[ ]\w{1,5}[ ][^\n]{0,80}(?:{pass}|passw|\bpass\b)[^\n]{0,20}\n{gutter}(?:\$\d+[ ]=[ ])?(?:0x[\da-f]+[ ])?[\"']([^\"'\n]{4,})[\"']
secret              token            (?i)(?:[A-Z][\w.]*{secret}[ \t]+n/a[ \t]+\"([^\"\n]{8,})\"|(?:\((?:gdb|dlv|lldb|i?pdb|rdb:\d+)\)[ ]\w{1,5}|>>>)[ ][^\n]{0,80}{secret}[^\n]{0,40}\n{gutter}(?:\$\d+[ ]=[ ])?(?:0x[\da-f]+[ ])?[\"']([^\"'\n]{8,})[\"']|expect\([^\n]{0,60}(?:{pass}|{secret})\w{0,12}\)[^\n]*\n(?:[^\n]{0,120}\n){0,2}{gutter}got:[ ]\"([^\"\n]{8,})\")
password            given            (?i)fill\(\"([^\"\n]{6,64})\"\)[ \t]*\n(?:[^\n]{0,120}\n){0,2}[^\n]{0,80}getby\w+\([^\n]{0,40}{pass}
password            password         (?i){start}(?:\w+_)?pin[ ]{4,40}(\d{4,8})[ \t]*\r?(?:\n|$)
@ (?:\b(?:admin(?:istrator)?|root)[:/]|@(?:pam|pve):)[!-~]{8}|\b(?:SASL[ ]PLAIN|[a-z\d]+[ ](?-i:LOGIN)|(?-i:PASS))[ ][!-~]|\blogin=[!-~]{8}|(?:sess(?:ion)?(?:_?id)?|\bsid|(?:authorization|device|verification)[ ]code|licen[cs]e|code_?verifier|(?:hex|generated|secret|new)[ ]key|\b(?:key|code|auth)|-team)[\"'=\\: ]{1,6}[\w-]{20}|(?:here(?:['\x{2019}]s|[ ]is)|generated|created)[ ][^\n]{0,60}(?:key|token|secret)[\"'*_`]{0,3}(?:[ ]for[ ][\w ]{1,30})?:?[ \t]*\r?$
password            odd              (?:(?i:(?:^|[\s(\[\"'`>])(?:(?:admin(?:istrator)?|root|[\w.-]{1,30}@(?:pam|pve)):([^\s\"'`|<>@]{8,64})|(?:root|administrator)/([^\s\"'`|<>@/-]{8,64})(?:[\s\"'`|<>,;)]|$)))|(?:{start}|\.\.|\],[ ])(?:(?:SASL[ ]PLAIN|\w+[ ]LOGIN)[ ][\w.@-]{1,40}[ ]|(?:(?:\d+[ ])?Request:[ ])?(?:PASS|\w+[ ]LOGIN)[ ]|login=)([^\s\"'`|<>]{8,64})[ \t]*(?:[\r\n\"'`|<\\]|$))
secret              session          (?i)\b(?:authorization[ ]code|device[ ]code|hex[ ]key|auth=|generated[ ]key:\r?\n{gutter}|session_?id\\?\"\s?:[ ]?\\?|(?:php|j)?sess(?:ion)?id[ ])[ ]?[\"'`]?([\w-]{20,128})(?:[\s\"'`|<,;)}\]\x{2502}\\]|$)
secret              far_token        (?i)(?:here(?:['\x{2019}]s|[ ]is)|generated|created)[ ](?:[\w'-]+[ ]){0,5}(?:{secret}|key)[\"'*_`]{0,3}(?:[ ]for[ ][\w ]{1,30})?:?[ \t]*\r?\n(?:{gutter}(?:`{3}\w*)?\r?\n){0,2}{gutter}[\"'`*\x{201c}]{0,3}([\w+/=.~-]{16,200})
@ \[\+\][ ][^\n]*\\[^\n]*:[!-~]|\b(?:enc|auth(?:-trunc)?|aead)[ ][\w()-]+[ ]0x|\b331[ ]|\bbcrypt_hash\b|\balarm\w*:[ \t]*\r?$|\btokens\\*\"?[ ]?[:=]?[ ]?\{|\"(?:primary|secondary)\\*\"[ ]?:[ ]?\\*\"[\w+/]{24}|\"(?:local_?)?key\\*\"[ ]?:[ ]?\\*\"[!-~]{16}|with[ ](?:bcrypt|scrypt|argon2|pbkdf2)|[\w+/=-][ ]\([\w ]{0,20}(?:token|secret|key)\)
password            password         (?i)\balarm\w*:[ \t]*\r?\n(?:{gutter}[^\n]{1,60}\n){0,3}{gutter}(?:code|pin):[ ][\"']?(\d{4,8})\b
password            password         (?:\[\+\][ ][^\n]{0,80}[\w.-]\\[\w.@$-]{1,40}:([^\s:]{4,64})|\b331[ ][^\n]{0,120}\n{gutter}PASS[ ]([^\s<]{4,64})|\"bcrypt_hash\"(?:[^\n]*\n){0,18}?[^\n]{0,300}?\"result\"\s?:\s?\"([^\"\n]{4,})\")
secret              password         (?i)(?:\b(?:enc|auth(?:-trunc)?|aead)[ ][\w()-]{3,40}[ ](?:0x)?([0-9a-f]{16,144})\b|\btokens\\*\"?\s?[:=]?\s?\{\s{0,24}\\*\"?\w{1,20}\\*\"?\s?[:=]\s?\\*\"([0-9a-f]{8}-[0-9a-f-]{27}))
secret              token            \"(?:primary|secondary)\"\s?:\s?\"([A-Za-z0-9+/]{32,}={0,2})\"
secret              key_in_prose     \"key\"\s?:\s?\"([A-Za-z0-9_-]{24,128})\"
password            odd              (?i)\bhash(?:ed|ing)?[ ]{opened}([^\s\"'`]{6,64})[\"'`]{0,2}[ ]with[ ](?:bcrypt|scrypt|argon2|pbkdf2)
secret              far_token        (?i)(?:^|[\s:\"'`(])([\w+/=.~-]{16,200})[\"'`]?[ ]\((?:\w+[ ]){0,2}(?:{secret})\)|\"key\"\s?:\s?\"((?:[^\"\\\s]|\\[!-~]){16})\",\s{0,24}\"(?:ip|mac|version|uuid|uid|sn|product_id|productKey|devId|gwId)\"
@ (?:is|are)[ ](?:encrypted|locked|protected)|verschl\x{fc}sselt|chiffr\x{e9}|cifrad|cifrat|zaszyfrowan|\bthe[ ]word[ ]is[ ]|\b(?:hash|bcrypt|scrypt|argon2(?:id)?|encrypt|htpasswd)[ ](?:this|that|it|me)\b[^\n]{0,40}:|will[ ](?:ask|prompt)|[ ](?:quotes|quotation|anf\x{fc}hrung|guillemets|comillas|virgolette)|[ ](?:failed|denied|incorrect|rejected|invalid|unauthorized|wrong)\b|\b(?:with|mit|avec|con)[ ][^\s@]{1,40}@[^\s@]{3,60}[ ](?:and|und|et|y|e)[ ]
password            told             (?i)(?:(?:(?:encrypted|locked|protected),?[ ](?:so[ ])?(?:just[ ])?(?:use|try|take|enter)[ ]|(?:verschl\x{fc}sselt|chiffr\x{e9}e?s?|cifrad[ao]s?|cifrat[aoi]|zaszyfrowan\w),?[ ](?:nimm|nutze|mit|avec|con|usa|utilise|u\x{17c}yj)[ ]|\bthe[ ](?:magic[ ])?word[ ]is[ ]|\b(?:hash|bcrypt|scrypt|argon2(?:id)?|encrypt|htpasswd)[ ](?:this|that|it|me)\b[^\n:]{0,40}:[ ]|\bwill[ ](?:ask|prompt)(?:[ ](?:you|for[ ]it))?,?[ ](?:just[ ])?(?:type|enter|give|use|put)[ ]|\b(?:with|mit|avec|con)[ ]{opened}[\w.+-]+@[\w.-]+\.[a-z]{2,12}[\"'`*\x{201d}]{0,3}[ ](?:and|und|et|y|e)[ ]){opened}([^\s\"'`*\x{201d}]{6,64})|\b(?:mit|avec|con)[ ]{opened}([^\s\"'`*\x{201d}]{6,64})[\"'`*\x{201d}]{0,3}[ ](?:verschl\x{fc}sselt|gesch\x{fc}tzt|chiffr\x{e9}|prot\x{e9}g\x{e9}|cifrad|cifrat|protegid)|[\"'`*\x{201c}\x{201e}]([^\s\"'`*\x{201d}]{6,64})[\"'`*\x{201d}],?[ ](?:[(\x{2013}\x{2014}-][ ]?)?(?:without|minus|ohne|sans|sin|senza)[ ](?:(?:the|die|les|las|le)[ ])?(?:quotes|quotation|anf\x{fc}hrung|guillemets|comillas|virgolette)|\b(?:typed?|entered|getippt|eingegeben)[ ]{opened}([^\s\"'`*\x{201d}]{6,64})[\"'`*\x{201d}]{0,3},?[ ](?:and|but)[ ](?:it|sudo|ssh|i|the[ ]\w+|that|login)[ ][^\n]{0,24}\b(?:failed|denied|incorrect|rejected|invalid|unauthorized|wrong)\b)
@ \b(?:totp|otp|2fa|mfa|two-factor|authenticator)\b[^\n]{0,80}[^A-Za-z2-7][a-z2-7]{16}|(?:^|[^\w ][ ]?|\d\.[ ])key[ ](?:is|was)[ ][^\w\n]{0,4}[0-9a-f]{32}|\bwith[ ](?:the[ ]|our[ ]|my[ ])?key[ ][^\w\n]{0,4}[0-9a-f]{32}|api[ -]?(?:schl\x{fc}ssel|nyckel|n\x{f8}gle|sleutel|avain)|(?:cl\x{e9}|chiave|clave|llave|chave|ключ|klucz|cheie|kl\x{ed}\x{10d})[ ](?:d[\w'\x{2019}]{1,3}[ ]?)?api\b
secret              far_token        (?:(?i:\b(?:totp|otp|2fa|mfa|two-factor|authenticator)\b)[^\n]{0,80}?[^A-Za-z0-9]([A-Z2-7]{16,64})(?:[^A-Za-z0-9]|$)|(?i:api[ -]?(?:schl\x{fc}ssel|nyckel\w{0,2}|n\x{f8}gle\w{0,2}|sleutel|avain)|(?:cl\x{e9}|chiave|clave|llave|chave|ключ|klucz|cheie|kl\x{ed}\x{10d})[ ](?:d[\w'\x{2019}]{1,3}[ ]?)?api\b)[^\n:]{0,48}?(?:[:=]|[ ](?:c['\x{2019}]est|\x{e8}|es|\x{e9}|est|ist|lautet|\x{e4}r|er|on|to|вот|это))[ ]{opened}([\w+/=.~-]{15,200}))
secret              password         (?i)(?:(?:(?:^|[\n>*.-][ ]?|\d\.[ ])key[ ](?:is|was)|\b(?:api|endpoint|service|server|request|call|log[ ]?in|connect\w*|auth\w*)\b[^\n]{0,30}[ ]with[ ](?:the[ ]|our[ ]|my[ ])?key)[ ]{opened}([0-9a-f]{32,64})(?:[^\w-]|$))
"""

_JUDGES = vars(judging) | vars(neighbours)
_WORD = lazily(r"\A(\(\?i\))?\\b")
_FOREIGN = lazily(r"(?:\\x\{[0-9a-f]+\}|[^\x00-\x7f])+")
_CHARACTER = lazily(r"\\x\{([0-9a-f]+)\}|(.)")
_FEWEST_WRITTEN = 2
_BYTE = r"(?:\\x|%|25|=)"
"""What ends in front of a byte: `\\x`, `%`, and `%25` where that is escaped once more."""
_QUOTE = lazily(r"(\[(?:\\.|[^\]\\])*\])|\\\"")
_BEGINNING = lazily(r"(?<![^|])\\b")
_MOST_COLUMNS = 6
"""So many places in a row are tried for `{N}`: columns of a table, arguments of a call."""


def contexts() -> tuple[Context, ...]:
    """Return all rules, patterns written out."""
    made: list[Context] = []
    sign = ""
    for row in (_ROWS.strip() + commands.ROWS).strip().splitlines():
        if row.startswith("@ "):
            # A blank of a command may be escaped, as may be what stands before it.
            sign = (
                row.removeprefix("@ ")
                .replace("{vendor}", _VENDORS)
                .replace("{foreign}", words.FOREIGN)
                .replace("{readers}", commands.READERS)
                .replace(r"[ \t]", r"(?:[ \t]|%20)")
                .replace("[ _.-]?key", "(?:[ _.-]|%20)?key")
                .replace("<<<", "(?:<|&lt;|%3C){3}")
            )
            sign = _FOREIGN.sub(_as_written, _BEGINNING.sub("", sign))
            sign = _QUOTE.sub(lambda found: found[1] or r"(?:\"|&quot;|&#34;)", sign)
            continue
        kind, judge, pattern = row.split(maxsplit=2)
        pattern = _WORD.sub(r"\1{b}", pattern)
        is_secret = _JUDGES[f"is_{judge}"]
        gate = _written(pattern, _LOOSE)
        pattern = _written(pattern, _PIECES)
        for count in range(_MOST_COLUMNS if "{N}" in pattern else 1):
            counted = pattern.replace("{N}", f"{{{count}}}")
            made.append(Context(sign, kind, counted, is_secret, gate))
    return tuple(made)


def _as_written(found: re.Match[str]) -> str:
    """Return a pattern of some characters, or of what stands for them, in any case.

    JSON writes numbers; URLs, mails and programs write bytes. Few texts have so much as the
    first of those.
    """
    escaped = ""
    for one in islice(_CHARACTER.finditer(found[0]), _FEWEST_WRITTEN):
        small = (chr(int(one[1], 16)) if one[1] else one[2]).lower()
        letters = sorted({small, small.upper()[:1]})
        ways = [rf"\\+u{ord(letter):04x}" for letter in letters]
        ways += [
            "".join(rf"{_BYTE}{byte:02x}" for byte in letter.encode()) for letter in letters
        ]
        escaped += f"(?:{'|'.join(ways)})"
    return f"(?:{found[0]}|{escaped})"


def _written(pattern: str, pieces: dict[str, str]) -> str:
    for name, piece in pieces.items():
        pattern = pattern.replace("{" + name + "}", piece)
    return pattern
