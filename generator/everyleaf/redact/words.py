"""Words of programs and of prose: where a secret may be letters alone, these are none."""

from __future__ import annotations

import gzip
import re
from functools import cache, lru_cache
from importlib.resources import files
from itertools import dropwhile
from typing import NamedTuple

from everyleaf.redact import text_of
from everyleaf.redact.examples import (
    FIELDS,
    FOREIGN,
    MESSAGES,
    PLACEHOLDERS,
    PROSE,
    VAGUE,
    is_example,
    is_name,
)
from everyleaf.sources.lines import lazily, names

_MORE, _OF_IDS, LEADING, COUNTED, VERBS, OF, TOOLS, FOLDERS, _ANSWERING, SCHEMES = map(
    names, text_of("words").split("\n\n")
)
"""What stands where programs and sentences tell of passwords, tokens and keys; what names
of packages, branches, classes and machines are made of, besides, as most of the names of
four words in lists of packages are; what leads on from a name to a value; what stands before
a number of three digits and one more word; what says that a value follows; behind what stands
whose or what's a password is; tools whose options of one letter say other things; users
that are also folders; words in front of what someone was asked for; beginnings of addresses."""
THINGS = names(text_of("things"))
"""What lives and grows, what is eaten, seen and played with: what people take for passwords."""
USUAL = names(text_of("usual"))
"""Words that documentation of programs is made of: in a sentence, none is a password."""
_LATIN_ACCOUNTS = r"user[ ](?:created|added)|(?:created|added)[ ]user|log(?:ged|ging|s)?(?:[ ](?:me|us|him|her|them))?[ ]?in(?:[ ]as)?|sign(?:ed|ing)?[ -]?in(?:[ ]as)?|(?:connect(?:ed)?|ssh(?:[ ]in)?)[ ](?:with|as|using)|authenticate[ ](?:with|as)|(?:ssh|rdp|connect|log[ ]in|sign[ ]in)[ ](?:in)?to[ ][\w.-]{1,60}[ ](?:as|with)|creds?|credentials?(?:[ ]are)?|basic[ ]auth(?:[ ]is)?|http[ ]basic|auth|accounts?(?:[ ]\x{2014})?|mqtt|ftp|vnc|wi-?fi|wlan|zugang|zugangsdaten|anmelde(?:n|daten)|(?:melde|logge?)[ ](?:dich|mich)|einloggen|logga[ ]in(?:[ ]so[m])?|log[ ]in[dn](?:[ ](?:so[m]|med))?|kirjaudu(?:[ ]sis\x{e4}\x{e4}n)?|p\x{159}ihlas|bejelentkez\w*|conecteaz\x{103}-te|identifiants|connect[e][sz]?[- ](?:to[i]|vous)|credenciales|inicia(?:r)?[ ]sesi\x{f3}n|entra(?:r)?[ ]co[mn]|acced[ie][ ]con|credenziali|accesso|(?:try|use)[ ](?:the[ ])?user[ ][\"']?[\w.@-]{2,30}[\"']?[ ]with|zaloguj|decod(?:es|ed)[ ](?:to|as)|u[ ]go|you[ ]go|(?:(?:en|de)crypt(?:s|ed)?|protected|(?:un)?lock(?:s|ed)?|open(?:s|ed)?)(?:[ ](?:it|(?:the|my|our|your|this)[ ]\w{2,16}))?[ ]with|log(?:s|ged)?[ ]?on[ ](?:as|with)|get[ ]in(?:to[ ]it)?[ ]with|(?:leak|share|commit)[ ](?:this|that|it)"
ACCOUNTS = rf"(?:\b(?:{_LATIN_ACCOUNTS})\b|логин|войди|зайди|giri\x{{15f}}|ログイン|登录|登錄|로그인)"
"""What stands before who logs in, and with what."""
_VENDORS = "atlas|auth0|railway|render|fly|snyk|dd|wandb|okta|pagerduty|hasura|confluent|cloudinary|razorpay|openai|anthropic|stripe|segment|backblaze|together|eleven[ ]?labs|deepgram|replicate|perplexity|hugging[ ]?face|pinecone|tavily|serpapi|twilio|sendgrid|mailgun|postmark|mailchimp|messagebird|vonage|datadog|sentry|new[ ]?relic|mixpanel|amplitude|posthog|algolia|mapbox|airtable|notion|linear|shopify|paypal|plaid|cloudflare|vercel|netlify|heroku|azure|digital[ ]?ocean|supabase|firebase|pusher|ably|groq|mistral|cohere|deepseek|fireworks|voyage|assembly[ ]?ai"
MISSPELT = r"p[a4@]?(?:s{1,3}|5{2}|\x{df})(?:w[o0\x{f6}]{1,2}r?[dt]|wr[o0]?d|owr?d|vord|wd)"
"""The word password, also as people write it in haste."""
NAMES = (
    rf"(?i)((?:{MISSPELT}|pass(?:code|[ _-]?phrase))(?:strength)?|\bp/w\b|(?:^|[^a-z])(?:(?:db|root|user|admin|my|sql|ftp|mail|smtp)?pwd?|psw|pswd|pass|ww)(?:[^a-z]|$)|(?:wi-?fi|wlan)_?key|(?:unlock|door|gate|alarm)_?code|pre-?shared[ ]key|(?:snmp[ ]community|community[ ]string)|(?:wlan|wi-?fi)-?[ ]?schl\x{{fc}}ssel|(?:cl\x{{e9}}|chiave|klucz)[ ](?:(?:du|del|do)[ ])?wi-?fi|security[ ]question|\bsecret[ ]word\b|\b(?:wlan|wi-?fi|internet|hotspot)[^\n]{{1,40}},[ ]key\b|requirepass|\b(?:key|store)pass\b|\b(?:veracrypt|truecrypt|bitlocker|filevault)[ ]?:|\b[lu](?:[s]er)?:[ ]?[\w.@-]{{2,40}}[,;]?[ ]p\b|{FOREIGN})|((?-i:[a-z](?:Pwd?|Pass)\b))|({ACCOUNTS})|secret|token|credential|\bpepper|\bthe[ ]salt(?:[ ]is)?|api_hash|(?:recovery|wallet)[ ]phrase|(?:unseal|fernet|network|hmac|stream|xor|aes[\w-]*|webhook|deploy|api|private|access|signing|encryption|master|auth|service|licen[cs]e|app|account|service[ ]account)[ _-]?key|\b(?:{_VENDORS})[ ](?:ai[ ])?(?:(?:write|live|test|prod|admin)[ ])?(?:application[ ]?)?key\b"
    r"|[a-z]_(?:key|pat)\b|\b(?:the|my|our|your|this|that|new|old|leaked|hard-?coded|[a-z]*(?:prod|production|live|test|staging|database|db|wpa|two|both|of|api))[ ]keys?\b"
)
"""Of passwords, of accounts, and of other secrets."""
SIGN = (
    rf"(?im)(?:(?:{ACCOUNTS}|(?:passowr?d|passwro?d|pas[wv]o?r?d|p[a4@]ssw[o0]rd|pa\x{{df}}wort)|\b(?:psw|psswd|pre-?shared[ ]key|community[ ]string|snmp[ ]community|clave|лозинка|[lu]:[ ]?[\w.@-]{{2,40}}[,;]?[ ]p)\b)[^\n]{{0,60}}(?:[!-~][0-9!#$%]|[ ][0-9][a-z]{{4}}|[a-z]{{4}}\.[a-z]{{4,10}}\.[a-z]{{4}}|[ :/](?-i:[A-Za-z]{{0,9}}(?:[a-z][A-Z]|[A-Z]{{2}})[a-z]+[A-Z]))"
    r"|security[ ]question|\b(?:wlan|wi-?fi|internet|hotspot)[^\n]{1,40},[ ]key\b|\b(?:key|store)pass[ ]|\b(?:veracrypt|truecrypt|bitlocker|filevault)[ ]?:[ ]|\bww(?:[ ]is|:)?[ ][!-~]*\d|\btoken[ ][0-9a-f]{32}|(?:passphrase|password|secret|phrase)\b[^\n]{0,40}(?::|is|was)[ ]+[\"'`]?(?:[a-z]{3,10}[ ]){3}[a-z]{3}|[0-9!#$%][!-~]{0,12}[ ]?(?:to[ ](?:log|sign)[ ]?in\b|で?[ ]?ログイン)|\bcredentials?(?:[ ]are)?:?[ ]*\r?$|\bkeys?\b[^\n]{0,60}[ \"'`*(:][\w/+-]{24}|\b(?:pepper|api_hash|(?:salt|xor[ ]key)(?:[ ]is)?:?)[ ][0-9a-f]{16}|[ ]key(?:[ ][\w ]{0,30})?(?:is|:)[ ]*\r?$)"
)
"""What is in each line that is looked at for the sake of such a name alone."""
_COINED = r"(?!(?!(?:\w*?(?:[kz][aou]|ke|[fgvjw]u|[fgvw]o|fe)){2}\w*(?:a[lr]|os|[eo]r)\Z)\w*(?:es?|[aiu][dt][aeio]s?|[aiou]s[aeio]|[ai][cv][aeio]s?|[aio]r[aeio]s?|[aiu]n[aeio]s?|ti[lm][aeio]s?|able|[aeiou]ted|i[sz]ed|[aeiou]ly|a[lr](?:es)?|i[cv]|inir|[ai][dt]or[ae]?s?|[ai]l[aeio]s?|i[sz]er|ecer|[ai]ti[sv])\Z)[aeiou]?(?:[b-df-hj-np-tv-z][aeiou]){4,8}[b-df-hj-np-tv-z]?"
"""Four syllables of one consonant and one vowel, no ending of four languages, or odd."""
COINED = lazily(_COINED)
ENDINGS = lazily(
    rf"\A(?!{_COINED}\Z).*?(?:ed|ing|ly|[ai]ble|ion|ions|[m]ent|ness|less|ful|ous|ive|ent|ant|al|ary|ory|ic|ical|ity|ty|er|ers|or|ors|est|ism|ist|ize|ise|ate|text|word|words|s)\Z"
)
"""How words of English end that tell of a password."""
ANSWERING = LEADING | _ANSWERING
GOES_ON = LEADING | names("and but or so then und et y e og och en a i ve dan")
"""Words behind a value."""
STATE = lazily(r"\[(?!(?i:redacted)\])[^\]\n]{0,24}\]|, which(?= is )")
"""What a browser says of a field, and what a sentence says nothing by."""
_SIGN = lazily(r"[?:=\u2192\u21d2\u2502\uff1a\u2013\u2014>(]|-(?= )")
_WORD = lazily(r"[^\W\d_]+")
_KNOWN = _MORE | FIELDS | MESSAGES | VAGUE | PROSE | PLACEHOLDERS
_UNSEEN = lazily(
    "b[qx]|c[bdfgjmnpvwxz]|d[qxz]|f[cdjqvx]|g[cjpqvx]|h[cjqvx]|i[wy]|j[b-df-hj-np-tv-z]"
    "|k[cdgjqvx]|lx|m[jqvx]|p[dgjkqvxz]|q[a-tv-z]|rx|s[jx]|t[jqx]|uu|v[b-df-hj-nptw-z]"
    "|w[cfgjmqvwxz]|x[bdfgj-nqrsvwz]|y[jkqvxyz]|z[dhjprvx]"
    r"|\A(?!s?[cpst]h?[hlmrw]|pf[lr]|h?[st]?[mt]{1,2}[lp])[b-df-hj-np-tv-xz]{3}"
)
"""Pairs of letters of which there is less than one in 20,000 in words of four languages,
and three letters that no word begins with.

Counted in Debian's lists of English, French, German and Spanish words.
"""
_PARTS = lazily(r"[-_. /:|,]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINED = lazily(r"(?:[A-Z][a-z]{3,}(?:[A-Z][a-z]{3,}){1,4}|[a-z]{3,}(?:-[a-z]{3,}){2,})!?")
DATED = r"(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d\d|(?:19\d\d|200\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))[A-Z]?[a-z]{3,11}"
"""A day and a name, as people remember passwords."""
_NUMBERED = lazily(
    rf"[#$%!&+~^]?(?:{DATED}|"
    r"[A-Za-z][a-z]{2,11}(?:[A-Z][a-z]{2,11}){1,3}[0-9]{1,4}|[A-Za-z][a-z]{4,15}[0-9]{3,4}|[a-z]{4,12}\d{3,4}[a-z]{4,12}|[a-z]{3,12}(?:[.-][a-z]{4,12}){1,3}\d{1,4}|[a-z]{4,12}[-_.+=~%&*?!@#$][A-Z][a-z]{3,11}\d{2,4}|[a-z]{4,12}_[a-z]{4,12}\d{3,4}|[a-z]{4,12}(?:-[a-z]{4,12}){1,3}-\d{3,4}|[A-Z][a-z]{3,11}[._+-][a-z]{3,11}[._-]?\d{2,4}|[A-Z][a-z]{2,11}(?:[._@#$%&!=?*+~](?:19|20)\d\d|[@#$%&!=?*~]\d{3,4})|[A-Za-z][a-z]{4,11}[._-](?:\d\d|\d{4})|[A-Z][a-z]{3,11}[._-]\d{3,4}|[A-Z][a-z]{4,11}[1-9]\d|(?=[a-z]*[0-9$])[a-z0-9$]{3,12}\.[a-z]{4,12}\d|[A-Z][a-z]{2,11}(?:[ ][a-z]{3,11}){1,2}[ ]\d{1,4}|[A-Z][a-z]{3,11}(?:19|20)\d\d(?:(?:[_+@#-]|\.(?!(?:[jt]s|[cmr]d|[cgpr][ysxz]|[ht]s|[gr][ob]|sh|db|ai|io|de|fr|eu|uk|ch|at|nl|it|es|us)\b))[a-z\d]{2}|[.!?]\d))[!?#$%_.+=*&~]?"
)
"""Words with capitals or dots and a number, or a word and a long one, or a year."""
_MAY_BE_USUAL = lazily(
    r"[a-z]{3}(?!(?:19|20)\d\d)\d{4}|\A[A-Z][a-z]{4,11}(?!20[12])[1-9]\d+\W?\Z|\d\w*\.[a-z]+\d\Z"
)
"""One of the words may be a usual one: digits that are no year follow, or a large letter begins."""
_SHORT = lazily(
    r"(?=.{6,7}[!?#$%]?\Z)(?![0-9a-f]+\Z)(?:[A-Za-z]+\d[A-Za-z]+|\d[A-Za-z]+|(?=[a-z]+[A-Z]+[a-z]*[A-Z]|[a-z]+[A-Z]{2})[a-z][A-Za-z]+\d|(?=\d*[A-Za-z])(?:[A-Za-z]*\d){2}[A-Za-z\d]*)[!?#$%]?"
)
_MIXED = lazily(r"(?=[a-z]+[A-Z])[a-z][A-Za-z]{4,5}\d")
_ONE_OF = lazily(
    "(?i)(?:android|bug|ed|es|rsa|chrome|chromium|debian|edge|epic|firefox|iphone|milestone|opera|release"
    "|safari|sprint|story|task|ticket|ubuntu|version|webkit|windows|"
    + "|".join(sorted(COUNTED))
    + r")[.#_-]?\d+(?:[-_][a-z]{2,8}){0,2}|(?:alpha|beta|non|rc)[.-]\d+|1password"
    r"|(?-i:(?:TS|PLR|SC|RUF)\d{3,5}|(?:[A-Z]{2,10}-){1,3}\d{2,6}|[A-Z]{2,4}\d{1,3}-[A-Z]{2,4}\d{1,3})"
)
"""The same, and browsers, and what trackers count, with their number alone."""
_TERM = lazily(
    r"(?i)x?ed25519|x25519|curve\d+|secp\d{3}[kr]1|libp2p|web3|chacha20|poly1305|sha\d{1,3}|base\d\d|i18n|l10n|a11y|e2e|python\d|x86_64|amd64|arm64|zigbee2mqtt|ipv[46]|oauth2|http[23]|imap4(?:rev\d)?|aes\d{3}|utf\d{1,2}|p256|v[12](?=[A-Z])"
)
"""Names of curves, libraries, machines and protocols that have digits."""
_VERSIONED = lazily(
    r"(?:[A-Z]*[a-z]*|[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*)\d{0,4}[A-Za-z]?|20\d{6}|\d{1,3}[a-z]\d?[a-z]?"
)
_COUNT = lazily(r"\b([A-Za-z]{3,})\d{3}-[A-Za-z]{3,}\b")
BETWEEN = lazily(r"[-_./: ]+")
_ROW = lazily(
    r"[A-Za-z][a-z]{2,9}(?:[-_ ][A-Za-z][a-z]{2,9}){2,7}|[A-Za-z][a-z]{3,9}(?:\.[A-Za-z][a-z]{3,9}){2,7}"
)
CHAIN = lazily(r"[^\W\d_]{3,14}([=+~*!&^|])[^\W\d_]{3,14}(?:\1[^\W\d_]{3,14})+")
"""Three words and more with signs between that no names have."""
_SEPARATED = lazily("[-_.]")
_COMPOUND = lazily(r"[a-z]{8,20}")
_COMPOUND_ABROAD = lazily(r"[a-z\xdf-\xff]{8,20}")
_COUNTED_WORD = r'"([a-z\xdf-\xff]{4,20})":\s*(\d+)'
_TITLED = lazily(r"(?:[A-Z][a-z]{3,10}){3,4}")
_SAID = lazily(
    r"(?:(?:[A-Z][a-z]{1,11}|[AI]){3}(?=\d{4})|(?:[A-Z][a-z]{1,11}|[AI]){4,9})(?:\d{2,4}|!)[!?.]?"
)
_WALK = lazily(
    "(?i)(?=.*\\d).*(?:qwe|wer|ert|rty|tyu|yui|uio|iop|asd|sdf|dfg|fgh|ghj|hjk|jkl|zxc|xcv|cvb|vbn"
    "|bnm|qaz|wsx|edc|rfv|tgb|yhn|ujm|lkj|kjh|jhg|hgf|gfd|fds|dsa|poi|oiu|iuy|uyt|ytr|ewq){2}"
)
"""Words that say something, each with a capital, and a number; keys side by side."""
_EVERYDAY = rb'"([a-z]{4}(?=":\s*\d{5})|[a-z]{5,10}(?=":\s*(?:[3-9]\d\d\b|\d{4})))'
"""A word that subtitles of films have so often, which is what the library counted: 300
times, or 10,000 times, since words of other languages end in shorter ones."""
_COMMON = rb'"([a-z]+)":\s*(?:[5-9]\d{5}|\d{7})'
"""A word that they have 500,000 times: few sentences are without one."""
_AFFIXES = names(
    "able ability anti auto back black down fire fully hood hyper into less life like macro"
    " mega meta micro mini multi over semi ship side some super then this that ultra"
    " under upon ware well what when where which wise with work"
)
"""What many compounds of English are made with."""
_COLOURS = names(
    "black blue brown cyan gold gray green grey orange pink purple white yellow"
)
_ARTICLES = names("das de dein deine der die el il la las le les los mein meine mon une")
_AROUND = "\"'`.,;:!?()<>[]{} \\"
_MOST_OF = 4
"""So many words may tell whose or what's a password is."""
_LONG = 6
_OFTEN = 300
"""So often the library counted a word that people use, as in `_EVERYDAY`."""
_FEWEST, _MANY, _SHORT_WORD = 3, 4, 4
"""Words of a passphrase; of one without a quote that may be of any language; letters that
each word of one has there."""
_SHORTEST = 8


def leads_on(gap: str) -> bool:
    """Return whether only words stand in a gap that lead on from a name to a value."""
    if any(said in gap for said in ("# type:", " at least ", " used to ")):
        return False
    left = 0
    for word in _WORD.findall(STATE.sub("", gap.lower())):
        left = _MOST_OF if word in OF else -1 if word in VERBS else left - 1
        if word not in LEADING and left < 0 and word.isascii():
            return False
    return True


def has_sign(gap: str) -> bool:
    """Return whether a sign, or a verb, in a gap says that a value follows."""
    words = {word.lower() for word in _WORD.findall(gap)}
    return (
        _SIGN.search(gap) is not None
        or not words.isdisjoint(VERBS)
        or max("".join(words), default="") > "\u024f"
    )


def is_listed(value: str) -> bool:
    """Return whether half of the words in a value are ones that programs and prose have.

    >>> is_listed("dbPassword"), is_listed("sunshine")
    (True, False)
    """
    parts = [part for part in _PARTS.split(value.strip(_AROUND)) if part]
    parts = [part for part in parts if len(part) > 1] or parts
    parts = [part for part in parts if part.lower() not in _ARTICLES] or parts
    known = sum(part.lower() in _KNOWN for part in parts)
    # What has digits is no name yet by one word of two.
    return len(parts) > 0 and known * 2 >= len(parts) + any(map(str.isdigit, value))


def is_words(value: str, usual: int = 0) -> bool:
    """Return whether a value is words in a row as people remember them, and as no id has.

    So many of them as `usual` says may be ones that ids have.

    >>> is_words("gravel-otter-melon-dusk"), is_words("payments-api-worker-canary", 1)
    (True, False)
    """
    return _ROW.fullmatch(value) is not None and _count_usual(value) <= usual


@lru_cache(maxsize=5_000)
def is_numbered(value: str) -> bool:
    """Return whether a value is unusual words and a number, or six or seven letters and digits.

    Names look so, too: only where a password stands.

    >>> is_numbered("GravelOtter7"), is_numbered("PythonModule3"), is_numbered("tapu196")
    (True, False, True)
    """
    is_like = _NUMBERED.fullmatch(value) is not None and len(value) >= _SHORTEST
    is_odd = _MIXED.fullmatch(value) is not None and has_odd_letters(value.lower())
    is_like = is_like or is_odd or _SHORT.fullmatch(value) is not None
    is_amount = value[:1].isdigit() and not value[5:6].isdigit()  # `3months`
    is_amount = is_amount and ENDINGS.search(value) is not None
    usual = _count_usual(value) - (_MAY_BE_USUAL.search(value) is not None)
    is_name = is_amount or is_example(value) or usual > 0 or is_counted(value)
    return is_shouted(value) or (is_like and not is_name)


def is_counted(value: str) -> bool:
    """Return whether a value is one of many of its kind, or a name that has a number.

    >>> is_counted("Firefox120"), is_counted("ed25519Seed"), is_counted("tapu196")
    (True, True, False)
    """
    if _ONE_OF.fullmatch(value):
        return True
    bare = _TERM.sub("", value)
    return bare != value and all(map(str.isalpha, filter(None, BETWEEN.split(bare))))


def is_versioned(value: str) -> bool:
    """Return whether words with numbers are all there is: `claude-sonnet-4-5`, `test_2`."""
    parts = BETWEEN.split(value)
    if not all(map(_VERSIONED.fullmatch, parts)):
        return False
    words = "-".join(word for part in parts if (word := part.strip("0123456789")))
    digits = sum(map(str.isdigit, value))
    if any(found[1].lower() not in COUNTED for found in _COUNT.finditer(value)):
        return False
    return (
        is_name(words)
        and not has_odd_letters(words)
        and (len(parts) > 1 or len(value) < (12 if digits < 2 else 8))
    )


def _count_usual(value: str) -> int:
    """Return how many words of a value are ones that programs, prose and ids have."""
    parts = _PARTS.split(value.strip("0123456789!?#$%"))
    words = [part.lower() for part in parts if len(part) > 2]
    return sum(word in _KNOWN or word in _OF_IDS or word in COUNTED for word in words)


def has_odd_letters(value: str) -> bool:
    """Return whether a long word of a value has letters side by side that no word has.

    >>> has_odd_letters("VTIbatn-oup"), has_odd_letters("claude-sonnet")
    (True, False)
    """
    return any(map(_is_odd, _PARTS.split(value.lower())))


def _is_odd(word: str) -> bool:
    # Of languages with other letters, nothing was counted.
    return len(word) >= _LONG and word.isascii() and bool(_UNSEEN.search(word.lower()))


def is_plain(value: str) -> bool:
    """Return whether a value is letters alone, and may be a word or a name of a program.

    >>> is_plain("sunshine"), is_plain("quvkuzzgscqm"), is_plain("NextMarker")
    (True, False, True)
    """
    parts = [part for part in _PARTS.split(value.strip(_AROUND)) if part]
    if not all(map(str.isalpha, parts)):
        return False
    if len(value) < _SHORTEST or is_listed(value):
        return True
    if len(parts) * (4 if len(value) >= 20 else 3) > len(value):
        return False
    if any(map(_is_odd, parts)):
        return False
    if len(parts) > 2 and sum(len(part) < 3 for part in parts) * 2 >= len(parts):
        return False
    return "-" not in value or any(map(value.count, "._/:"))


@lru_cache(maxsize=5_000)
def is_compound(value: str) -> bool:
    """Return whether a value is two everyday words of English in one, and no word itself.

    Or three or four, each with a capital; a sentence with a number; keys side by side.

    >>> is_compound("walrusmarble"), is_compound("butterfly"), is_compound("MelonOtterLamp")
    (True, False, True)
    >>> is_compound("MyCatIsAsleep71"), is_compound("wsxedc.lkjh9")
    (True, True)
    """
    if _SAID.fullmatch(value):
        return any(map(is_common, re.findall("[A-Z][a-z]*", value)))
    if _WALK.match(value):
        return len(value) >= _SHORTEST and not is_example(value)
    if _TITLED.fullmatch(value):
        parts = re.findall("[A-Z][a-z]+", value)
        return all(part.lower() in _open_english().everyday for part in parts)
    if _COMPOUND.fullmatch(value) is None or value in USUAL or is_listed(value):
        return False
    everyday = _open_english().everyday
    return not is_english(value) and any(
        value[:at] in everyday and value[at:] in everyday for at in range(4, len(value) - 3)
    )


def are_everyday(value: str) -> bool:
    """Return whether a value is everyday words with signs between, two of them or more.

    Any three words, if the signs are such as no names have.

    >>> are_everyday("emerald_sugar"), are_everyday("dope=vibes=rugby"), are_everyday("token_url")
    (True, True, False)
    """
    parts = _SEPARATED.split(value)
    everyday = sum(part in _open_english().everyday or part in THINGS for part in parts)
    is_name = len(parts) == 2 and ("-" in value or parts[1] in _COLOURS)
    is_row = len(parts) > 1 and everyday >= len(parts) - len(parts) // 4
    return (is_row and not is_name) or CHAIN.fullmatch(value) is not None


def is_common(word: str) -> bool:
    """Return whether a word is one that nearly each sentence of English has."""
    return word.lower() in _open_english().common


def is_unusual(word: str) -> bool:
    """Return whether a word is none of those that sentences are made of."""
    is_usual = word.lower() in USUAL or word.lower() in LEADING
    return len(word) > 2 and not is_usual and not is_listed(word)


def is_sentence(text: str) -> bool:
    """Return whether words with blanks say something: some are as short as no passphrase has.

    >>> is_sentence("nimm das aus dem Vault"), is_sentence("gravel otter melon dusk")
    (True, False)
    """
    parts = _WORD.findall(re.sub(r"['\u2019]s\b", "", text))
    said = sum(map(is_common, parts))
    parts = [*dropwhile(is_common, parts)]
    parts = [*dropwhile(is_common, reversed(parts))]
    if len(parts) < _FEWEST:  # `use … please`
        return said > 1
    is_foreign = min(map(len, parts)) < _SHORT_WORD and not all(map(is_english, parts))
    return is_foreign or sum(map(is_common, parts)) > 1


def is_remark(phrase: str) -> bool:
    """Return whether words without digits or quotes are no passphrase, but a remark.

    One of three is a usual one or of another language, or it is a sentence.
    """
    parts = phrase.rstrip("!?").split()
    if not all(map(str.isalpha, parts)):
        return is_sentence(phrase) and not any(map(str.isdigit, phrase))
    are_few = (
        len(parts) < _MANY
        and not phrase.istitle()
        and not (all(map(is_english, parts)) and not any(map(is_common, parts)))
    )
    return are_few or is_sentence(phrase)


@lru_cache(maxsize=5_000)
def is_english(word: str) -> bool:
    """Return whether a word is one of English."""
    return f'"{word.lower()}"'.encode() in _open_english().known


@lru_cache(maxsize=5_000)
def is_compound_abroad(value: str) -> bool:
    """Return whether a value is two words of some languages in one, and no word itself.

    Words of other languages with such parts look so, too: only behind a name and a verb or
    a sign. The first that is asked for in a process takes a second.

    >>> is_compound_abroad("bergkatze"), is_compound_abroad("abgelaufen")
    (True, False)
    """
    if not _COMPOUND_ABROAD.fullmatch(value) or value in USUAL or is_listed(value):
        return False
    _, parts = _open_languages()
    return (
        not (is_english(value) or is_abroad(value))
        and not value.endswith(("ed", "ing", "ly", "able", "less"))
        and any(
            f"\n{value[:at]}\n" in parts and f"\n{value[at:]}\n" in parts
            for at in range(4, len(value) - 3)
        )
    )


@lru_cache(maxsize=5_000)
def is_abroad(word: str) -> bool:
    """Return whether a word of four letters or more is one of six other languages."""
    return f"\n{word}\n" in _open_languages()[0]


class _English(NamedTuple):
    """Words of English, as a library has them."""

    known: bytes
    """All, between quotes."""
    everyday: frozenset[str]
    """Those that people use often, and things, without what programs have and names are made
    with."""
    common: frozenset[str]
    """Those that nearly each sentence has."""


@cache
def _open_english() -> _English:
    known = _read_counted("en")
    everyday = {word.decode() for word in re.findall(_EVERYDAY, known)}
    common = frozenset(word.decode() for word in re.findall(_COMMON, known))
    everyday |= THINGS
    everyday -= _KNOWN | _OF_IDS | USUAL | _AFFIXES
    return _English(known, frozenset(everyday), common)


def _read_counted(language: str) -> bytes:
    """Return the words of a language with how often they occur, as JSON in UTF-8."""
    packed = files("spellchecker").joinpath("resources", f"{language}.json.gz")
    return gzip.decompress(packed.read_bytes())


@cache
def _open_languages() -> tuple[str, str]:
    """Return all words of six languages, and those that may be a part of a compound."""
    known, parts = [""], [*_open_english().everyday]
    for language in ("de", "es", "fr", "it", "nl", "pt"):
        counted = re.findall(_COUNTED_WORD, _read_counted(language).decode())
        known += (word for word, _ in counted)
        # Nouns of German, which have a capital, were not counted there.
        least = 0 if language == "de" else _OFTEN
        parts += (word for word, count in counted if int(count) >= least)
    return "\n".join([*known, ""]), "\n".join(["", *parts, ""])


def is_shouted(value: str) -> bool:
    """Return whether a value is unusual words in one with a mark: `GravelMelon!`."""
    return value[-1:] == "!" and is_phrase_like(value)


def is_phrase_like(value: str) -> bool:
    """Return whether a value is several words in one, none of which is a usual one.

    >>> is_phrase_like("RumoneZopisi"), is_phrase_like("dbPassword")
    (True, False)
    """
    is_joined = _JOINED.fullmatch(value) is not None and not is_listed(value)
    is_row = len(_SEPARATED.findall(value)) > 1 and are_everyday(value)
    return is_joined or is_row or is_compound(value)
