r"""Passwords and tokens in what people run and call, and in settings of one program.

Rows as those of `contexts`, which reads them.
"""

from __future__ import annotations

from everyleaf.redact.engine import compile_pattern
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
    r"|\b(?:secret-tool|kwallet-query|gopass|rbw|keyring|xkcdpass|diceware|makepasswd|new-mnemonic)\b"
    r"|\b(?:jq|yq|sops|redis-cli|etcdctl|consul)[ \t][^\n]{0,80}(?:passw|secret|token\b)|snyk[ \t]config"
    r"|\bpwgen\b|gpp-decrypt|\bcat[ \t][^\n|;&]{0,40}\.cookie|random_secret_key\(\)|\bwg[ \t]+gen(?:key|psk)"
    r"|(?:PASS|SECRET|TOKEN|KEY)\w*[=/\\][^\n]*\.env|\.env[ |\t]+(?:grep|awk)[ \t]\W*\w*(?:PASS|SECRET|TOKEN|KEY)"
    r"|get-access-token|storage[ \t]account[ \t]keys|--with-decryption|infisical[ \t]secrets|flyctl[ \t]auth|npm[ \t]token|http\.extraheader|keepassxc-cli[ \t]show|\bop[ \t]item[ \t]get[ \t][^\n]{0,80}(?:passw|credential|secret|token|--reveal)|terraform[ \t]output[ \t](?:-raw[ \t])?\w*(?:pass|secret|token|key)|\bmkpasswd\b|\bapg[ \t]+-|[ \t]-dc[ \t][!-~]+[ \t]*<?[ ]?/dev/u?random|randomBytes\()"
)
"""What a command has that prints a secret, also one of a file, a store or a cloud."""
READERS = r"(?:sudo[ \t]+(?:-\w+[ \t]+)*-S|(?:docker|podman|nerdctl|buildah|skopeo|crane|oras|vault|p4|oc|az|helm[ \t]+registry)[ \t]+login|\w*passwd|kinit|cryptsetup|su|gpg|ssh-add|openconnect|vpnc|hdiutil|keepassxc-cli|pdbedit|lncli|wg[ \t]+pubkey|gocryptfs|encfs|wpa_passphrase|solana-keygen|secret-tool[ \t]+store|ansible-vault[ \t]+encrypt_string|(?:docker|podman)[ \t]+secret[ \t]+create|keyctl[ \t]+p?add|pass[ \t]+insert|openssl[ \t]+passwd|ccencrypt)"
"""What reads a password from what is typed."""
_NAME = (
    r"(?:passw(?:or)?d|passphrase|passcode|(?<![a-z])(?:pass|psk|pw(?![a-z]))|pwd|secret|token|credentials?"
    r"|(?:api|access|secret|private|auth|master|signing|encryption|anon|service|role)[_-]?keys?"
    r"|(?-i:_KEY))(?:string|[_-]?value)?"
)
_SELECTED = lazily(rf"(?i){_NAME}(?![\w-]|\.(?!txt\b|[\"' \t]))|document\.cookie")
"""The name of a secret, in what a command or a tool is asked for."""
MAKING = (
    r"random|/dev/u|token_(?:hex|bytes|urlsafe)|\b(?:rand|pwgen|apg|diceware|makepasswd|xkcdpass|oathtool|htpasswd|bw[ \t]+unlock|genkey|genpsk|ssm[ \t]+get-param|secretsmanager|key:generate)\b|generate_?(?:key|secret)|base64[ \t]+(?:-d|-D|--decode)"
    r"|sum[ \t]*\|[ \t]*base64|\b(?:gopass|rbw|lpass|secret-tool|kwallet-query|keepassxc-cli|ansible-vault|keyring[ \t]+get|op[ \t]+read|pass[ \t]+show|bw[ \t]+get|get-login-password|get-access-token)\b"
    r"|print-(?:access|identity)-token|secret_key_base|rclone[ \t]+(?:reveal|obscure)|preauthkeys[ \t]+create|dumpprivkey|\bdrush[ \t]+uli|(?:john|hashcat)[ \t][^\n]*--show|\.(?:pgpass|netrc|my\.cnf|git-credentials|macaroon)\b|\b(?:consul[ \t]+keygen|hex\.user[ \t]+key[ \t]+generate|nsc[ \t]+generate|wallet[ \t]+new(?:-mnemonic)?|application-password[ \t]+create|git-crypt[ \t]+export-key|bundle[ \t]+config|gossip[ \t]+keyring|(?:join|unlock)-(?:token|key)|apikeys[ \t]+create|creds?stash[ \t]+get|chamber[ \t]+read|secrets:reveal|oath[ \t]+accounts[ \t]+code|bakemacaroon|systemd-creds[ \t]+decrypt)\b|getnetworkcredential\(\)\.password|\bwg[ \t]+show[ \t]+\S+[ \t]+(?:private|preshared)-keys?\b|requirepass|http\.authbasic|stack[ \t]+output[^\n]*--show-secrets"
)
"""A command that makes a value, or reads one from where secrets are kept."""
_MADE = lazily(f"(?i){MAKING}")
ASKING = f"(?:passw|passphrase|passcode|pass|pwd?|secret|token|credential|key|{MAKING})"
"""What a command that asks for a secret has, as RE2 looks for it."""
_MAY_NAME = r"(?i)pass|psk|pwd|[._-]pw\b|secret|token|cred|key|login|auth|codes|netrc|\.cookie|\.pw|\.user|document\.cookie"
"""What is in each name of a secret, and of a file with one."""
_MAY_ASK = rf"{_MAY_NAME}|{MAKING}"
_NO_SECRET = lazily(
    r"\bgit[ \t]+(?:[a-z-]+=\S+[ \t]+)*(?:log|rev-parse|show|branch|hash-object|merge-base|describe|rev-list)\b|\b[ef]?grep[ \t]+(?:-\w+[ \t]+)*-\w*[lcnrRH]|\A(?:pwd|cd|ls)\b|\b(?:md5|sha\d*|b2)sum\b(?![^\n]*base64)|(?<![\d=&-])>|^(?:sudo[ \t]+)?(?:[ef]?grep(?![ \t]+-\w*o)|rg|ag|find|ls|wc|which|stat|file|du)\b(?![^\n]*\|[ \t]*(?:cut|awk|sed|tr|head|tail|xargs)\b)"
)
_FILE = lazily(
    rf"(?i)(?:^|[/\\])(?:[\w.-]*(?:{_NAME}|creds?|logins?|(?:recovery|backup)[-_]?codes?|(?<![a-z])auth(?=\.(?:txt|conf))|-auth|erlang\.cookie)s?(?:\.(?:txt|key|conf|dat|secret|csv|client|lst))?"
    r"|(?:master|credentials)\.key|[\w.-]*(?:htpasswd|netrc|pgpass)|[\w.-]*ask-?pass[\w.-]*|[\w-]+\.(?:pw|users?))\Z"
)
_READS = lazily(
    r"\b(?:cat|bat|less|more|head|tail|nl|strings|type)((?:[ \t]+[^\s|;&<>]+)+)"
)
_LONGEST_READ = 300
_LONGEST_COMMAND = 20_000
_ENDED = lazily(r"&&|\|\||;\s|\n")
_PRINTING = rf"{PRINTING}[^\n]*"


def names_secret(file: str) -> bool:
    """Return whether a file is one with a secret by its name."""
    return _has(_MAY_NAME, file) and _FILE.search(file) is not None


def reads_secrets(command: str) -> bool:
    """Return whether the last of what a command does is to print a file of secrets."""
    if not _has(_MAY_NAME, command):
        return False
    last = _ENDED.split(command.strip())[-1]
    is_read = len(last) <= _LONGEST_READ and _NO_SECRET.search(last) is None
    return is_read and any(
        names_secret(word.strip("\"'"))
        for said in _READS.finditer(last)
        for word in said[1].split()
    )


def asks_for_secret(command: str) -> bool:
    """Return whether a command, or what a tool is asked for, reads a secret or makes one."""
    if len(command) > _LONGEST_COMMAND or not _has(_MAY_ASK, command):
        return False
    last = _ENDED.split(command.strip())[-1]
    is_read = len(last) <= _LONGEST_READ and _SELECTED.search(last) is not None
    return (
        is_read or (len(command) <= _LONGEST_READ and _MADE.search(command) is not None)
    ) and _NO_SECRET.search(last) is None


def _has(pattern: str, text: str) -> bool:
    """Return whether RE2 finds something: mostly nothing, in a tenth of the time."""
    return compile_pattern(pattern).search(text.encode(errors="replace")) is not None


def printing_line(command: str) -> str:
    """Return how the first line goes on from where a command prints a secret; or nothing."""
    body = command.encode(errors="replace")
    found = compile_pattern(_PRINTING).search(body)
    return body[slice(*found.span())].decode(errors="replace") if found else ""


ROWS = r"""
@ \bunseal[ \t]|preset_passphrase|(?:exec(?:\.py)?|netexec|nxc|secretsdump(?:\.py)?)[ \t][^\n]*(?:-h|:[!-~]+@)|openssl[ \t]+(?:[^\n]*[ \t]-k|passwd)|-(?:store|key|srcstore|deststore)pass|keyvault[ \t]+secret|samba-tool|netsh[ \t]|\bbw[ \t]+unlock|cypher-shell|snowsql|altool|useradd[ \t]|usermod[ \t]|evil-winrm|\bplink[ \t]|\bpscp[ \t]|mongo(?:im|ex)port|wpa_passphrase|rabbitmqctl|ssh-keygen|schtasks|cmdkey|kadmin|ldappasswd|signtool|pdftk|securestring|qpdf[ \t]|mkpasswd|caddy[ \t]+hash|setairportnetwork|mosquitto_passwd|\bsecurity[ \t]+(?:import|[a-z]+-)|ipmitool|racadm|set-user-password|rclone[ \t]+obscure|radtest[ \t]|dscl[ \t]|do_wifi|nmcli|knife[ \t]|walletpassphrase|encryptwallet|(?:ejabberd|prosody)ctl|doveadm|filebrowser|encrypt_string|auth[ ]?=[ ]?\\?\(|net::\w|(?:new pdo|new sequelize|jwt::encode|jwt\.sign|plainauth|getconnection|mysqli\w*|usernamepassword\w*|(?:basic|digest)auth|simple_bind\w*|\.auth|\.basic|userpassword|networkcredential|bcrypt\.compare|secretorkey|wifi\.begin|wlan\.connect|dbi->connect|\blogin|superuser|create_user|check_password|hash_?password|password_?hash|make_password|set\w*pass(?:word)?|pw_set|hash::make|pdo->__construct|hashpw|argon2\.hash|crypt|pwd_context\.\w+|hmacshakeyfor|hmac(?:\.new)?|createcipheriv|encrypt|signwith|keyspec|password_verify|wpdb|base64\.decode|createasync|aes\.new|getbytes|secret::new)\\?\(|(?:key[ ]?:?=|return)[ ]?\[\]byte\\?\(|\bjwt\.(?:sign|verify|encode|decode)|algoliasearch|\.tochararray|\.(?:un)?protect[ (]\\*\"|fernet\\?\(|new (?:stripe|openai|anthropic|resend|groq)\\?\(|createclient\\?\([^\n]*,|bot\\?\(|(?:bot|client)\.(?:run|login|start)\\?\(|session\\?\([^\n]*keys?|(?:^|[^a-z\d]|\\[nrt]|%0a)s[/|#,][\w@_<{-]{0,20}(?:change|pass|secret|token|key|placeholder|dummy|todo|xxx)|--replace-text|\b(?:sed|perl)[ \t][^\n]*(?:pass|secret|cred|\.env)|\bgit[ ][^\n]*[ ]-[sg][ ]?[\"']|aws[ \t]+configure|\bkv[ \t]+put|--secret-string|user-secrets[ \t]+set|(?:poetry|composer)[ \t]+config|\bmc[ \t]+(?:alias|admin[ \t])|[ \t]-a[ ]bearer|--name[ =][^\n]*--value
password            argument         (?:(?:{b}knife\b[^\n|;&]{0,200}?[ \t]-P|{b}security[ \t]+(?:import|export)\b[^\n|;&]{0,300}?[ \t]-P|walletpassphrase(?:change)?|encryptwallet|{b}rclone[ \t]+obscure|{b}radtest[ \t]+\S+|{b}dscl[ \t]+\S+[ \t]+-passwd[ \t]+\S+|do_wifi_ssid_passphrase[ \t]+\S+|{b}(?:ejabberd|prosody)ctl[ \t]+(?:register|passwd|change_password)[ \t]+\S{1,60}(?:[ \t]+[\w-]+\.[\w.-]+)?|{b}doveadm[ \t]+auth[ \t]+\w+[ \t]+\S{1,60}|{b}filebrowser[ \t]+users[ \t]+(?:add|update)[ \t]+\S{1,60}(?:[ \t]+(?:-p|--password))?|encrypt_string(?:[ \t]+--[a-z-]+[ =]\S{1,60})*)[ \t]+{value}|(?:{b}operator[ \t]+unseal|{b}openssl[ \t]+(?:enc|aes[\w-]*|des[\w-]*)\b[^\n|;&]{0,300}?[ \t]-[kK]|(?:^|[^\w-])-(?:store|key|srcstore|deststore)pass|{b}keyvault[ \t]+secret[ \t]+set\b[^\n|;&]{0,200}?--value|{b}samba-tool[ \t]+user[ \t]+(?:create|setpassword)[ \t]+\S+(?:[ \t]+--newpassword)?|{b}netsh\b[^\n]{0,100}?[ \t]key(?:material)?|{b}bw[ \t]+unlock|{b}(?:cypher-shell|snowsql|altool|useradd|usermod|evil-winrm|plink|pscp|mongoimport|mongoexport)\b[^\n|;&]{0,300}?[ \t]-(?:p|pw)|{b}wpa_passphrase[ \t]+(?:\"[^\"\n]{1,40}\"|'[^'\n]{1,40}'|\S{1,40})|{b}rabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+\S{1,60}|{b}ssh-keygen\b[^\n|;&]{0,200}?[ \t]-[NP]|(?i:{b}schtasks\b[^\n]{0,300}?/rp)|{b}kadmin\b[^\n|;&]{0,200}?[ \t]-w|{b}ldappasswd\b[^\n|;&]{0,200}?[ \t]-[as]|{b}signtool\b[^\n|;&]{0,200}?[ \t]/p|{b}pdftk\b[^\n|;&]{0,200}?[ \t](?:user|owner)_pw|{b}qpdf\b[^\n|;&]{0,60}--encrypt|{b}(?:mkpasswd|openssl[ \t]+passwd|\bpasswd[ \t]+-(?:1|5|6|apr1))(?:[ \t]+-[\w-]+(?:[ \t]+(?:sha-?\d+|bcrypt|\w+crypt))?)*|{b}caddy[ \t]+hash-password[^\n|;&]{0,60}?--plaintext|setairportnetwork[ \t]+\S+[ \t]+\S+|{b}mosquitto_passwd[ \t]+-b[ \t]+\S+[ \t]+\S+|{b}ipmitool\b[^\n]{0,100}set[ \t]+password[ \t]+\d+|{b}racadm\b[^\n]{0,100}Password(?:[ \t]+-i[ \t]+\d+)?|{b}set-user-password[ \t]+\S+[ \t]+\S+|{b}nmcli\b[^\n]{0,100}password|{b}security[ \t]+(?:unlock-keychain|create-keychain|set-key-partition-list|set-keychain-password|add-(?:generic|internet)-password)\b[^\n|;&]{0,300}?[ \t]-[pPwk]|(?i:{b}cmdkey\b[^\n]{0,200}?/pass|ConvertTo-SecureString(?:[ \t]+-String)?|--type[ =]SecureString[^\n]{0,80}--value))(?:[ \t]+|[=:][ ]?){value}|(?:{b}(?:impacket-)?(?:\w+exec|secretsdump)(?:\.py)?[ \t]+(?:-\S+[ \t]+)*[\"']?(?:[\w.-]+[/\\])?[\w.-]{1,40}:([^\s\"']+)@[\w.-]|{b}(?:(?:evil-winrm|crackmapexec|netexec|nxc|(?:\w+exec|secretsdump)(?:\.py)?)\b[^\n|;&]{0,300}?[ \t]-(?:H|hashes)|preset_passphrase[ \t]+\S+[ \t]+-?\d+)(?:[ \t]+|[=:][ ]?){value}))
password            phrase           (?:(?:(?:\bDBI->connect|PDO->__construct|\bnew (?:PDO|Sequelize)|getConnection|\bNet::\w+\.(?:open|start|new)|PlainAuth|\bmysqli\w*)\([^\n]{0,200}?,\s?[\"'][^\"'\n]{0,60}[\"'],\s?{quoted}|(?i:(?:(?:Basic|Digest)Auth|UserPassword|UsernamePassword\w*|simple_bind\w*|\.auth|\.basic|NetworkCredential|WiFi\.begin|wlan\.connect|\bauth[ ]?=[ ]?)\(\s?[\"'][^\"'\n]{0,80}[\"'],\s?{quoted}))|(?i:(?:(?:hash_?password|password_?(?:hash|verify)|make_password|set\w{0,12}_?pass(?:word)?|Hash::make|hashpw|argon2\.hash|\b[bs]?crypt|pwd_context\.(?:hash|verify)|hmacShaKeyFor|AES\.new|FromPassword|SecurityKey|HMACSHA\d+|SecretKeySpec|hmac\.new|Secret::new)\((?:\[\]byte\(|[\w.]{0,24}GetBytes\(|[\w.]{0,24}decode\()?|(?:createHmac|createCipheriv|jwt::encode|jwt\.sign|openssl_(?:en|de)crypt|pgp_sym_(?:en|de)crypt|AES\.encrypt|signWith|wpdb|hmac\.New|CreateAsync)\([^()\n]{1,40},\s?(?:\[\]byte\()?|(?:\w*key\s?:?=|\bjwt\b[^\n]{0,80}\breturn)\s?\[\]byte\()\s?b?\\*[\"']([^\s\"'\n\\]{6,128})\\*[\"']))
password            quoted_mixed     (?:[\"']([^\s\"'\n]{6,64})[\"']\.toCharArray\(|(?i:\.(?:un)?protect[ (]\"([^\"\n]{6,64})\"))
secret              token            (?:\bjwt\.(?:sign|verify|encode|decode)\([^\n]{0,200}?,\s?|(?i:algoliasearch)\(\s?[\"']\w{4,40}[\"'],\s?){quoted}
secret              far_token        (?:\bFernet\(b?|new (?:Stripe|OpenAI|Anthropic|Resend|Groq)\(\s?|\bcreateClient\([^()\n]{1,80},\s?|(?i:session)\([^\n]{0,80}?\bkeys?[\"']?\s?:\s?\[?\s?){quoted}
password            odd              (?i)(?:(?:--replace-text[^\n]{0,20}?[\"']([^\s\"'=]{8,64})(?:==>|[\"'])|\b(?:sed|perl)[ \t][^\n]{0,60}?s[/|#,][\w@<{-]{0,20}(?:change|placeholder|dummy|todo|xxx|__|@@)[^/|#,\n]{0,20}[/|#,]([^/|#,\n\"'\\]{8,64})[/|#,])|s[/|#,][^/|#,\n]{0,40}{pass}[^/|#,\n]{0,30}[/|#,][^/|#,\n]{0,40}{pass}\w{0,12}[\"']?[ ]?[:=][ ]?[\"'\\]{0,2}([^/|#,\n\"'\\]{8,64})\\*[\"']?[/|#,])
password            far_password     (?i)\b(?:sed|perl)[ \t][^\n]{0,60}?(?:s[/|#,][\w@<{-]{0,20}(?:pass|secret|token|key)[^/|#,\n]{0,20}[/|#,]([^/|#,\n\"'\\]{8,64})[/|#,]|s[/|#,][^/|#,\n]{1,80}[/|#,]([^/|#,\n\"'\\]{8,64})[/|#,][^\n]{0,40}(?:pass|secret|cred|\.env))|\bgit[ ][^\n]{0,60}?[ ](?-i:-[SG])[ ]?[\"']([^\s\"'\\]{8,64})[\"']
secret              argument         (?:{b}aws[ \t]+configure[ \t]+set[ \t]+\S*(?:secret|token)\S*|{b}kv[ \t]+put[ \t]+\S+[^\n]{0,100}?[ \t]value|--secret-string|{b}user-secrets[ \t]+set[ \t]+[\"'][^\"'\n]{0,60}(?i:pass|secret|key|token|pwd)[^\"'\n]{0,20}[\"']|{b}(?:poetry|composer)[ \t]+config[ \t]+(?:-\S+[ \t]+)*(?:http-basic\.\S{1,60}[ \t]+\S{1,60}|(?:pypi-token|github-oauth|gitlab-token|bearer)\.\S{1,60})|{b}mc[ \t]+(?:alias[ \t]+set[ \t]+\S+|admin[ \t]+user[ \t]+add)[ \t]+\S+[ \t]+\S+|{b}(?:https?|xhs?)\b[^\n]{0,200}?[ \t]-A[ ]bearer[ ]-a|(?i:--name[ =][\"']?[\w.-]{0,60}(?:secret|token|key|pass|password|pwd|_dsn|_auth)\w{0,20}[\"']?[ \t][^\n]{0,80}?--value))(?:[ \t]+|=){value}
@ requirepass|masterauth|redis-cli[^\n]*auth|sqlplus|expdp|impdp|sqlldr|rman[ \t]|sqlcl|lftp|irssi|cargo[ \t]+login|setapikey|(?:\brar|unzip)[ \t]|\b(?:exp|imp|conn|connect)[ ]+\w+/|[ ]user[ ]\S+[ ]using[ ]|smbclient|isql|\.logon|sp_addlogin
password            phrase           \b(?:requirepass|masterauth)(?:\"(?:\r?\n[^\n]{0,20}?\d+\))?[ ]{double}|\r?\n{gutter}([^\s\"'`<>|]{8,64}))
password            argument         (?:(?i:{b}(?:requirepass|masterauth|redis-cli\b[^\n]{0,200}?[ \t]auth)[:=]?[ \t]+{value})|(?:{b}(?:sqlplus|expdp|impdp|sqlldr|rman|sqlcl)[ \t]+(?:-\w+[ \t]+)*(?:target[ \t]+|userid=)?[\w.]{1,40}/([^\s\"'`@]{2,})|{b}(?:exp|imp)[ \t]+(?:userid=)?[\w.]{1,40}/([^\s\"'`@]{2,})[^\n]{0,80}?[ ](?:file|full|owner|tables|log|fromuser)=)|{b}(?:rar[ \t]+\w[^\n|;&]{0,100}?[ \t]-h?p|unzip[ \t][^\n|;&]{0,200}?-P[ \t]*|irssi\b[^\n|;&]{0,200}?[ \t]-w[ \t]*|lftp\b[^\n|;&]{0,100}?[ \t](?:-u|--user)[ =]?[\"']?[\w.@-]{1,40},){value})
password            argument         (?i)\bredis-cli\b[^\n]{0,200}?[ \t]auth[ \t]+[\w.-]{1,40}[ \t]+{value}
password            told             (?i)(?:\b(?:exp|imp|conn|connect)[ ]+\w{2,40}/|\bsmbclient[ ]+[\"']?//\S+[ ]+|\bisql[ \t]+(?:-\w+[ \t]+)*[\w.-]{1,40}[ \t]+[\w.@-]{1,40}[ \t]+|\.logon[ ]+(?:\w+/)?\w+,|\bsp_addlogin[ ]+\S+,[ ]*[\"']?)([^\s\"'`@;]{4,64})
password            word_too         (?i)\b(?:connect|attach)(?:[ ]to)?[ ]\S+[ ]user[ ]\S+[ ]using[ ]{bare}
@ <<<|sshpass\\040|(?:mysql|mariadb|mycli|sshpass|redis-cli|mongo|docker|podman|x11vnc|\baz[ \t]|helm|zip|7z|sqlcmd|bcp|ldap|winexe|\boc[ \t]|keytool|mosquitto|htpasswd|psexec|impacket|crackmapexec|pg_dump|ipmitool|snmpwalk|cqlsh|twine|rdesktop|ncftp|certutil|veracrypt)[^\n]*[ \t]-|(?:etcdctl|influx|nats|elasticsearch|\bab[ \t]|siege)[^\n]*[ \t]--?u|(?:transmission-remote|pihole|steamcmd|ykman|\bdig|nsupdate)[ \t]|\b(?:gh|glab)[ \t]secret[ \t]set|(?:gotty|ttyd|wetty|miniserve|dufs|chisel|shell2http|webdav|http-server|rclone)[^\n]*[ \t]--?[acu]|\b(?:sftp|scp|ssh|ftp|rsync)[ \t][^\n:]*:[^\s@]+@|(?:pass|key|token|secret)[\w-]*[ =][^\n]{0,4}\(?(?:echo|printf)|(?:pass|key|token|secret|cred|seal)[^\n]*<\((?:echo|printf)|\|[ \t]*(?:sudo[ \t]+)?(?:\w*passwd|kinit|cryptsetup)|passwd[ \t]+<<<|\becho[ \t]+-e[ \t]+\\*[\"'][!-~]{6,40}\n|\|[ \t]*(?:npx[ \t]+|bunx[ \t]+)?(?:vercel|wrangler|gh|glab|fly|flyctl|eas|convex|heroku|supabase|gcloud|doppler|aws|az)[ \t][^\n]*(?:env|secret|config)
password            argument         (?i)(?:{b}(?:pihole[ \t]+(?:-a[ \t]+-p|setpassword)|steamcmd\b[^\n]{0,100}?\+login[ \t]+\S{1,60}|(?:gh|glab)[ \t]+secret[ \t]+set\b[^\n|;&]{0,120}?[ \t](?:-b|--body)[ =]?)[ \t]*{value}|(?:{b}{readers}\b[^\n]{0,100}?|\b\w*(?:pass|secret|token|luks|vnc|creds?(?:\b|_)|login|\bpwd?\b)[^\n|;&]{0,80})<<<[ \t]*\$?(?:{value}|[\"']([^\s\"'\\\n]{4,64})\\+n))
password            argument         (?:{b}(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli)\b[^\n|;&]{0,300}?[ \t]-p(?:{double}|{single}|([^\s\"'`\\][^\s\"'`]{0,}))|(?:(?:{b}sshpass(?:[ \t]+(?:-[a-zP][ \t]*\S*[ \t]+){0,3}?-p[ \t]*{value}|\\040-p\\040([^\s\\]{3,}))|{b}htpasswd[ \t]+(?:-[a-mo-z]*b[a-mo-z]*[ \t]+\S+|-\w*n\w*b\w*|-\w*b\w*n\w*)[ \t]+\S+[ \t]+{value})|{b}(?:redis-cli|mongo(?:sh)?|mongodump|mongorestore|docker[ \t]+login|podman[ \t]+login|az[ \t]+login|helm[ \t]+registry[ \t]+login|zip|7z|sqlcmd|bcp|ldapsearch|ldapadd|ldapmodify|winexe|oc[ \t]+login|keytool|mosquitto_pub|mosquitto_sub|htpasswd|psexec|impacket-\w+|crackmapexec|pg_dump|ipmitool|snmpwalk|x11vnc|cqlsh|twine|rdesktop|ncftp\w*|certutil|veracrypt|ldappasswd)\b[^\n|;&]{0,300}?[ \t]-(?:a|p|P|w|W|storepasswd|storepass|keypass)[ \t]*{value}))
password            password         (?:{b}(?:dig|nsupdate|delv)\b[^\n|;&]{0,200}?[ \t]-y[ \t]+[\"']?(?:[\w.-]{1,60}:){1,2}([A-Za-z0-9+/]{8,}={0,2})|ykman\b[^\n|;&]{0,60}?(?:[ \t]-[a-zA-Z-]+[ \t]+[0-9a-f]{6,64}){N}[ \t]-[a-zA-Z-]+[ \t]+([0-9a-f]{6,64})\b)
password            argument         \b(?:(?:etcdctl|influx|nats|elasticsearch[\w-]*|ab|siege)\b[^\n|;&]{0,200}?[ \t]--?(?:user|u)|transmission-remote\b[^\n|;&]{0,200}?[ \t](?:-n|--auth)|(?:gotty|ttyd|wetty|miniserve|dufs|chisel|shell2http|webdav|http-server|rclone)\b[^\n|;&]{0,200}?[ \t](?:-[acu]|--(?:auth|credentials?|user|basic-auth|form)))[ =][\"']?[\w.-]{1,40}:([^\s\"']{2,})
password            unlisted         \b(?:sftp|scp|ssh|ftp|rsync)[ \t]+(?:-\S+[ \t]+)*[\"']?[\w.-]{1,40}:([^\s\"'@/]{4,})@[\w.-]+
password            argument         (?i)(?:pass|key|token|secret|cred|seal[^\n|;&]{0,60}from-file)[\w-]*(?:[ =]{0,2}(?:[\"']|<\()|[^\n|;&]{0,60}<[ ]?<\()(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?(?:[\"'](?:[^\"'\n%]{0,40}%s(?:\\+n)?){1,2}[\"'][ \t]+(?:[\w.@-]{1,40}[ ])?)?[\"']?(?:[\w-]{1,40}=)?([^\s\"')]{3,})
password            argument         \b(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?[\"']?([^\s\"'\\|;]{3,}?)(?:\\+n|\n{gutter}|[\"']?;[ ]?echo[ ])[^\n|]{0,80}\|[ \t]*(?:sudo[ \t]+)?(?:\w*passwd|kinit|cryptsetup)\b
password            argument         \b(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?[\"']?[^\s\"'\\|;]{3,}?(?:\\+n|\n{gutter}|[\"']?;[ ]?echo[ ][\"']?)([^\s\"'\\|)]{3,})[^\n|]{0,8}\|[ \t]*(?:sudo[ \t]+)?(?:\w*passwd|kinit|cryptsetup)\b
secret              argument         \b(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?(?:[\"']%s[\"'][ \t]+)?(?:{double}|{single}|([^\s\"'|]{6,}))[ \t]*\|[ \t]*(?:npx[ \t]+|bunx[ \t]+)?(?:vercel|wrangler|gh|glab|fly|flyctl|eas|convex|heroku|supabase|gcloud|doppler|aws|az)[ \t][^\n|;&]{0,40}?(?:env|secrets?|config)[: \t]
@ \bvault[ \t]+login|sonar\.login|pragma[ \t]+(?:re)?key|\battach[ ][^\n]*[ ]key[ ]|auth-user-pass>|\]:\d{2,5}[ \t]+[^\s:]+:[!-~]|@\d{1,3}\.\d{1,3}\.\d{1,3}\.\d|[ \t]/p:|\bnet[ \t]+use|[ \t]-u[ \t]*[\"']?[\w\\/.-]{1,60}%|\blogin[ \t]+\S+@|\benter[ \t]+passphrase[ \t]+for|\bpass[ \t]+phrase[ \t]+for
password            password         (?i)(?:\bpragma[ \t]+(?:re)?key[ \t]*=|\battach[ ][^\n]{0,80}[ ]key)[ \t]*{single}
password            argument         (?:<auth-user-pass>\r?\n{gutter}\S{1,80}\r?\n{gutter}([^\s]{4,})|(?:[ \t]/p:|(?i:{b}net[ \t]+(?:user[ \t]+\S{1,60}|use[ \t][^\n]{0,100}?/user:\S+)[ \t]+))[\"']?([^\s/*\"'][^\s/\"']+)|(?:^|\s)-U[ \t]*[\"']?[\w\\/.-]{1,60}%([^\s\"']+))
password            unlisted         \[[\w.-]+\]:\d{2,5}[ \t]+[^\s:]{1,80}:([^\s\"'`]{4,})
password            argument         (?i)\bnet[ \t]+use[ \t]+(?:\w:[ \t]+)?\\\\\S+[ \t]+[\"'*_]{0,2}([^\s/*\"']{3,})[\"'*_]{0,2}[ \t]+/user
password            word_too         (?:{b}LOGIN[ \t]+\S+@\S+[ \t]+|(?i:enter pass ?phrase for [^\n:]{1,120}: ?))([^\s\"'`<>]{4,})
@ oathtool|\bchar[ *][^\n]*(?:key|pass|pw|secret)\w*(?:\[\w*\])?[ ]?=[ ]?\\*\"|keychain\w*\.\w+\(|\bread\(0,[ ]\\*\"[!-~]{6}|\bcredentials\(|\bBUNDLE_[A-Z_]+:|\bbundle[ ]config[ ]|encryption:|define\([ ]?'\w+_(?:key|salt)'|stringData|:thin:
totp-seed           token            \boathtool\b[^\n]{0,60}?[ \t]([A-Z2-7]{16,64})\b
password            given            (?:(?i:(?:\bchar[ *]+\w{0,20}(?:key|pass|pw|secret)\w{0,12}(?:\[\w*\])?\s?=\s?|keychain\w*\.(?:set|save|store|add|put)\w*\([ ]?@?)\"([^\"\s]{8,64})\")|{b}read\(0,[ ]\"([^\"\\\n]{6,64})\\n\",[ ]\d)
password            phrase           \bCredentials\((?:\s?\"[^\"\n]{0,80}\",){3}\s?{double}
password            word_too         (?:\bBUNDLE_[A-Z_]{3,60}:|\bbundle[ ]config[ ][^\n]{1,60}[ ])[ ]*[\"']?[\w.-]{1,40}:([^\s\"'/][^\s\"']{5,})
secret              token            encryption:[ \t]*\r?\n[^\n\w]{0,30}key:[ ]*\"?([A-Za-z0-9+/]{43}=)
secret              quoted_mixed     define\(\s*'\w+_(?:KEY|SALT)',\s*'([^'\n]{8,})'\s*\)
password            unquoted         stringData:[ \t]*\n(?:[ \t]+[\w.-]+:[^\n]*\n){0,10}?[ \t]+[\w.-]*(?:pass|secret|token|key)[\w.-]*:[ \t]*([^\s\"']{2,})
connection-password password         (?i)jdbc:oracle:thin:[\w$.-]{1,60}/([^\s\"'<>]+?)@(?://)?[\w.-]+[:/]
@ (?:curl|wget|http|xh|hurl)[^\n]*[ \t]-(?:[a-z]*u|-user|-proxy-user|a|-auth|b|-cookie)|\|[ \t]*(?:sudo|docker|\w*passwd|gh|glab|wrangler|vault|podman|helm|oras|(?:npx[ \t]+)?vercel|npx|fly|{readers}|[^\n|]{0,60}pass[\w-]*(?:stdin|fd))|\+[ ](?:echo|printf)[ \t]|\b(?:echo|printf)[ \t][^\n]*>[^\n]*(?:pass|cred|secret|pw|auth)
password            argument         (?:curl|wget|http|https|xh|hurl)\b[^\n]{0,400}?[ \t](?:-[A-Za-z]*u|--user|--proxy-user|-U|-a|--auth)[ =]?(?:\"[^\s:\"']{0,100}:([^\"\n]+)\"|'[^\s:\"']{0,100}:([^'\n]+)'|[^\s:\"']{0,100}:([^\s\"']+))
password            argument         (?:curl|wget|http|https|xh|hurl)\b[^\n]{0,400}?[ \t](?:-[A-Za-z]*u|--user)[ =]?[\w.@-]{1,60}:(?:\"([^\"\n]+)\"|'([^'\n]+)')
secret              far_token        (?:curl|wget|http|https|xh|hurl)\b[^\n]{0,400}?[ \t](?:-[A-Za-z]*u|--user|-a|--auth)[ =]?[\"']?([\w.+/=-]{10,200}):(?:[\s\"']|$)
cookie              jar              (?:curl|wget|http)\b[^\n]{0,400}?[ \t](?:-b|--cookie)[ =]?[\"']?([\w.%-]{1,80}=[^\n\"']{6,})
password            given            (?i)\bprintf[ \t]+[\"'][\w.@-]{1,40}\\+n([^\s\"'\\]{6,64})(?:\\+n)?[\"'][ \t]*>{1,2}[ \t]*[\"']?[\w./~-]{0,80}(?:pass|cred|secret|pw|auth)
password            odd              (?:\+[ ](?:echo|printf)[ \t]+(?:-\w+[ \t]+)?'?([^\s'|]{4,64})'?\r?\n[^\n]{0,100}(?:--password-stdin|chpasswd|passwd)|(?i:{b}(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?(?:[\"']%s(?:\\+n)?[\"'][ \t]+)?{value}[ \t]*>{1,2}[ \t]*[\"']?[\w./~-]{0,80}(?:pass|cred|secret|pw)))
password            argument         \b(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?(?:[\"']%s(?:\\+n)?[\"'][ \t]+)?(?:{double}|{single}|([^\s\"'|]{3,}))[ \t]*\|[ \t]*(?:(?:sudo[ \t]+)?{readers}|(?:gh|wrangler|docker)[ \t]+secret|(?:gh|glab)[ \t]+auth|[^\n|]{0,60}pass[\w-]*(?:stdin|fd))\b
password            argument         \b(?:echo|printf)[ \t]+(?:\"[\w.-]{1,40}:([^\"\n]{3,})\"|'[\w.-]{1,40}:([^'\n]{3,})'|[\w.-]{1,40}:([^\s\"'|]{3,}))[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd\b
@ apikeyhelper|::add-mask::|cloudflared[ \t]|codecov[ \t]|nuget[ \t]|wandb[ \t]+login|raw result:|snyk[ \t]+(?:auth|config)|instrumentationkey|\bcv[vc]2?[\"']?[ ]?[:= ][ ]?[\"']?\d{3}|(?:recovery|product|licen[cs]e|activation|serial|emergency|backup|rescue)[ _-]?(?:key|code|number)|-serial[ \t]|openssl[ \t]+rand|\bbw[ \t][^\n]*--raw|\bcat[ \t][^\n|;&]{0,80}(?:secret|token|passw|vault_pass|master\.key|credential|\.cookie)|gpp-decrypt|\becho[ \t]{1,2}[\"]?\$|\bprintenv[ \t]|\bop[ \t]+read|print-(?:access|identity)-token|token_(?:hex|urlsafe)|secret(?:s[ \t]+versions)?[ \t]+access|\bpass[ \t]+(?:show|[\w-]+/[\w/.-]+[ \t]*\r?$)|jsonpath=|--query[ \t]|auth[ \t:]+token|create[ \t]+token|generate-token|get-login-password|config:get|secrets[ \t]+get|whoami[ \t]+-t|-field[ =]|get[ \t]+password|show[ \t]+--password|rails[ \t]+secret|key:generate|auth[ \t]+secret|wp[ \t]+config|find-(?:generic|internet)-password|/dev/u?random|(?:PASS|SECRET|TOKEN|KEY)\w*[=/\\][^\n]*\.env|\.env[ |\t]+(?:grep|awk)[ \t]\W*\w*(?:PASS|SECRET|TOKEN|KEY)|get-access-token|storage[ \t]account[ \t]keys|--with-decryption|infisical[ \t]secrets|flyctl[ \t]auth|npm[ \t]token|http\.extraheader|keepassxc-cli[ \t]show|\bop[ \t]item[ \t]get[ \t][^\n]{0,80}(?:passw|credential|secret|token|--reveal)|terraform[ \t]output[ \t](?:-raw[ \t])?\w*(?:pass|secret|token|key)|\bmkpasswd\b|\bapg[ \t]+-|[ \t]-dc[ \t][!-~]+[ \t]*<?[ ]?/dev/u?random|random_?bytes\(|securerandom|generate_key\(|\bpwgen[ \t]|secret-tool|kwallet-query|gopass[ \t]|\brbw[ \t]|keyring[ \t]|xkcdpass|diceware|makepasswd|(?:jq|yq|sops|redis-cli|etcdctl|consul)[ \t][^\n]{0,80}(?:passw|secret|token\b)|snyk[ \t]config|random_secret_key|\bwg[ \t]+gen|(?:\(\d+\)[ \t]|wallet\(?[ ]?\\*[\"']|accounts[^\n]{0,8}\[[^\n]{0,6}|toaccount\(?[^\n]{0,6}|--private-key[ \t=]|\b(?:priv|pk)[ \t])(?:0x)?[0-9a-f]{16}|\bkey[ ]0x[0-9a-f]{16}|^key[ ]is[ ][0-9a-f]{16}|client_random[ ]|(?:dial|open|client|connection|session|drivermanager|url\.create)\w*(?:\[\w+\])?(?:\\?\(|[ ]\\*\")[^\n]*\\*[\"'],[ ]?(?:\d+,[ ]?)?\\*[\"'][\w.@+-]{2,60}\\*[\"'],[ ]?\\*[\"'][!-~]{6}
password            password         (?i)\bcv[vc]2?[\"']?[ ]?[:= ][ ]?[\"']?(\d{3,4})\b
secret              far_token        (?:(?i:(?:recovery|product|licen[cs]e|activation|serial|emergency|backup|rescue)[ _-]?(?:key|code|number){link}([a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){2,8}))|-serial[ \t]+[\"']?([A-Z0-9]{2}(?:-[A-Z0-9]{4}){4,6})|{b}(?:apiKeyHelper\\*\"\s?:\s?\\*\"(?:echo|printf)|wandb[ \t]+login|Raw result:|snyk[ \t]+auth|cloudflared[ \t]+service[ \t]+install|codecov[ \t]+-t|nuget[ \t]+push\b[^\n]{0,80}?[ \t]-k)[ \t]+([\w+/=.~-]{16,200}))
secret              password         (?:(?:\bwandb[ \t]+login[ \t]+(?:--\S+[ \t]+)?|\bsnyk[ \t]+(?:auth|config[ \t]+set[ \t]+api=)[ \t]*|InstrumentationKey=)([0-9a-f-]{36,40})|::add-mask::([^\s\"'`|]{4,}))
secret              cell             (?:\bcat[ \t][^\n|;&]{0,80}(?:secret|token|passw(?:or)?d|vault_pass|master\.key)[\w.-]{0,20}|\bop[ \t]+read[^\n]{0,100}|\bpass[ \t]+show[^\n]{0,100}|jsonpath=[^\n]{0,60}(?:passw|token|secret)[^\n]{0,60}|gh[ \t]+auth[ \t]+token)[ \t]*\n{gutter}([^\s\"'`<>|]{8,200})[ \t\x{2502}]*(?:\r?\n|[\"'`\\]|$)
secret              printed          {printing}[^\n]{0,200}\n(?:Secret:[^\n]{0,80}\r?\n\r?\n)?{gutter}[\"']?([^\s\"'`<>|\x{2502}\\]{6,200})
secret              password         (?i)(?:\(\d+\)[ \t]|wallet\([\"']|accounts[\"']?\s?:\s?\[\s?[\"']|toaccount\([\"']|--private-key[ \t=]|\b(?:priv|pk)[ \t])((?:0x)?[0-9a-f]{64})\b|\bkey[ ](0x[0-9a-f]{64})\b|(?:^|[\n\"'`>])key[ ]is[ ]([0-9a-f]{32}|[0-9a-f]{64})\b|\bclient_random[ ][0-9a-f]+[ ]([0-9a-f]{64,96})\b
password            given            (?i)(?:dial|open|client|connection|session|drivermanager|url\.create)\w{0,20}(?:\[\w+\])?(?:\(|[ ])(?:[^()\n]{0,80},\s?)?\\*[\"'](?:\w{2,12}=[^\"'\n]{1,120}|(?:postgres|mysql|mariadb|oracle|mssql)[\w+]*|(?:\w+:){1,4}[^\s\"'\\]{1,120}|\{[^\s\"'\\]{1,80}|[\w-]+(?:\.[\w-]+){1,5}|localhost)(?::\d+)?\\*[\"'],\s?(?:\d+,\s?)?\\*[\"'][\w.@+-]{2,60}\\*[\"'],\s?\\*[\"']([^\s\"'\n\\]{6,64})\\*[\"']
@ ask_?pass[^\n]*\r?$|#!/[\w/ ]*sh[ \t]*\r?$|\bsend[ \t]+(?:--[ \t]+)?\\*[\"']|sendline\(|read_until\([^\n]*assword|auth[ \t]+plain[ \t]+|UGFzc3dvcmQ6|key\d[ \t]+full[ \t]|keyname|\bvault_[a-z_]+:[ ]|\"signing\\*\"|\"(?:bearer|github-oauth|gitlab-token|gitlab-oauth)\\*\"[^\n]{0,8}\{
password            odd              (?i)ask_?pass[^\n]{0,80}\r?\n(?:{gutter}#[^\n]*\r?\n){0,2}{gutter}(?:echo|printf)[ \t]+(?:-n[ \t]+)?(?:[\"']?%s(?:\\+n)?[\"']?[ \t]+)?{value}
password            login            (?i)#!/[\w/ ]{2,20}sh[ \t]*\r?\n(?:{gutter}(?:#[^\n]*)?\r?\n){0,2}{gutter}(?:exec[ ])?(?:echo|printf)[ \t]+(?:-n[ \t]+)?(?:[\"']?%s(?:\\+n)?[\"']?[ \t]+)?{value}[ \t]*(?:$|\r?\n(?:{gutter}\r?\n)?{gutter}(?:[A-Z]{3}\w*[\"']?[ \t]*\r?(?:\n|$)|`{3}|$))
password            given            (?:\bexpect\b[^\n]{0,200}?\bsend[ \t]+(?:--[ \t]+)?|\bspawn\([^\n]{0,80}\.sendline\(b?|assword[^\n]{0,60}(?:sendline|\n[^\n]{0,40}\.(?:write|sendline))\(b?)\\*[\"']([^\"'\\\n]{6,64})(?:\\+[rn])?\\*[\"']
basic-credentials   basic            \bAUTH[ ]PLAIN[ \t]+([A-Za-z0-9+/]{12,}={0,2})
basic-credentials   password         \bUGFzc3dvcmQ6[ \t]*\r?\n{gutter}(?:[CS]:[ ])?([A-Za-z0-9+/]{4,}={0,2})
azure-storage-key   far_token        (?i)(?:\bkey\d[ \t]+full[ \t]+|\"keyname\"[^{}]{0,160}?\"value\"\s?:\s?\")([\w+/=-]{16,})
secret              printed          (?i){start}(?:vault_[a-z_]{2,40}|\"signing\")[ \t]*:[ \t]*[\"']?([^\s\"'|>{/:]{8,200})
secret              token            \"(?:bearer|github-oauth|gitlab-token|gitlab-oauth)\"\s*:\s*\{\s*\"[\w.-]+\"\s*:\s*\"([^\"\n]{12,})\"
@ (?:enable|ppp[ \t]+\w+)[ \t]+(?:secret|password)|\busername[ \t]+\S+[ \t]+(?:privilege[ \t]+\d+[ \t]+)?(?:password|secret)[ \t]|bindpw|rootpw|community6?[ \t]+[!-~]{8}|snmp-server[ \t]+host|tacacs|radius[ -]server|isakmp|key-string|message-digest-key|authentication(?:-key)?[ \t]+(?:\d|text|plain)|standby[ \t]+\d+[ \t]+auth|pre-shared-|\bset[ \t]+[\w -]*(?:secret|passwd|pwd|psk|passphrase)[ \t]|com2sec|ipsec[ \t]+secret|auth-pass|auth_pass[ \t]|authtok|nickserv|wpa-psk|authserver|createuser[ \t]|monitor[ \t]+\S+@|setcookie|hidservauth|auth[ \t]+default|[ ]\"?on\"?[ ][\"']?>|sqlconnectinfo|[\"'][ ]pass(?:word)?[ ]+[\"']|passwd/[\w-]+[ \t]+password|nhrp[ \t]|database[ \t]+put[ \t]|(?:^|[:> ])user(?:name)?[ \t]+[\w.@-]+[ \t]*\r?$|^[ \t>|+\d\x{2192}-]*(?-i:Pass)[ \t]+[!-~]{6,64}[ \t]*\r?$|(?:auth|login|users?|creds?|credential)\w{0,12}[\"']?[ \t]?[=: ][ \t]?[\"'\[]?[a-z][\w.@-]{1,30}[:/][^\s:/]{8}|jeton|api[- ]?(?:ключ|schl|sleutel|nyckel|n\x{f8}gle|n\x{f8}kkel|avain|kl|anahtar|キー|키|\x{5bc6})|(?:cl\x{e9}|clave|chiave|chave|cheie|ключ|klucz|kl\x{ed}\x{10d})[ ](?:d'|de[ ]|della[ ])?(?:api|secr|segr|{vendor})|\x{5bc6}(?:\x{94a5}|\x{9470})|秘密鍵|токен|トークン|令牌|토큰|(?:chave|clave|chiave|cl\x{e9}|jeton)[ ]d|geheimnis|(?:sleutel|schl\x{fc}ssel|nyckeln?|klucz)[ ](?:voor|f\x{fc}r|till|do)[ ]|\"value\\*\"[ ]?:[ ]?\\*\"[^\s\"]{6,}\",?[ \t]*\r?$|\"value\\*\"[ ]?:[ ]?\\*\"[^\n\"]+\",[^\n]{0,4}\"(?:name|key)\\*\"|[^\s/:@]@(?:localhost|\d{1,3}\.\d|[\w.-]+:\d{2,5})|[\"'][\w.+-]+@[\w-]+\.[\w.]+\\*[\"'],[ ]?b?\\*[\"'][!-~]{6}
password            argument         {start}(?:ip[ \t]+)?(?:(?:ospf[ \t]+)?message-digest-key[ \t]+\d+[ \t]+md5|nhrp[ \t]+authentication|ospf[ \t]+authentication-key|(?:standby|vrrp|glbp)[ \t]+\d+[ \t]+authentication(?:[ \t]+text|[ \t]+md5[ \t]+key-string)?|key-string|(?i:user(?:name)?)[ \t]+\S{1,40}[ \t]*\r?\n{gutter}(?i:pass(?:word)?)|Pass)[ \t]+(?:[07][ \t]+)?([^\s\"'`]{4,80})[ \t]*\r?(?:\n|$)
password            argument         (?:{start}(?:(?:d-i[ \t]+)?passwd/[\w-]+[ \t]+password|(?:enable|ppp[ \t]+\w+)[ \t]+(?:secret|password)|username[ \t]+\S+[ \t]+(?:privilege[ \t]+\d+[ \t]+)?(?:password|secret))[ \t]+(?:\d[ \t]+)?([^\s\"'`]{4,})|(?i:{start}(?:olc)?(?:bindpw|rootpw):?[ \t]+(?:--\w+[ \t]+)?{value}|\b(?:snmp-server[ \t]+community|auth_pass)[ \t]+([^\s]{4,})))
password            given            (?i)(?:(?:tacacs|radius)[\w-]*(?:[ \t]+(?:host|server))?(?:[ \t]+[\w.-]{1,40})?(?:\r?\n(?:[ ][^\n]{1,80}\n)?)?[ \t]+key|isakmp[ \t]+key|key-string|message-digest-key[ \t]+\d+|(?:standby|vrrp)[ \t]+\d+[ \t]+authentication|authentication-key[ \t]+\d+|pre-shared-(?:key(?:[ \t]+ascii-text)?(?:[ \t]+address[ \t]+\S+(?:[ \t]+[\d.]+)?[ \t]+key)?|secret)|\bset[ \t]+(?:\w+[ \t]+)?[\w-]{0,20}(?:secret|passwd|pwd|psk|passphrase)|ipsec[ \t]+secret|auth-pass[ \t]+\S+|authtok[ \t]*=|(?:snmp[\w -]{0,12}|ro|rw)community6?|com2sec[ \t]+\S+[ \t]+\S+|snmp-server[ \t]+host[ \t]+\S+(?:[ \t]+version)?|wpa-psk|nickserv:?[ \t]+register|nickserv:?[ \t]+identify(?:[ \t]+[\w-]{2,30})?|authserver[ \t]+key|auth[ \t]+default|createuser[ \t]+\S+[ \t]+\w+|\b(?:AES|DES)\w*|monitor[ \t]+\S+@\S+[ \t]+\d+[ \t]+\S+|setcookie|hidservauth[ \t]+\S+|user[ \t]+\S+[ \t]+on|setuser\"?[ \t]+\S+[ \t]+\"?on\"?|sqlconnectinfo[ \t]+\S+[ \t]+\S+|database[ \t]+put[ \t]+\S+[ \t]+\w*(?:secret|pass\w*)|user(?:name)?[ \t]+\S+[ \t]+pass(?:word)?)[ \t]+(?:(?:\d|md5|sha\w*|2c|text|ascii|ascii-text|local|remote|plain\S*|ENC)[ \t]+){0,2}[\"'>]{0,2}([^\s\"'`|<>;(\[][^\s\"'`|<>;]{6,63})
password            odd              (?i)(?:auth|login|users?|creds?|credential)\w{0,12}[\"']?[ \t]?[=: ][ \t]?[\"'\[]?[a-z][\w.@-]{1,30}:([^\s\"'`:/<>|,;\]]{8,64})
secret              far_token        (?i)(?:(?:jeton|api[- ]?(?:ключ|schl\x{fc}ssel|sleutel|nyckeln?|n\x{f8}g?gl?en?|n\x{f8}kkelen|avain|kl\x{ed}\x{10d}|klucz|anahtar\x{131}|キー|키|\x{5bc6}(?:\x{94a5}|\x{9470}))|(?:cl\x{e9}|clave|chiave|chave|cheie|ключ|klucz|kl\x{ed}\x{10d})[ ](?:d'|de[ ]|della[ ])?(?:api|secr\S{1,6}|segreta|{vendor})|\x{5bc6}(?:\x{94a5}|\x{9470})|秘密鍵|токен|トークン|令牌|토큰)(?:{link}|[ ](?:הוא|l\x{e0}|to|on|er)[ ]|は|는|은){opened}([\w+/=.~-]{12,200})|(?:(?:chave|clave|chiave|cl\x{e9})[ ]d(?:a|e|ella|el|')[ ]?api|geheimnis(?:se)?{of}|jeton[ ]d['\x{2019}]\S{1,16}|(?:sleutel|schl\x{fc}ssel|nyckeln?|klucz)[ ](?:voor|f\x{fc}r|till|do)[ ](?:\w{2,3}[ ])?api)(?:{link}|[ ]\x{e9}[ ]){opened}([\w+/=.~-]{12,200}))
password            assigned         (?i)\"value\"\s*:\s*\"([^\"\n]{2,})\"\s*,\s*{gutter}(?:\"\w{1,20}\"\s*:\s*[^,{}\n]{1,60},\s*{gutter})?\"(?:name|key)\"\s*:\s*\"[^\"\n]{0,60}(?:{pass}|{secret}|_key)
password            odd              (?:^|[\s\"'`=(])[A-Za-z][\w.-]{1,40}:([^\s\"'`/@:]{8,64})@(?:[\w.-]+:\d{2,5}|localhost|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})\b
password            given            [\"'][\w.+-]+@[\w-]+\.[\w.]+\\*[\"'],\s?b?\\*[\"']([^\s\"'\n\\]{6,64})\\*[\"']
@ psk[ \t=:]|pre-shared-key=|option[ \t]+key[ \t]|wifi:[a-z]:|key content|schl\x{fc}sselinhalt|\bkey[ \t]+s:|wireless[\w.@\[\]-]*key|key found!|:[ ](?:eap|xauth|rsa|plain)[ \t]|l2tpd|pptpd|[ ]\*[ ]+[!-~]{0,65}\w[!-~]{0,65}[ ]+\*|socks[45][ \t]+[\w.-]+[ \t]+\d|http[ \t]+\d+\.\d+\.|(?:user|\bssh)[ ][\w.@-]{1,40}[ ]\([!-~]{8}|seed[^\n]{0,12}[0-9a-f]{32}|input[ ]+(?:password|text)[ ]{2}|(?:type|fill)[ ]\w+[ ]{2}|\$\{\w*(?:pass|pwd|secret|token)\w*\}=?[ ]{2}|\bl?ftp\b[^\n]*(?:<<|\n)|(?:authorization|-key|-token):\\+[ ]
password            argument         (?:(?:WIFI:[^\n]{0,80}?P:|\bkey[ \t]+s:|wireless[\w.@\[\]-]{0,40}key=|KEY FOUND![ ]\\?\[[ ]?|(?:Key Content|Schl\x{fc}sselinhalt)[ \t]*:[ \t]*)[\"']?((?:\\[;,:]|[^;\s\"'\\])+)|(?i:(?:^|[^A-Za-z0-9])(?:psk|pre-shared-key)[ \t]*[=:][ \t]*{value}))
password            odd              (?:(?i::[ \t]*(?:psk|eap|xauth|rsa|plain)[ \t]+\"([^\s\"]{8,64})\")|{start}[\w.@*\"'-]{1,40}[ \t]+[\"']?(?:\*|l2tpd|pptpd)[\"']?[ \t]+[\"']?([^\s\"'`|<>*]{8,64})[\"']?[ \t]+(?:\*|\d+\.\d+\.\d+\.\d+)[ \t]*(?:[\r\n]|$))
password            word_too         (?:{start}(?:socks[45]|https?)[ \t]+[\w.-]+[ \t]+\d{2,5}[ \t]+\S+[ \t]+([^\s\"'`|<>]{4,64})|(?i:(?:^|[^A-Za-z0-9])(?:psk|pre-shared-key)[ \t]+{value}))
password            quoted_mixed     \boption[ \t]+key[ \t]+'([^'\n]{8,63})'
password            odd              (?i)(?:(?:created|added)[ ](?:super)?user|\bssh)[ ][\w.@-]{1,40}[ ]\(([^\s()]{8,64})\)
secret              password         (?i)seed(?:{link}|\\*[\"'][ ]value=\\*[\"'])((?:0x)?[0-9a-f]{32,128})\b
password            argument         (?:(?i:(?:(?:input[ ](?:password|text)|(?:type|fill)[ ]\w{1,12})[ ]{2,}[^\s]{0,40}pass[^\s]{0,20}[ ]{2,}([^\s]{4,64})|\$\{\w{0,20}(?:pass|pwd|secret|token)\w{0,20}\}=?[ ]{2,}([^\s$]{4,64})))|{b}l?s?ftp\b[^\n]{0,80}(?:\n{gutter}[^\n]{0,60})?(?:\n{gutter}|[\"' ])(?:user|quote[ \t]+pass|login)[ \t]+(?:[\w.@-]{1,40}[ \t]+)?[\"']?([^\s\"']{4,64})[\"']?[ \t]*(?:[\r\n\"'`]|\\n|$))
api-key-header      header           (?i)(?:authorization|-key|-token):\\[ ](?:\w+\\[ ])?([^\s\"'\\]{8,200})
@ \blaravel_session=|phpsessid=|jsessionid=|sessionid=|\bli_at=|connect\.sid=|xsrf-token=|\bct0=|remember_\w+=|(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\+t)\d+(?:\t|\\+t)|\"(?:name|key)\\*\"[^\n]{0,4}\"[^\n\"]*(?:session|sid|auth|token|cookie)|(?:hooks?|with/key)/[!-~]{16}|rtmps?://[^\s/]*/[!-~]{16}|[?&](?:magic|invite|reset|verify|ticket|otp|one_?time|login)=[\w-]{16}|(?:AKIA|ASIA)[A-Z0-9]{8}|(?:^|[ \"'=])[\w.]{1,30}/[^\s/:]{8,64}@(?:[a-z][\w.-]*(?:[\s\"':]|$)|//)
session-cookie      token            (?:(?:^|[\s;:\"'`|>+\x{2192}\x{2502}-])(?:laravel_session|XSRF-TOKEN|PHPSESSID|JSESSIONID|ASP\.NET_SessionId|sessionid|li_at|connect\.sid|ct0|remember_\w+)=([^\s;\"'`,&<>]{16,})|(?:\t(?:TRUE|FALSE)\t\d+\t[\w.-]{1,80}\t([^\s]{12,})|(?i:\"name\"\s*:\s*\"[\w.-]*(?:session|sid|auth|token|cookie)[\w.-]*\"\s*,\s*\"value\"\s*:\s*\"([^\"\n]{12,})\")))
webhook-url         far_token        (?i)(?:https?://[^\s\"'`]{1,80}(?:hooks?|with/key)/(?:[\w@.-]{1,60}/){0,2}|rtmps?://[^\s\"'`/]{1,80}/(?:[\w.-]{1,40}/){1,3})([\w-]{16,200})
url-token           url_token        (?i)[?&](?:magic|invite|reset|verify|ticket|otp|one_?time|login)(?:_?(?:link|token|code))?=([\w.~-]{16,200})
aws-secret-key      token            (?:AKIA|ASIA)[A-Z0-9]{16}(?:[ \t|,]+\d{4}-\d\d-\d\dT[\d:.+Z-]+[ \t|,]+|[\"']?(?:(?:[,;:\s|/]|and|secret|key){1,24}|\s*\n{gutter})[\"']?)([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)
password            far_password     (?:^|[\s\"'`=])[\w.]{1,30}/([^\s\"'`/:]{8,64})@(?://)?[a-z][\w.-]*(?:[\s\"'`:/]|$)
@ (?:connect\w*|bind(?:_s)?|auth|basic|login|sign_?in|credentials?(?:\.new)?|sequelize|password(?:token|authentication|credentials?)?|createasync)(?:\\?\(|[ ]=[ ]\(|[ ]\\*[\"'])[^\n]*,[ ]?(?:some\()?b?\\*[\"'][!-~]{6}
password            login            (?i)(?:connect\w*|bind(?:_s)?|auth|basic|login|sign_?in|credentials?(?:\.new)?|sequelize|password(?:token|authentication|credentials?)?|createasync)(?:[ ]=[ ])?(?:\(|[ ])\s?(?:[^,()\n]{0,80},\s?){N}(?:Some\()?b?\\*[\"']([^\s\"'\n\\]{6,64})\\*[\"']
@ \"kind\\*\"[^\n]{0,6}\"Secret|\bkind:[ ]*Secret|SecureString|\"jwt\w*\\*\"[^\n]{0,6}\{|\|[ \t]*(?:openssl[ \t]+)?(?:base64|dgst|md5|sha\d)|base64[ \t]+-\S+[ ]?<<<|(?:atob|b64decode)\(|(?:^|[ \t|>\x{2192}+-])\"[\w.@-]{2,40}\"[ \t]+\"[ -~]{8,64}\"[ \t]*\r?(?:\n|$)|==?[ ]?[\"'][^\"'\n]{1,40}[\"'][ ]?(?:&&|and)[ ]?\w+[ ]?==|,[ ]?p\w*[\])][ ]?==
password            argument         SecureString[ \t]*[|\x{2502}\t][ \t]*([^\s|\x{2502}]{4,})
registry-auth       encoded          \"kind\"\s*:\s*\"Secret\"[^{}]{0,300}\"data\"\s*:\s*\{[^{}]{0,1000}?\"[\w.-]+\"\s*:\s*\"([A-Za-z0-9+/]{8,}={0,2})\"
secret              token            \"Type\"\s*:\s*\"SecureString\"[^{}]{0,200}?\"Value\"\s*:\s*\"([^\"\n]{4,})\"|(?i:\"jwt\w{0,12}\"\s*:\s*\{[^{}]{0,300}?\"(?:signing)?key\"\s*:\s*\"([^\"\n]{8,})\")
password            wrapped          (?:\b(?:echo|printf)[ \t]+(?:-n[ \t]+|[\"']?%s(?:\\+n)?[\"']?[ \t]+)?|base64[ \t]+-\S+[ ]?<<<[ ]?|\b(?:atob|b64decode)\(b?)[\"']?([A-Za-z0-9+/]{8,88}={0,2})[\"']?(?:[ \t]*\||[\s)]|$)
password            told             \b(?:echo|printf)[ \t]+(?:-\w+[ \t]+|[\"']?%s(?:\\+n)?[\"']?[ \t]+)?[\"']?(?:[\w.@+-]{1,40}:)?([^\s\"'|:]{4,64})[\"']?[ \t]*\|[ \t]*(?:openssl[ \t]+)?(?:base64(?:[ \t]+-[bw]|[ \t]*(?:[^\s-]|\r?\n|$))|dgst|md5|sha\d)
password            told             (?:{start}|://\S+[ \t]+)\"[\w.@-]{2,40}\"[ \t]+\"((?:[^\"\s\\]|\\[!-~]){8,64}|[a-z]{3,10}(?:[ ][a-z]{3,10}){3})\"[ \t]*\r?(?:\n|$)
password            given            (?i)[\[(]\w+,\s?p\w*[\])]\s?===?\s?[\[(]\\*[\"'][^\"'\n\\]{1,40}\\*[\"'],\s?\\*[\"']([^\s\"'\n\\]{6,64})\\*[\"']
password            quoted_mixed     (?i)\bu\w{0,11}\s?===?\s?[\"'][^\"'\n]{1,40}[\"']\s?(?:&&|and)\s?\w{1,12}\s?===?\s?[\"']([^\s\"'\n]{6,64})[\"']
@ identified(?:\s|%20)|<key><!\[cdata\[|(?:name|key|id)>[^<\n]*(?:pass|secret|token|_key|\.key)[^<\n]*</|(?:keypair|solana|(?:secret|private|network|encryption|aes)_?key|id\.json)[^\n]{0,40}\[[ ]?\d|(?:privateexponent|prime[12]|exponent[12]|coefficient|\bpriv):[ \t]*\r?$
password            password         (?i)\bIDENTIFIED\s+(?:WITH\s+[\w\"'`]{1,40}\s+)?(?:BY|AS)\s+(?:PASSWORD\s+)?(?:{double}|{single})
password            argument         (?:\bIDENTIFIED BY|(?i:\b(?:user|role|to)[ ][\w\"$]{1,40}[ ]identified[ ]by))[ ]{bare}
password            argument         \bIDENTIFIED BY \S{1,64} REPLACE {bare}
password            unquoted         (?i)(?:<[\w:.-]{0,20}(?:name|key|id)>[^<\n]{0,60}(?:{pass}|\bpass|{secret})[^<\n]{0,20}</[\w:.-]+>(?:[\s\d>|+\x{2192}-]{0,24}|\s*\n{gutter})<[\w:.-]{0,20}(?:value|string|default)[\w:.-]{0,20}>([^<\n]{2,})<|<key><!\[CDATA\[([^\s<>\]]{16,})\]\]>)
wallet-key          bytes            \[((?:\s?\d{1,3},){15,63}\s?\d{1,3})\]
private-key         password         (?:privateExponent|prime[12]|exponent[12]|coefficient|\bpriv):[ \t]*\r?\n((?:[ \t>|+\d\x{2192}-]*(?:[0-9a-f]{2}:){3,31}[ \t]*\r?\n)*[ \t>|+\d\x{2192}-]*(?:[0-9a-f]{2}:){3,31}(?:[0-9a-f]{2})?)
@ <master>\{|\{(?:plain|cleartext)|\{\s?get;[^\n]*\}\s?=|@(?:tcp|unix)?\([\w.-]*:|qpdf[ \t]+--encrypt|snmp\w+[ \t]|authtoken|cohere|:\d{2,5}:[\w*-]+:[\w*-]+:|[\"']-p[^\n\"']+[\"']|redis-cli\\*[\"'][^\n]*-a\\*[\"']
password            argument         (?:(?i:(?:\{(?:PLAIN|CLEARTEXT)[\w-]{0,10}\}([^\s:\"'`<]{4,64})|<master>\{([\w+/=]{20,})\}<))|{b}qpdf[ \t]+--encrypt[ \t]+\S+[ \t]+{value}|(?i:[\"'](?:[\w/]*/)?(?:mysql\w*|mariadb[\w-]*|sshpass|7z|redis-cli)[\"'][^\n\]]{0,200}?[\"']-[pa](?:[\"'],\s?[\"'])?([^\"'\s,]{2,})[\"']))
password            quoted_mixed     (?i)(?:{pass}|{secret})\w{0,12}\s?\{\s?get;[^}\n]{0,40}\}\s?=\s?"([^"\n]{6,})"
connection-password password         [\w.-]{1,60}:([^\s\"'`]+)@(?:tcp|unix)?\(
password            unlisted_token   \bsnmp\w+\b[^\n|;&]{0,200}?[ \t]-c[ \t]*([^\s\"'`|;&]{6,64})(?:\s|$)
secret              token            (?i)\b(?:authtoken[\"']?[ \t:=]{1,4}[\"']?([\w-]{12,})|cohere\.(?:Async)?Client(?:V2)?\([\"']([A-Za-z0-9]{32,60})[\"'])
password            unquoted         \.[\w-]{1,40}:\d{2,5}:[\w*-]{1,60}:[\w*-]{1,60}:([^\s:]{2,})
@ (?:wpa\d?|wi-?fi|wlan)(?:[ -]?(?:netzwerk|network[ ]?)?(?:key|psk|schl\x{fc}ssel)|[^\n]{1,60}[ ]key[ ]is[ ])|(?:2fa|mfa|one-time|otp)[ ](?:backup[ ])?codes?|recovery[ _-]?key|(?:otp|authenticator|2fa|mfa)\b[^\n\d]{0,24}\d{3}|(?:admin|sim|door|alarm)_?pin\b|[ ,;]puk\b|debugger[ ]pin|\b(?:my|the)[ ]\d\d[ ]words|(?:key|pepper|secret|salt)\w*[ ]?:?[=:][ ]?[\w. ]{4,40}\(|cipheriv\(|-encrypt[ =][\w+/]{20}|(?:encrypt|gossip_?key)[ ]?[=:][ ]?\\*[\"'][\w+/=]{20}|\"salt|'salt|user_\w+[ ]?=[ ]?[\"'][!-~]{8}|wep_key\d|(?:schl\x{fc}ssel|key)(?:[ ]\([\w/+ -]+\))?[ ]*:[ ]*\d{8}|clear-?text(?:[ ]|=\\*\")|\bssid[^\n]*,[ ]key[ ]|:\d{1,6}:\d{1,6}:[^:\n]*:/|^[\w.-]{2,32}:[^:\s/]{8,64}:\d{1,2}[ \t]*\r?$|^[ \t>|+\d\x{2192}-]*[\w-]+\.[\w.-]+:[\w.@-]{2,40}:[^:\s/]{8,64}\r?$|://[^\s]+[ \t]+[\w.@-]{2,40}[ \t]+[!-~]{8,64}[\"']?[ \t]*(?:\r?$|>)
password            odd              (?i)(?:wpa\d?|wi-?fi|wlan)(?:[ -]?(?:netzwerk|network[ ]?)?(?:key|psk|schl\x{fc}ssel){sign}|[^\n]{1,60}[ ]key[ ]is[ ]){opened}([^\s\"'`<>|]{8,64})
recovery-code       password         (?i)(?:(?:\brecovery[ _-]?key:[ \t]+((?:[a-z0-9]{4}[ ]){5,15}[a-z0-9]{4})\b|\b(?:otp|totp|authenticator|2fa|mfa)\b[^\n\d=]{0,24}[ ,:](\d{3}[ ]?\d{3})(?:[^\w.]|$)|(?:admin|sim|door|alarm)_?pin\b[\"']?\s?:?[:=]\s?[\"']?(\d{4,8})\b|\bpin[ ]?\d?:?[ ]?(\d{4,8})[ ,;]+puk\b|\bdebugger[ ]pin:[ ](\d{3}-\d{3}-\d{3})\b)|(?:2fa|mfa|one-time|otp)[ ](?:backup[ ])?codes?[^\n\w]{1,6}(?:is[ ])?(\d{4}[- ]?\d{4}(?:,?[ ]\d{4}[- ]?\d{4}){0,12}|\d{6,9})\b)
secret              token            (?i)(?:(?:(?:\b|_)(?:key|pepper|secret|salt)\w{0,12}\s?:?[=:]\s?|\bcreate(?:de)?cipheriv\([^()\n]{1,40},\s?)(?:await\s|new\s)?[\w.]{0,40}(?:from|fromhex|unhexlify|decode\w*|hexstring|tobytes|encode|getbytes)\(\s?b?\\*[\"']([\w+/=-]{16,})\\*[\"']|(?:[ ]-encrypt[ =][\"']?([\w+/]{20,43}={0,2})|\b(?:encrypt|gossip_?key)[\"']?\s?[:=]\s?[\"']([\w+/]{20,43}={0,2})[\"']|[\"']salt[\"']\s?(?:=>|:)\s?[\"']([^\s\"']{16,128})[\"']))
password            argument         (?i)(?:\bwep_key\d\s?=\s?{value}|\bssid[^\n]{1,40},[ ]key[ ]{value}|(?:netzwerk|wlan-|wi-?fi[ -])(?:schl\x{fc}ssel|key)(?:[ ]\([\w/+ -]{2,20}\))?[ \t]*:[ \t]*(\d{8,63})\b)
password            word_too         (?i)\bclear-?text(?:[ ]{1,4}|=)\"([^\s\"]{4,64})\"
password            odd              {start}[a-z_][\w.-]{1,31}:([^:\s*!$/][^:\s/]{3,63}):\d{1,6}:\d{1,6}:[^:\n]{0,60}:/
password            far_password     {start}(?:[a-z_][\w.-]{1,31}:([^:\s*!$/][^:\s/]{7,63}):\d{1,2}|[\w-]+(?:\.[\w-]+){1,4}:[\w.@-]{2,40}:([^:\s/]{8,64}))[ \t]*(?:\r?\n|$)
password            login            (?i)https?://[^\s\"']{4,200}[ \t]+[\w.@-]{2,40}[ \t]+([^\s\"'`<>]{8,64})[\"']?[ \t]*(?:\r?\n|$|>)
@ \d[ ]=>[ ]\d{3,10},|secret[_ ]?id(?:[\"']?[ ]{0,8}[:=]|[ \t]{2,}[0-9a-f])|_creds?=[\"']?\w+[ ]|\{tab\}|[:=][ ]?[!-~]{6,64},[ ]?(?:admin|user|role|manager|guest|operator|read|write)
password            password         {start}\d{2,6}[ ]=>[ ](\d{3,10}),[A-Za-z]
secret              password         (?i)\bsecret[_ ]?id(?:[\"']?\s{0,8}[:=]\s{0,16}|[ \t]{2,40})[\"']?([0-9a-f]{8}-[0-9a-f-]{27})\b
password            odd              (?:_CREDS?=[\"']?[\w.@-]{1,40}[ ]([^\s\"']{8,64})|(?i:\{tab\}([^\s\"'{}]{8,64})\{enter\}))
password            far_password     {start}[\w.-]{2,40}[:=][ ]?([^\s,]{8,64}),[ ]?(?:admin|user|role|manager|guest|operator|read|write)
"""
