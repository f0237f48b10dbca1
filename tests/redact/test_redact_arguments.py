"""Passwords and tokens among the arguments of commands."""

from __future__ import annotations

import pytest

from redact.making import password, shown, spoken, token

TAKEN = [
    "mosquitto_pub -h broker -p 1883 -u u -P {} -t x",
    "redis-cli -h cache -p 6380 -a {}",
    "evil-winrm -i db1 -u a -H {}\nKC_PASSWORD: ${KC:-{}}\nACL SETUSER a on '>{}'",
    "gpg 'preset_passphrase x -1 {}'; nxc smb db1 -H {}",
    "dbtool -u ada -p {}",
    "dbtool --user ada -P '{}' --all",
    "mailtool -au ada -ap {}",
    "run `registry auth login -u ada -p {} r.example.org` please",
    "pdftool -upw {} in.pdf",
    "unpack x -p{} a.rar",
    "zipcrypt -P{} a.zip",
    "dgst -sha256 -hmac {} body.json",
    "vaulter unlock --raw {}",
    "vaulter login ada@example.org {}",
    "brokerctl authenticate_user ada {}",
    "console app:create-user ada {} --admin",
    "rake admin:create[ada,{}]",
    "bench -A ada:{} -n 10 https://x.example/",
    "shell ada:{}@db.example.org",
    "psexec ACME/ada:'{}'@10.0.0.7",
    "echo -n 'ada:{}' | base64",
    "smbpasswd -a ada <<< $'x\\n{}'",
    "store unlock vault <<< {}",
    "ftp -n host <<EOF\nuser ada {}\nls\nEOF",
    "sed -i 's/PLACEHOLDER/{}/' app.conf",
    "kubectl create secret generic api --from-literal=key='{}'",
    "qpdf --encrypt x1y2z3w4 {} 256 -- a b",
    "rclone obscure {}",
    "op signin --raw <<< '{}'",
    "composer config http-basic.repo.example.org ada {}",
    "sed -i 's/password: .*/password: {}/' x.yml",
    "kubeseal --raw --from-file=<(echo -n '{}')",
    "pdbedit -a ada -t <<< {}",
    "keepassxc-cli open a.kdbx <<< '{}'",
    "echo '{}' | keepassxc-cli show -s a.kdbx x",
    "echo {} | p4 login",
    "gotty -c ada:{} bash",
    "ejabberdctl register ada x.example {}",
    "filebrowser users add ada {}",
    "doveadm auth test ada@x.example {}",
    "exp system/{} file=a.dmp",
    "security import c.p12 -k login -P {}",
    "knife bootstrap 10.0.0.4 -x root -P {}",
    "./install.sh -P {} -u admin",
    "node scripts/create-user.js ada '{}'",
    "uci set wireless.@wifi-iface[0].key='{}'",
    "sshfs#root@h:/ /mnt fuse ssh_command=sshpass\\040-p\\040{}\\040ssh 0 0",
    " ip nhrp authentication {}\n",
    " standby 1 authentication md5 key-string {}\n",
    " ip ospf message-digest-key 1 md5 {}\n",
    "ada\tl2tpd\t{}\t10.0.0.5",
    "d-i passwd/root-password password {}",
    "a.md:2:user root\na.md:3:pass {}\n",
    "KEY FOUND! [ {} ]",
    "<keyMaterial>{}</keyMaterial>",
    'password: await hash("{}", 10)',
    ">>> settings.DATABASES['default']['PASSWORD']\n'{}'",
    "$ gopass show x\nSecret: x\n\n{}\nuser: ada",
    "$ gpp-decrypt x\n{}",
]
TOKENS = [
    "JWT_SIGNING={}\nOSF_PAT    {}\nsession_key|{}\n<key><![CDATA[{}]]></key>",
    "cloudctl auth init -t {}",
    "llm keys set openai --value {}",
    "fly secrets set A=1 STRIPE={}",
    "gh secret set NAME < <(echo {})",
    "curl -H authorization:\\ Token\\ {} https://x.example/",
    "cloud context create x <<< {}",
]
HARMLESS = [
    "DEBUG: password=*** token=***",
    "git add -p src/redact2.py && mkdir -p build/v2x/out1",
    "docker run -p 8080:80 -u 1000:1000 app:v2",
    "unzip -p archive1.zip a2b.txt",
    "ssh -p 2222 ada@host1 && nmap -p T:21-25,U:53 host9",
    "kubectl exec -it user-service-6f5b9d7c88-abcde -- sh",
    "cargo test -p everyleaf2 -k auth",
    "pytest -p xdist2 login; mvn -Pprofile2 deploy -pl auth",
    "psql -h db1 -U u -w -c 'select 1'",
    "redis-cli -n 2 get user:2:key3",
    "npm run login2 -- -w packages/a1b",
    "aws ecr get-login-password --region eu-west-1",
    "tool -u $DB_USER -p $DB_PASS1; tool -u ${DB_USER} -p ${DB_PASS1}",
    "tool -u %USER% -p %PASS1% --token {{ token }} -p <password>",
    "`--password TEXT`  Password of the account; `--token TOKEN2`",
    "<code>kubectl create secret generic db --from-literal=password=$PW</code>",
    "db_password = &lt;sensitive&gt;",
    "master password: forgotten",
    "admin password: (unchanged)",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-a1B2c3",
    'login(username="testuser", password="password123")',
    "I want to configure password requirements, authenticate_basic_token and more",
    "npm i npm:string-width-cjs2@^4.2.0; mailto:bob1987@example.com",
]


@pytest.mark.parametrize("said", TAKEN)
def test_a_command_hides_the_password_that_it_gets(said, detector):
    for value in (password(), f"{spoken()}{spoken()}4821"):
        assert value not in shown(detector, said.replace("{}", value))


@pytest.mark.parametrize("said", TOKENS)
def test_a_command_hides_the_token_that_it_gets(said, detector):
    value = token()

    assert value not in shown(detector, said.replace("{}", value))


@pytest.mark.parametrize("said", HARMLESS)
def test_other_arguments_stay(said, detector):
    assert shown(detector, said) == said


def test_a_line_behind_a_password_stays(detector):
    said = f'"HOME=/root\\nDB_PASSWORD={password()}\\nPATH=/usr/bin\\nA=1"'

    assert "PATH=/usr/bin" in shown(detector, said)
