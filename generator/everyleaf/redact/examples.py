"""What only shows where a secret would stand: decided by lists and whole forms.

A word in the middle of a value decides nothing: `MyPass1234567` is somebody's password.
"""

from __future__ import annotations

import re

from everyleaf.redact import any_of, text_of
from everyleaf.sources.lines import lazily, names

_PUBLISHED, _STOCK, PLACEHOLDERS, VAGUE, PROSE, FIELDS, MESSAGES, _WEAK = map(
    names, text_of("examples").split("\n\n")
)
"""Values that vendors and manuals print; those of tests in programs, of which one may be real
in a file of settings; what stands for a value; words that say nothing of it alone (`postgres`
may be a password); what follows names of options in prose; parts of names; words of messages;
what stands for a value, but in `MasterOfNone`."""
SERVICE = (
    f"[ \t*>\u2022-]{{0,8}}(?:{any_of('services')})"
    "(?:[ ](?:account|app|e-?mail|family|gast|guest|home|kids|konto|log[ ]?in|office|shop|tv|work))?"
)
"""What people have accounts with, as a row of a list of them begins."""
BEHIND_SERVICE = "(?:[ ]?[:=/\u2013\u2014-]|[ ](?:is|[=-]>|\u2192))"
FOREIGN = any_of("foreign")
"""Names of passwords in other languages, as patterns."""
PIECES = {"FOREIGN": FOREIGN, "LOCKS": any_of("locks"), "SERVICE": SERVICE}
PIECES["BEHIND_SERVICE"] = BEHIND_SERVICE
"""What these names stand for in files of patterns; `LOCKS`: what a number opens."""
_LABEL = lazily(rf"(?i)(?:{FOREIGN}|シークレット|トークン|секрет|токен)")
_PARTS = lazily(r"[-_. /:|,]+|(?<=[a-z])(?=[A-Z])")
_ROW = lazily(r"(?m)^(?!#|==).*?[ ]{2,}(.*\S)")


def _sections(file: str) -> dict[str, re.Pattern[str]]:
    """Return what a file of forms beside this one has: heading → a pattern of its rows."""
    return {
        section[1]: lazily((section[2] or "") + "|".join(_ROW.findall(section[3])))
        for section in re.finditer(
            r"(?m)^== (\w+)(?: (\(\?\w\)))?:.*\n((?:.+\n)+)", text_of(file)
        )
    }


PUBLIC = _sections("public")
"""What has a form that no secret has: where it is asked → its pattern."""
_PLACEHOLDERS = _sections("placeholders")
"""What stands for a value: how → its pattern; and what people choose that looks so."""
_NAMED = lazily(
    r"(?i)[\"'][\w:.-]{1,40}[\"'],\s{1,24}[\"']\w*(?:pass|pwd?|token|secret|key)\w*[\"'],\s{1,24}[\"']\Z|(?:\bexisting(?!_?pass(?!\w*(?:secret|key|name|ref)))\w*|secret_?name|pullsecrets?|(?<!\()\b(?:type|using)[ ](?!(?-i:pass\w*|pwd?|pin)\b)\w+)\\{0,3}[\"']?[ ]?[:=][ ]?\\{0,3}[\"']?\Z|(?-i:[A-Z][A-Z_]+[ ]*=[ ]credentials\()[\"\']\Z|\b1password[\"'`*),.;\s]{1,4}\Z|(?<!of )(?<!of my )(?<!of our )(?<!of the )\b(?:1password|bitwarden|keepass\w{0,3}|lastpass|dashlane|vault|keychain)[\"'`*),.;\s]{1,4}(?:(?:item|entry|note|record|under|as|in|called|named)[ ]){1,3}[\"'\u201c]?(?:\w+[ ]){0,3}\Z"
)
"""What only a name follows."""
_OF_ID = lazily(
    r"(?i)(?:\b(?:idempotency|dedup\w*|partition|primary|foreign|sort|row|site|cache|object|lookup|index|dict|memo|artifact|composite|unique|natural|surrogate|bucket|blob|commit|duplicate|from|deleted?)[ _-]?key\\{0,3}[\"'`]?[ ]?[:= ][ ]?\\{0,3}[\"'`]?"
    r"|\b(?:trace|span|request|correlation|run|job|build|commit|message|event|transaction)[ ]id(?:[ ]is)?:?[ ][\"'`]?|[ ](?:-e|--env)[ ]\w{1,40}[ ]|\blogged in to [\w.-]{1,60} (?:account|as) |\bplugin:|\b(?:redis-cli|pg_dump|ipmitool|ldap\w{3,9}|mosquitto_\w{3})(?-i:[^\n|;&]{0,60}?[ ]-p)[ ]?|\bkeytool[ ][^\n|;&]{0,70}?-a|\b(?:kubectl|oc)[ ][^\n|;&]{0,40}?secret[ ](?:generic|tls|docker-registry)[ ]|\bchangepassword[ ]|[ ]--(?![\w-]*(?:secret|session|token|key)-id)\w[\w-]{0,24}-id[ =][\"\']?|[ ]--?(?:\w{0,20}-?name|namespace|project|region|zone|cluster|context|profile|bucket|resource-group)[ =][\"\']?|\bgcloud secrets [\w -]{1,40}--secret[ =][\"\']?|\b(?:heroku|fly(?:ctl)?)[ ][^\n|;&]{1,60}[ ]-(?:a|-app)[ =]|\"(?!\w{0,30}(?:secret|token|sess|key|pass|auth|sas))\w{0,30}(?:(?<![a-z])id|_id|(?-i:[a-z]I[dD])|region|zone|version|locale|build|plan|device|sku|slug|status)\\{0,3}\"\s?:\s?\\{0,3}\"|\b(?:trace|span|parent|request|correlation|commit|build|digest|sha\d*|md5\w*|checksum|rev(?:ision)?|head|etag)(?:_?id)?=[\"\']?|\buser\.signingkey\W{1,3}|(?-i:\bsigningkey[ ]=[ ])|(?:token|secret|key|password|credentials?)_(?:aud(?:ience)?|iss(?:uer)?|type|ur[il]|endpoint|host|scopes?|ttl|region|kind|version)[\"\']?,?\s{1,24}[\"\']?value[\"\']?\s?[:=]\s{0,2}[\"\']?|\bchecksum/\W{0,3}[\w-]{1,40}:\s?|(?<!mask)(?<!token)(?<!key)(?<!secret)(?<!pass)(?<!word)(?<!wort)(?<!phrase)(?<!pwd)(?<!\bpw)(?<!e\xf1a)(?<!senha)::|\b[\w.-]+\.(?:org|com|net|io|dev)-\d:|\barn:aws[\w:/-]{1,70}|\d{4}-\d\d-\d\d[T ]\d\d:[\d:]*|private_key_id\W{1,9}|(?-i:[A-Z]_)(?:sha\d*|checksum|digest)[ ]?[:=][ ]?[\"']?|\bcertificate(?:-authority)?-data\W{1,9}|\blease_id\W{1,24}[\w/-]*|\betag[\"']?[ ]?[:=][ ]?(?:W/)?\\{0,3}[\"']?|\$\{\w{1,40}:\?[^}\n]{0,60}|\(sensitive value\)(?:(?!->[ ]\")[^\n]){0,40}|\bsha(?:256|384|512)-[\w+/]*|(?:(?m:^)|[0-9a-f]{7}[ ]|[-*:>\"'`(][ ]?)(?:add|feat|fix|implement|move|remove|test)(?:s|e?d|es)?[ :][^\n]{0,24}password (?:change|reset) (?:for|to) |\bdomain[ ]?=[ ]?|\bage1[a-z\d]{10,60}|\bsession=<|checksum\w*\"\s?:\s?\"|\"kid\"\s?:\s?\"|\"(?:crv|kty|e|x)\"[^{}\n]{1,64}\"[xyn]\"\s?:\s?\""
    r"|\bclass(?:Name)?=\\{0,3}[\"'][^\"'\n]{0,60}|\"(?:format|type)\\{0,3}\"\s?:\s?\\{0,3}\"password\\{0,3}\",\s?\\{0,3}\"|(?<!:)\bget[\"',\s]{1,5}secrets?[\"',\s]{1,5}|/tmp/|pub(?:lic)?[ _-]?key\\{0,3}[\"'`]?(?:\s?[:=>]|[ ]is:?)\s{0,4}\\{0,3}[\"'`]?)\Z"
)
"""What an id, a class, a folder or who somebody is follows."""
_PUBLISHED_AS = (
    (
        lazily(r"(?:(?<![A-Z_])GPG_KEY=|--recv-keys?[ ](?:0x)?)\Z"),
        lazily(r"[0-9A-F]{16}|[0-9A-F]{40}"),
    ),
    (lazily(r"(?:\A|\n)[ \t]*peer: \Z"), lazily(r"[\w+/]{43}=")),
    (lazily(r"(?:\A|[\s,])\|?1\|(?:[\w+/]{27}=\|)?\Z"), lazily(r"[\w+/]{27}=?")),
    (
        lazily(r"\b(?:MD5|SHA\d{1,3}) \([^)\n]{1,60}\) = \Z|\bkernel key: \Z"),
        lazily(r"[0-9a-f]{32,128}"),
    ),
    (lazily(r"(?:\A|\n)@\w{3,14}\{\Z"), lazily(r"[\w:.-]+")),
)
"""What stands before fingerprints, public keys, hashed hosts, digests and entries of BibTeX;
what those look like."""
_DONE = lazily(r"[\"']? (?:deleted|created|configured|unchanged|patched)\b")
"""What kubectl did with what has this name."""
_FIELD = lazily(
    r"(?<=[\"\n ])([A-Za-z]?[a-z]{2,14}(?:(?:_|[A-Z])[a-z]{2,14}){0,4})\\{0,3}\"\s?:\s?\\{0,3}[\"\d{\[tfn-]"
)
"""A name in JSON, also behind the end of a line of a list, and the begin of its value."""
_USER = lazily(r"[a-z]{2,12}(?:[._-][a-z]{2,12})?[._-]?\d{1,6}")
_OF_USER = lazily(
    r"(?i)(?:(?:user|\brole|\bacc(?:oun)?t|usu[a\xe1]rio|benutzer|utente|utilisateur)(?:[ _-]?name)?|(?:\b|_)name|用户名|ユーザー名)\\{0,3}[\"'`*)]{0,3}"
    r"(?:[ ]?(?:=>?|>|は|is)[ \t]{0,16}|[ ]?[:\uff1a](?:[ \t]{1,16}|(?=\\{0,3}[\"'`]))|<\w+>=|[\"']?,[ ]?\\{0,3}\"value\\{0,3}\":[ ]?|[ ]value=)\\{0,3}[\"'`*]{0,3}\Z"
    r"|(?i:[ ]-u[ ][\"']?|pass\w*[ ](?:for|of)[ ](?:user[ ])?[\"']?|(?:(?:for|as|by)[ ]user|(?:create|alter|drop)[ ](?:user|role|login))[ ][\"'`]?)\Z"
)
"""What only who logs in follows, if it looks like one: `svc_41`."""
_PASSWORD_OF = lazily(
    r"(?i)\b(?:pass\w*|pwd?|secret word)(?: (?:for|of|on) [^.\n]{1,40} is|:)? [\"'`]*\Z"
)
"""What a password follows, although it looks like who logs in, or like a name of one."""
_LINE = lazily(r"[+-]?[A-Za-z0-9+/]{4,76}={0,2}")
_CERTIFICATE = lazily(
    r"-----BEGIN (?:(?!PRIVATE)[A-Z\d]+ )*(?!PRIVATE)[A-Z\d]+-----\r?\n(?:[ \t+>|-]*[A-Za-z0-9+/]{16,76}={0,2}\r?\n)*[ \t+>|-]*"
)
"""All that stands in front of one of its lines: a public key, too, no private one."""
_LONGEST_BLOCK = 6_000
_FARTHEST = 80  # Characters in front of a value.
_STANDARD = lazily(
    r"(?i)(?:sha-?\d{1,3}|md5|base\d\d(?:url)?|utf-?(?:8|16)\w*|hex|ascii|latin-?1|rot13|es20\d\d"
    r"|scram-sha-\d{1,3}(?:-plus)?|[bs]crypt|argon2(?:id?|d)?|pbkdf2(?:[_-]\w+)*|[hrep]s(?:256|384|512)|aes-?\d{3}(?:-\w{3})?)"
)
"""What passwords are hashed, encrypted and written with."""
_MODEL = lazily(
    r"(?:claude|codestral|deepseek|gemini|gpt|grok|llama|mistral|mixtral|o\d|qwen)[\d.]*(?=-(?:v?\d|r\d|agent|api|app|audio|chat|cli|code|cpp|deep|embed|flash|guard|haiku|high|history|image|index|instant|instruct|large|latest|lite|live|max|medium|mini|nano|nemo|next|opus|oss|plugin|plus|preview|pro\b|realtime|reasoner|sdk|session|small|sonnet|stack|thinking|tiny|turbo|ultra|vision|vl\b))(?:-(?:[a-z]{2,12}|v?\d{1,3}(?:\.\d)?[a-z]{0,2}|\d{1,2}x\d{1,3}b|20\d{6}|20\d\d))+"
)
"""A name of a model: every session has them."""
_FORMS = (_PLACEHOLDERS["reference"], _PLACEHOLDERS["filled"], _MODEL, _STANDARD, _LABEL)


def is_placeholder(value: str) -> bool:
    """Return whether a value only says what belongs there, and is no secret itself.

    >>> is_placeholder("your-api-key-here"), is_placeholder("MyPass1234567")
    (True, False)
    """
    bare = value.strip("\"'`.,;:!?()<>[]{} +\\")
    if bare in _PUBLISHED or bare.lower() in _PUBLISHED:
        return True
    if _PLACEHOLDERS["taken"].fullmatch(value.strip("\"'`")):
        return False
    is_pin = bare.isdigit() and len(bare) == 4 and len(set(bare)) > 1
    forms = (one.fullmatch(value.lstrip("\\+")) for one in _FORMS)
    if (len(set(bare)) <= 2 and not is_pin) or any(forms):
        return True
    parts = {part.lower() for part in _PARTS.split(bare) if part}
    are_joined = len(parts) > 2 and value.isalnum() and value[0].isupper()
    telling = PLACEHOLDERS - _WEAK if are_joined else PLACEHOLDERS
    return parts <= PLACEHOLDERS | VAGUE and not parts.isdisjoint(telling)


def is_example(value: str) -> bool:
    """Return whether a value is a placeholder, or one that tests in programs have."""
    return is_placeholder(value) or value.lower().strip("\"'`.,;: ") in _STOCK


def is_named(text: str, at: int, value: str, *, is_loose: bool = True) -> bool:
    """Return whether only a name stands there or, if values of its kind do, an id.

    >>> is_named("secretName: web-tls-2", 12, "web-tls-2"), is_named("secret: a-b", 8, "a-b")
    (True, False)
    """
    begin = max(at - _FARTHEST, 0)
    is_user = is_loose and _USER.fullmatch(value) and _OF_USER.search(text, begin, at)
    is_login = is_user and not _PASSWORD_OF.search(text, begin, at)
    if is_login or ((field := _FIELD.match(text, at)) and field[1] == value):
        return True
    if any(
        form.fullmatch(value) and before.search(text, begin, at)
        for before, form in _PUBLISHED_AS
    ):
        return True
    bare = re.sub("[-_ ]", "", value)
    is_words = value.isalpha() or (bare != value and bare.isalnum())
    done = _DONE.match(text, at + len(value)) if is_words else None
    is_done = done is not None and not _PASSWORD_OF.search(text, begin, at)
    if is_done or (is_words and _NAMED.search(text, begin, at)):
        return True
    block = text.rfind("-----BEGIN ", max(at - _LONGEST_BLOCK, 0), at) if is_loose else -1
    is_line = block >= 0 and _LINE.fullmatch(value) is not None
    return (is_line and _CERTIFICATE.fullmatch(text, block, at) is not None) or (
        is_loose and _OF_ID.search(text, begin, at) is not None
    )


def is_code(value: str) -> bool:
    """Return whether what stands for a value without quotes is an expression."""
    is_taken = _PLACEHOLDERS["taken"].fullmatch(value) is not None
    return not is_taken and _PLACEHOLDERS["code"].fullmatch(value) is not None


def is_name(value: str) -> bool:
    """Return whether a value is words only, as names and prose are: `refresh_token_url`."""
    parts = [part for part in _PARTS.split(value) if part]
    return all(part.isalpha() and len(part) <= 14 for part in parts) and (
        len(parts) > 1 or value.islower() or value.isupper() or value.istitle()
    )
