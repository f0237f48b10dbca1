"""What only shows where a secret would stand: decided by lists and whole forms.

A word in the middle of a value decides nothing: `MyPass1234567` is somebody's password.
"""

from __future__ import annotations

from everyleaf.sources.lines import lazily, names

_PUBLISHED = names(
    """
    AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY AKIAI44QH8DHBEXAMPLE
    je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY changeme changeit change_me change-me
    changeme123 yourpassword yoursecret yourtoken yourapikey yoursecretkey redacted
    hunter2 foobared
    """
)
"""Values that vendors and manuals print."""
_STOCK = names(
    """
    password1 password12 password123 password1234 password12345 passw0rd p@ssw0rd p@ssword
    password! password1! password123! pass123 pass1234 pass123! secret123 secret1 secret1234
    test123 test1234 test12345 testpass testpass123 testpassword testpassword123 mypassword
    mypassword123 mysecret mysecretpassword supersecret supersecret123 admin123 admin1234
    root123 user123 demo123 foobar foobar123 letmein letmein123 qwerty qwerty123 abc123
    abcd1234 123456 1234567 12345678 123456789 1234567890 0123456789
    correcthorsebatterystaple strongpass123! strongpassword123! securepassword123
    securepassword123! securepass123! newpassword123 newpassword123! s3cret s3cr3t oldpassword123
    oldpassword123! wrongpassword wrongpassword123 validpassword123! mysecretkey
    mysupersecretkey test-password-123 password-123 test_password_123
    """
)
"""Values of tests in programs; in a file of settings or an address one may be real."""
PLACEHOLDERS = names(
    """
    your my the some any password passwd pass passphrase pwd secret secrets token tokens key
    keys credential credentials api apikey here example placeholder dummy fake sample
    changeme change replace insert enter paste fill put unset undefined null none nil empty
    missing redacted removed hidden masked mock stub invalid wrong required optional todo
    xxx xxxx value string true false yes no bearer auth authorization jwt oauth sensitive
    generate generated test testing tests bar foo baz update rotate rotated set not str int
    bool boolean number object any void never bytes var variable username name unknown
    """
)
VAGUE = names(
    """
    a an and app access actual account admin base basic client code config db default demo
    dev digest field file for from get goes guest header id in is it json live local localhost
    login master me mysql new of off ok old on openai anthropic github gitlab google aws azure
    slack stripe npm option or organization org owner path personal please postgres postgresql
    private prod production project provided public random real redis refresh root server
    service session something staging store strong super text that this to type user valid
    version with x xx y you z integer char varchar self data input output hf huggingface
    random-string long very own signing encryption webhook bot web shared
    """
)
"""Words that say nothing of it alone: `postgres` is a password that people have."""
PROSE = names(
    """
    a an and are argument arguments as at be by can config default defaults did does env
    explicit explicitly field file flag flags for format from has here if in input instead
    into is it its key may must name needs not of off on only option options or output
    param parameter parameters passed prompt provided required set should so some stdin
    string that the then this to too type unless use used user username value values
    variable via was we when where which will with without works would you your
    """
)
"""What follows the name of an option or a password in prose."""
FIELDS = names(
    """
    account auth change confirm credentials current email error field forgot form hash
    hashed input invalid key label login name new old optional page pass password
    passwords pwd required reset secret settings string text token type update user
    username users value passwort kennwort contraseña senha wachtwoord parola
    """
)
"""Parts of the names that elements and columns of programs have."""
MESSAGES = names(
    """
    accepted blank cleared compromised encoded enter exposed forgotten hardcoded identical
    incorrect invalid leaked lost mismatched missing must outdated passphrase password
    passwords recovered required reused shared unavailable unchanged wiped withheld
    """
)
"""What messages about passwords say."""
_PARTS = lazily(r"[-_. /:|,]+|(?<=[a-z])(?=[A-Z])")
_REFERENCE = lazily(
    r"\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|\$[A-Za-z_]\w*(?:->|\[).*|\$\{[^{}]*\}?|\$\(.*|\$\{\{.*|(?:(?:[psr]k|gh[ops]|glpat|hf|gsk|xox[bp])[-_](?:[a-z\d]{2,8}[-_]){0,2})?(?:YOUR|MY|your)[-_ ][A-Za-z_ -]*|\{\{.*|%[A-Za-z_]\w*%|\{[\w.$ :!-]*\}"
    r"|\^?\[[\w-]+\](?:[+*]|\{\d+(?:,\d*)?\})\$?|(?:<|&lt;)[^<>&]*(?:>|&gt;?)?|\[[\w .-]*\]|@[\w.]+@|`[^`]*`"
    r"|[^\s{}]*\{[a-z-]+:[^\s\"']*[;}].*|\{\d+\};.*|(?:random_\w+|var|local|module|each)(?:\.\w+)+|\$env:\w+|vault:\S*|arn:aws[\w-]*:\S*|%[-+#0-9.]*[a-zA-Z]|\s*[+,;:)&|.].{0,60}[+,;&|.]\s*|[\"'].*"
)
"""A variable, a template, a name in brackets: the secret stands elsewhere."""
_FILLED = lazily(
    r"[xX*.•…_#?-]+|\.{3}.*|(?:[a-z]+[-_])*(?:x|X|\*|•|0){4,}|(?:[A-Za-z]{1,8}[-_])*[A-Za-z]{0,8}\d{0,2}[-_]?(?:\.{3}|…|\*{3,}|•{3,}|x{6,}|X{6,})(?:[A-Za-z0-9]{4})?|\.\*.*"
    r"|(?:(\w)\1{2,}-?){2,}|[\w-]{1,10}(?:\.{3}|…)|(?:[A-Za-z]{2,8}[-_]){1,4}"
    r"|.*(?:x{10}|X{10}|\*{6}).*"
)
"""Filled up: `****`, `sk-...`, `ghp_xxxxxxxx`."""
_CODE = lazily(
    r"(?:process\.env|os\.environ|os\.getenv|import\.meta|System\.getenv|Deno\.env|ENV)\b.*"
    r"|(?:this|self|cls|config|settings|options|opts|args|props|env|params|req|request|ctx|cfg"
    r"|data|user|form|body|state|secrets|vars|credentials|response|res|result|payload|inputs"
    r"|context|session|app|client|document|window|module|node|event|e|event)\??(?:\.|\[).*"
    r"|:?[A-Za-z_][\w.]*\((?:[^()]|\([^()]*\))*\)?[;,)]*"
    r"|(?:[A-Za-z_]\w*(?:\?\.|!\.|->|::))+[A-Za-z_]\w*(?:[\[({].*)?|[&*(!]*[A-Za-z_][\w.:]*[\[({](?:[^\])}]*|.*[\])}](?:\.\w*|[;,)\]}])*\(?)"
    r"|\{[A-Za-z_][\w.]*\(.*|\d{4}-\d\d-\d\d[T ]?[\d:.]*Z?|[\w.+-]+@[a-z\d-]+\.[a-z\d.]+|@[\w/-]+|[(&*!]+[A-Za-z_][^%^!#~$@]*|[\w$.]+[,:][\w$.,:]*[})].*|[A-Za-z_]\w*\[.*\]|(?:await|new|async|return|typeof) .*"
    r"|(?:str|int|bool|bytes|string|number|boolean|any|null|None|String|SecretStr|Optional|list"
    r"|dict|Text|Option|List|Vec|Array|Buffer|Uint8Array)(?:\b|[<\[|&?]).*|[a-z]{1,2}\.[A-Za-z_]{1,16}(?:[,;)&|].*)?|&\w+|\*\w+|f?[\"'].*|0x[0-9A-Fa-f]{1,16}|\[[\w ,.]*\][*+%].*"
)
"""An expression of a program, where no quotes stand around a value."""

_NAMED = lazily(
    r"(?i)(?:\bexisting\w*|secret_?name|\b(?:type|using)[ ]\w+)[\"']?[ ]?[:=][ ]?[\"']?\Z"
)
_STANDARD = lazily(
    r"(?i)(?:sha-?\d{1,3}|md5|base\d\d(?:url)?|utf-?(?:8|16)\w*|hex|ascii|latin-?1|rot13|es20\d\d"
    r"|scram-sha-\d{1,3}(?:-plus)?|[bs]crypt|argon2(?:id?|d)?|pbkdf2(?:[_-]\w+)?|[hrep]s(?:256|384|512)|aes-?\d{3}(?:-\w{3})?)"
)
"""What passwords are hashed, encrypted and written with."""
_MODEL = lazily(
    r"(?:claude|codestral|deepseek|gemini|gpt|grok|llama|mistral|mixtral|o\d|qwen)[\d.]*"
    r"(?:-(?:[a-z]{2,12}|v?\d{1,3}(?:\.\d)?[a-z]{0,2}|\d{1,2}x\d{1,3}b|20\d{6}|20\d\d))+"
)
"""A name of a model: every session has them."""


def is_placeholder(value: str) -> bool:
    """Return whether a value only says what belongs there, and is no secret itself.

    >>> is_placeholder("your-api-key-here"), is_placeholder("MyPass1234567")
    (True, False)
    """
    bare = value.strip("\"'`.,;:!?()<>[]{} \\")
    if len(set(bare)) <= 2 or bare in _PUBLISHED or bare.lower() in _PUBLISHED:
        return True
    if any(one.fullmatch(value) for one in (_REFERENCE, _FILLED, _MODEL, _STANDARD)):
        return True
    parts = {part.lower() for part in _PARTS.split(bare) if part}
    return parts <= PLACEHOLDERS | VAGUE and not parts.isdisjoint(PLACEHOLDERS)


def is_example(value: str) -> bool:
    """Return whether a value is a placeholder, or one that tests in programs have."""
    return is_placeholder(value) or value.lower().strip("\"'`.,;: ") in _STOCK


def is_named(text: str, at: int, value: str) -> bool:
    """Return whether words stand in a text behind what only a name follows."""
    is_words = value.replace("-", "").isalpha()
    return is_words and _NAMED.search(text, max(at - 48, 0), at) is not None


def is_code(value: str) -> bool:
    """Return whether what stands for a value without quotes is an expression."""
    return _CODE.fullmatch(value) is not None


def is_name(value: str) -> bool:
    """Return whether a value is words only, as names and prose are: `refresh_token_url`."""
    parts = [part for part in _PARTS.split(value) if part]
    return all(part.isalpha() and len(part) <= 14 for part in parts) and (
        len(parts) > 1 or value.islower() or value.isupper() or value.istitle()
    )
