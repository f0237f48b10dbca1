r"""Passwords and tokens in what people run and call, and in settings of one program.

Rows as those of `contexts`, which reads them.
"""

from __future__ import annotations

from everyleaf.redact.examples import FOREIGN
from everyleaf.redact.engine import compile_pattern, may_have
from everyleaf.sources.lines import lazily

PRINTING = (
    r"(?:openssl[ \t]+rand|\bcat[ \t][^\n|;&]{0,80}(?:secrets?|token|passw(?:or)?d|vault_pass"
    r"|master\.key|credentials?)|\becho[ \t]+\"?\$\{?\w{0,40}(?:SECRET|TOKEN|KEY|PASS|PASSWORD"
    r"|PWD)\w{0,10}|\bprintenv[ \t]+\w{0,40}(?:SECRET|TOKEN|KEY|PASS|PWD)|\bop[ \t]+read"
    r"|print-(?:access|identity)-token|secrets\.token_(?:hex|urlsafe)|\bversions[ \t]+access"
    r"|\bpass[ \t]+(?:show\b|[\w-]+/[\w/.-]+)|(?:jsonpath=|--query[ \t])[^\n]{0,60}(?:passw|token|secret)"
    r"|(?:gh|fly|gcloud|heroku|doppler|argocd|kubectl|vault|oc|bw|lpass|rails|php|npx|wp|aws|git)[ \t][^\n|;&]{0,40}?(?:auth[ :]token|create[ \t]token"
    r"|generate-token|get-login-password|config:get|secrets[ \t]get|whoami[ \t]-t|-field[ =]\w*(?:pass|secret|token|key)|get[ \t]password"
    r"|show[ \t]--password|\bsecret\b|key:generate[ \t]--show|auth[ \t]secret|config[ \t]get[ \t]\w*(?:PASS|KEY|SALT))"
    r"|\boathtool\b|\bbw[ \t]+(?:unlock|login)\b[^\n]{0,80}--raw|find-(?:generic|internet)-password[^\n]{0,60}[ \t]-\w*w|/dev/u?random[^\n]{0,40}(?:base64|xxd|hexdump|\bod\b|tr[ \t])"
    r"|\b(?:secret-tool|kwallet-query|gopass|rbw|keyring|xkcdpass|diceware|makepasswd|new-mnemonic|bip39)\b"
    r"|\b(?:jq|yq|sops|redis-cli|etcdctl|consul)[ \t][^\n]{0,80}(?:passw|secret|token\b)|snyk[ \t]config"
    r"|\bpwgen\b|gpp-decrypt|\bcat[ \t][^\n|;&]{0,40}\.cookie|random_secret_key\(\)|\bwg[ \t]+gen(?:key|psk)"
    r"|(?:PASS|SECRET|TOKEN|KEY)\w*[=/\\][^\n]*\.env|\.env[ |\t]+(?:grep|awk)[ \t]\W*\w*(?:PASS|SECRET|TOKEN|KEY)"
    r"|get-access-token|storage[ \t]account[ \t]keys|--with-decryption|infisical[ \t]secrets|flyctl[ \t]auth|npm[ \t]token|http\.extraheader|keepassxc-cli[ \t]show|\bop[ \t]item[ \t]get[ \t][^\n]{0,80}(?:passw|credential|secret|token|--reveal)|terraform[ \t]output[ \t](?:-raw[ \t])?\w*(?:pass|secret|token|key)|\bmkpasswd\b|\bapg[ \t]+-|[ \t]-dc[ \t][!-~]+[ \t]*<?[ ]?/dev/u?random|randomBytes\()"
)
"""What a command has that prints a secret, also one of a file, a store or a cloud."""
READERS = r"(?:sudo[ \t]+(?:-\w+[ \t]+)*-S|(?:docker|podman|nerdctl|buildah|skopeo|crane|oras|vault|p4|oc|az|helm[ \t]+registry)[ \t]+login|\w*passwd|kinit|cryptsetup|su|gpg|ssh-add|openconnect|vpnc|hdiutil|keepassxc-cli|pdbedit|lncli|wg[ \t]+pubkey|gocryptfs|encfs|wpa_passphrase|solana-keygen|secret-tool[ \t]+store|ansible-vault[ \t]+encrypt_string|(?:docker|podman)[ \t]+secret[ \t]+create|keyctl[ \t]+p?add|pass[ \t]+insert|openssl[ \t]+passwd|ccencrypt|argon2|kubeseal)"
"""What reads a password from what is typed."""
_NAME = (
    r"(?:passw(?:or)?d|passphrase|passcode|(?<![a-z])(?:pass|psk|pw(?![a-z]))|pwd|secret|token|credentials?"
    r"|(?:api|access|secret|private|auth|master|signing|encryption|anon|service|role)[_-]?keys?|(?:master|credentials)\.key|erlang\.cookie|vault_pass|google_authenticator"
    r"|(?-i:_KEY))(?:string|[_-]?value)?"
)
_SELECTED = lazily(rf"(?i){_NAME}(?![\w-]|\.(?!txt\b|[\"' \t]))|document\.cookie")
"""The name of a secret, in what a command or a tool is asked for."""
MAKING = (
    r"random|erlang:get_cookie|/dev/u|uuidgen[^\n]*(?:key|token|secret|passw)|token_(?:hex|bytes|urlsafe)|\b(?:rand|pwgen|apg|diceware|makepasswd|xkcdpass|oathtool|htpasswd|bw[ \t]+(?:generate|unlock)|bip39|genkey|genpsk|ssm[ \t]+get-param|secretsmanager|key:generate)\b|generate_?(?:key|secret)|base64[ \t]+(?:-d|-D|--decode)"
    r"|sum[ \t]*\|[ \t]*base64|\b(?:gopass|rbw|lpass|secret-tool|kwallet-query|keepassxc-cli|ansible-vault|keyring[ \t]+get|op[ \t]+read|pass[ \t]+show|bw[ \t]+get|get-login-password|get-access-token)\b"
    r"|print-(?:access|identity)-token|secret_key_base|rclone[ \t]+(?:reveal|obscure)|preauthkeys[ \t]+create|dumpprivkey|\bgpg2?[ \t]+(?:--?[\w-]+[ \t]+)*?(?:-d|--decrypt)\b|\bdrush[ \t]+uli|(?:john|hashcat)[ \t][^\n]*--show|\.(?:pgpass|netrc|my\.cnf|git-credentials|macaroon)\b|\b(?:consul[ \t]+keygen|hex\.user[ \t]+key[ \t]+generate|nsc[ \t]+generate|wallet[ \t]+new(?:-mnemonic)?|application-password[ \t]+create|git-crypt[ \t]+export-key|bundle[ \t]+config|gossip[ \t]+keyring|(?:join|unlock)-(?:token|key)|apikeys[ \t]+create|creds?stash[ \t]+get|chamber[ \t]+read|secrets:reveal|oath[ \t]+accounts[ \t]+code|bakemacaroon|systemd-creds[ \t]+decrypt)\b|getnetworkcredential\(\)\.password|\bwg[ \t]+show[ \t]+\S+[ \t]+(?:private|preshared)-keys?\b|requirepass|http\.authbasic|stack[ \t]+output[^\n]*--show-secrets"
)
"""A command that makes a value, or reads one from where secrets are kept."""
_MADE = lazily(f"(?i){MAKING}")
ASKING = f"(?:passw|passphrase|passcode|pass|psk|pwd?|secret|token|credential|key|{MAKING})"
"""What a command that asks for a secret has, as RE2 looks for it."""
_MAY_NAME = rf"(?i){FOREIGN}|/run/secrets/|pass|psk|pwd|(?:[._-]|\b)pw\b|secret|token|cred|key|login|auth|codes|netrc|\.cookie|\.pw|\.user|_users?\.|id_[rde]|document\.cookie"
"""What is in each name of a secret, and of a file with one."""
_MAY_ASK = rf"{_MAY_NAME}|{MAKING}"
_NO_SECRET = lazily(
    r"\bgit[ \t]+(?:[a-z-]+=\S+[ \t]+)*(?:log|rev-parse|show(?![^\n]*[ \t][\w~^/@{}.-]+:[\w./])|branch|hash-object|merge-base|describe|rev-list)\b|\b[ef]?grep[ \t]+(?![\"']?\.)(?:-\w+[ \t]+)*-\w*[lcnrRH]|\A(?:pwd|cd|ls)\b|\b(?:docker|podman)[ \t]+(?:run[ \t]+(?:-\S+[ \t]+(?:[^\s-]\S*[ \t]+)?)*?-\w*d|create|start)(?=\s|\Z)|\b(?:md5|sha\d*|b2)sum\b(?![^\n]*base64)|(?<![\d=&-])(?<!\APS)>(?!&[12])|^(?:sudo[ \t]+)?(?:(?:[ef]?grep|rg|ag)(?![ \t]+(?:-\w*o|(?:-h[ \t]+)?[\"']?\.[\"']?[ \t]))|find(?![^\n]*-exec[ \t]+(?:cat|head|tail)\b)|ls|wc|which|stat|file|du)\b(?![^\n]*\|[ \t]*(?:cut|awk|sed|tr|head|tail|xargs)\b)"
)
_FILE = lazily(
    rf"(?i)(?:^|[/\\])(?:[\w.-]*(?:{_NAME}|creds?|logins?|(?:recovery|backup)[-_]?codes?|pw(?=\.txt)|(?!parole)(?:{FOREIGN})|(?<![a-z])auth(?=\.(?:txt|conf))|-auth|erlang\.cookie)s?(?:\.(?:txt|key|conf|dat|secret|csv|client|lst))?"
    r"|/run/secrets/[\w.-]+|(?:master|credentials)\.key|key\.(?:b64|base64|hex)|[\w.-]*(?:htpasswd|netrc|pgpass)|[\w.-]*ask-?pass[\w.-]*|[\w-]+\.(?:pw|users?)|(?:vs?ftpd?|virtual|vmail|mail|smtp)[_-]users?\.txt|id_(?:rsa|dsa|ecdsa|ed25519))\Z"
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
_PRINTING = rf"{PRINTING}[^\n]*"


def names_secret(file: str) -> bool:
    """Return whether a file is one with a secret by its name."""
    return may_have(_MAY_NAME, file) and _FILE.search(file) is not None


def reads_secrets(command: str) -> bool:
    """Return whether the last of what a command does is to print a file of secrets."""
    if not may_have(_MAY_NAME, command):
        return False
    last = _ENDED.split(_TAIL.sub("", command.strip()))[-1]
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
    last = _ENDED.split(_TAIL.sub("", command.strip()))[-1]
    is_read = len(last) <= _LONGEST_READ and _SELECTED.search(last) is not None
    return (
        is_read or (len(command) <= _LONGEST_READ and _MADE.search(command) is not None)
    ) and _NO_SECRET.search(last) is None


def printing_line(command: str) -> str:
    """Return how the first line goes on from where a command prints a secret; or nothing."""
    body = command.encode(errors="replace")
    found = compile_pattern(_PRINTING).search(body)
    return body[slice(*found.span())].decode(errors="replace") if found else ""
