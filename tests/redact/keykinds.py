"""The kinds of key that the planted-secret suite hides in archives.

Taken from what the providers write of their keys (prefix, characters, length), before any
rule of everyleaf was written. A key is made when a test runs, of random characters, so that
the repository holds none. `{key}` in `around` is where it stands: a kind without a prefix
can only be known by what stands beside it, and is planted as people meet it.
"""

from __future__ import annotations

import base64
import json
import string
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOWER = string.ascii_lowercase + string.digits
ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "_-"
B64 = ALNUM + "+/"
HEX = string.digits + "abcdef"
UPPER = string.ascii_uppercase + string.digits
BASE32 = string.ascii_uppercase + "234567"


@dataclass(frozen=True, slots=True)
class KeyKind:
    """One kind of key."""

    name: str
    make: Callable[[Random], str]
    around: str = "{key}"
    """What it stands in, where the key alone says nothing."""
    source: str = ""
    """Whose documentation describes the form."""


def _of(random: Random, characters: str, length: int) -> str:
    return "".join(random.choice(characters) for _ in range(length))


def _form(*parts: str | tuple[str, int]) -> Callable[[Random], str]:
    """Return a maker: texts stay, (characters, length) become random characters."""

    def make(random: Random) -> str:
        return "".join(p if isinstance(p, str) else _of(random, *p) for p in parts)

    return make


def _jwt(random: Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head = part({"alg": "HS256", "typ": "JWT"})
    body = part({"sub": _of(random, string.digits, 12), "name": _of(random, LOWER, 12)})
    return f"{head}.{body}.{_of(random, WORD, 43)}"


def _pem(label: str) -> Callable[[Random], str]:
    def make(random: Random) -> str:
        lines = [_of(random, B64, 64) for _ in range(12)] + [_of(random, B64, 30) + "=="]
        body = "\n".join(lines)
        return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----"

    return make


def _uuid(random: Random) -> str:
    return "-".join(_of(random, HEX, size) for size in (8, 4, 4, 4, 12))


KINDS: tuple[KeyKind, ...] = (
    KeyKind("anthropic-api", _form("sk-ant-api03-", (WORD, 93), "AA"), source="Anthropic"),
    KeyKind(
        "anthropic-admin", _form("sk-ant-admin01-", (WORD, 93), "AA"), source="Anthropic"
    ),
    KeyKind(
        "anthropic-oauth", _form("sk-ant-oat01-", (WORD, 93), "AA"), source="Anthropic"
    ),
    KeyKind(
        "openai-legacy", _form("sk-", (ALNUM, 20), "T3BlbkFJ", (ALNUM, 20)), source="OpenAI"
    ),
    KeyKind(
        "openai-project",
        _form("sk-proj-", (WORD, 74), "T3BlbkFJ", (WORD, 74)),
        source="OpenAI",
    ),
    KeyKind("adafruit", _form("aio_", (ALNUM, 28)), source="Adafruit"),
    KeyKind(
        "amazon-mws",
        _form(
            "amzn.mws.",
            (HEX, 8),
            "-",
            (HEX, 4),
            "-",
            (HEX, 4),
            "-",
            (HEX, 4),
            "-",
            (HEX, 12),
        ),
        source="Amazon",
    ),
    KeyKind("azure-devops", _form((ALNUM, 76), "AZDO", (ALNUM, 4)), source="Microsoft"),
    KeyKind("dropbox", _form("sl.", (WORD, 136)), source="Dropbox"),
    KeyKind("okta", _form("SSWS 00", (WORD, 40)), source="Okta"),
    KeyKind("huggingface", _form("hf_", (string.ascii_letters, 34)), source="Hugging Face"),
    KeyKind("replicate", _form("r8_", (ALNUM, 37)), source="Replicate"),
    KeyKind("groq", _form("gsk_", (ALNUM, 52)), source="Groq"),
    KeyKind("perplexity", _form("pplx-", (ALNUM, 48)), source="Perplexity"),
    KeyKind("openrouter", _form("sk-or-v1-", (HEX, 64)), source="OpenRouter"),
    KeyKind("xai", _form("xai-", (ALNUM, 80)), source="xAI"),
    KeyKind("langsmith", _form("lsv2_pt_", (HEX, 32), "_", (HEX, 10)), source="LangChain"),
    KeyKind("github-pat", _form("ghp_", (ALNUM, 36)), source="GitHub"),
    KeyKind("github-oauth", _form("gho_", (ALNUM, 36)), source="GitHub"),
    KeyKind("github-user", _form("ghu_", (ALNUM, 36)), source="GitHub"),
    KeyKind("github-server", _form("ghs_", (ALNUM, 36)), source="GitHub"),
    KeyKind("github-refresh", _form("ghr_", (ALNUM, 36)), source="GitHub"),
    KeyKind(
        "github-fine-grained",
        _form("github_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
        source="GitHub",
    ),
    KeyKind("gitlab-pat", _form("glpat-", (WORD, 20)), source="GitLab"),
    KeyKind("gitlab-deploy", _form("gldt-", (WORD, 20)), source="GitLab"),
    KeyKind("gitlab-trigger", _form("glptt-", (HEX, 40)), source="GitLab"),
    KeyKind("gitlab-runner", _form("glrt-", (WORD, 20)), source="GitLab"),
    KeyKind("aws-access-key-id", _form("AKIA", (BASE32, 16)), source="AWS"),
    KeyKind("aws-session-key-id", _form("ASIA", (BASE32, 16)), source="AWS"),
    KeyKind(
        "aws-secret-access-key",
        _form((B64, 40)),
        around="aws_secret_access_key = {key}",
        source="AWS",
    ),
    KeyKind("google-api", _form("AIza", (WORD, 35)), source="Google Cloud"),
    KeyKind("google-oauth-secret", _form("GOCSPX-", (WORD, 28)), source="Google Cloud"),
    KeyKind(
        "google-oauth-access",
        _form("ya29.a0", (WORD, 120)),
        around="access_token: {key}",
        source="Google Cloud",
    ),
    KeyKind(
        "azure-storage",
        _form((B64, 86), "=="),
        around="DefaultEndpointsProtocol=https;AccountName=abc;AccountKey={key}",
        source="Microsoft",
    ),
    KeyKind(
        "azure-client-secret",
        _form((ALNUM, 3), "8Q~", (ALNUM, 34)),
        around='AZURE_CLIENT_SECRET="{key}"',
        source="Microsoft",
    ),
    KeyKind(
        "slack-bot",
        _form("xoxb-", (string.digits, 12), "-", (string.digits, 12), "-", (ALNUM, 24)),
        source="Slack",
    ),
    KeyKind(
        "slack-user",
        _form(
            "xoxp-",
            (string.digits, 12),
            "-",
            (string.digits, 12),
            "-",
            (string.digits, 12),
            "-",
            (HEX, 32),
        ),
        source="Slack",
    ),
    KeyKind(
        "slack-app",
        _form("xapp-1-A", (UPPER, 10), "-", (string.digits, 13), "-", (HEX, 64)),
        source="Slack",
    ),
    KeyKind(
        "slack-webhook",
        _form(
            "https://hooks.slack.com/services/T",
            (UPPER, 10),
            "/B",
            (UPPER, 10),
            "/",
            (ALNUM, 24),
        ),
        source="Slack",
    ),
    KeyKind(
        "discord-webhook",
        _form("https://discord.com/api/webhooks/1", (string.digits, 17), "/", (WORD, 68)),
        source="Discord",
    ),
    KeyKind(
        "telegram-bot",
        _form("1", (string.digits, 9), ":AA", (WORD, 33)),
        around="telegram_bot_token = {key}",
        source="Telegram",
    ),
    KeyKind("calcom", _form("cal_live_", (HEX, 32)), source="memory, but for the prefix"),
    KeyKind("confluent", _form("cflt", (B64, 60)), source="Confluent"),
    KeyKind(
        "make-webhook",
        _form("https://hook.eu1.make.com/", (LOWER, 31)),
        source="memory",
    ),
    KeyKind("stripe-live", _form("sk_live_", (ALNUM, 24)), source="Stripe"),
    KeyKind("stripe-restricted", _form("rk_live_", (ALNUM, 24)), source="Stripe"),
    KeyKind("stripe-webhook", _form("whsec_", (ALNUM, 32)), source="Stripe"),
    KeyKind(
        "square-access",
        _form("EAAA", (WORD, 60)),
        around="square_token={key}",
        source="Square",
    ),
    KeyKind("shopify-access", _form("shpat_", (HEX, 32)), source="Shopify"),
    KeyKind("shopify-secret", _form("shpss_", (HEX, 32)), source="Shopify"),
    KeyKind("twilio-api-key", _form("SK", (HEX, 32)), source="Twilio"),
    KeyKind("sendgrid", _form("SG.", (WORD, 22), ".", (WORD, 43)), source="SendGrid"),
    KeyKind(
        "mailgun",
        _form("key-", (HEX, 32)),
        around="MAILGUN_API_KEY={key}",
        source="Mailgun",
    ),
    KeyKind(
        "mailchimp",
        _form((HEX, 32), "-us12"),
        around="mailchimp_key={key}",
        source="Mailchimp",
    ),
    KeyKind("postmark", _uuid, around="POSTMARK_SERVER_TOKEN={key}", source="Postmark"),
    KeyKind("npm", _form("npm_", (ALNUM, 36)), source="npm"),
    KeyKind("pypi", _form("pypi-AgEIcHlwaS5vcmc", (WORD, 120)), source="PyPI"),
    KeyKind("rubygems", _form("rubygems_", (HEX, 48)), source="RubyGems"),
    KeyKind(
        "crates-io",
        _form("cio", (ALNUM, 32)),
        around="CARGO_REGISTRY_TOKEN={key}",
        source="crates.io",
    ),
    KeyKind("docker-pat", _form("dckr_pat_", (WORD, 27)), source="Docker"),
    KeyKind("digitalocean-pat", _form("dop_v1_", (HEX, 64)), source="DigitalOcean"),
    KeyKind("digitalocean-oauth", _form("doo_v1_", (HEX, 64)), source="DigitalOcean"),
    KeyKind(
        "deepl",
        _form((HEX, 8), *(3 * ("-", (HEX, 4))), "-", (HEX, 12), ":fx"),
        source="DeepL",
    ),
    KeyKind("heroku", _form("HRKU-AA", (WORD, 58)), source="Heroku"),
    KeyKind("flyio", _form("fm2_", (B64, 100)), source="Fly.io"),
    KeyKind("vercel", _form((ALNUM, 24)), around="VERCEL_TOKEN={key}", source="Vercel"),
    KeyKind("netlify", _form("nfp_", (ALNUM, 36)), source="Netlify"),
    KeyKind(
        "cloudflare",
        _form((WORD, 40)),
        around="CLOUDFLARE_API_TOKEN={key}",
        source="Cloudflare",
    ),
    KeyKind("supabase", _form("sbp_", (HEX, 40)), source="Supabase"),
    KeyKind("planetscale", _form("pscale_tkn_", (WORD, 43)), source="PlanetScale"),
    KeyKind("databricks", _form("dapi", (HEX, 32)), source="Databricks"),
    KeyKind("dbt", _form("dbtc_", (WORD, 40)), source="dbt Labs"),
    KeyKind(
        "linkedin", _form("WPL_AP1.", (ALNUM, 16), ".", (ALNUM, 6), "=="), source="LinkedIn"
    ),
    KeyKind("hashicorp-vault", _form("hvs.", (WORD, 95)), source="HashiCorp"),
    KeyKind(
        "terraform-cloud", _form((ALNUM, 14), ".atlasv1.", (ALNUM, 67)), source="HashiCorp"
    ),
    KeyKind("pulumi", _form("pul-", (HEX, 40)), source="Pulumi"),
    KeyKind("doppler", _form("dp.pt.", (ALNUM, 43)), source="Doppler"),
    KeyKind(
        "grafana-service", _form("glsa_", (ALNUM, 32), "_", (HEX, 8)), source="Grafana"
    ),
    KeyKind("newrelic-user", _form("NRAK-", (UPPER, 27)), source="New Relic"),
    KeyKind("datadog", _form((HEX, 32)), around="DD_API_KEY={key}", source="Datadog"),
    KeyKind("sentry-user", _form("sntryu_", (HEX, 64)), source="Sentry"),
    KeyKind("linear", _form("lin_api_", (ALNUM, 40)), source="Linear"),
    KeyKind("notion", _form("ntn_", (string.digits, 11), (ALNUM, 35)), source="Notion"),
    KeyKind("airtable", _form("pat", (ALNUM, 14), ".", (HEX, 64)), source="Airtable"),
    KeyKind("figma", _form("figd_", (WORD, 40)), source="Figma"),
    KeyKind("postman", _form("PMAK-", (HEX, 24), "-", (HEX, 34)), source="Postman"),
    KeyKind("atlassian", _form("ATATT3xFfGF0", (WORD, 180)), source="Atlassian"),
    KeyKind(
        "age-secret",
        _form("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
        source="age",
    ),
    KeyKind("onepassword-service", _form("ops_eyJ", (B64, 250)), source="1Password"),
    KeyKind("jwt", _jwt, source="RFC 7519"),
    KeyKind("private-key-rsa", _pem("RSA PRIVATE KEY"), source="RFC 7468"),
    KeyKind("private-key-openssh", _pem("OPENSSH PRIVATE KEY"), source="OpenSSH"),
    KeyKind("private-key-pkcs8", _pem("PRIVATE KEY"), source="RFC 5958"),
    KeyKind(
        "postgres-password",
        _form((ALNUM, 20)),
        around="postgresql://app:{key}@db.example.org:5432/app",
        source="PostgreSQL (connection URIs)",
    ),
    KeyKind(
        "mongodb-password",
        _form((ALNUM, 18)),
        around="mongodb+srv://root:{key}@cluster0.abcde.mongodb.net/test",
        source="MongoDB (connection strings)",
    ),
    KeyKind(
        "redis-password",
        _form((ALNUM, 24)),
        around="redis://default:{key}@redis.example.org:6379/0",
        source="Redis",
    ),
    KeyKind(
        "bearer-header",
        _form((ALNUM, 40)),
        around="Authorization: Bearer {key}",
        source="RFC 6750",
    ),
    KeyKind(
        "basic-header",
        _form((ALNUM, 38), "=="),
        around="Authorization: Basic {key}",
        source="RFC 7617",
    ),
    KeyKind(
        "session-cookie",
        _form((ALNUM, 32)),
        around="Cookie: theme=dark; sessionid={key}",
        source="RFC 6265",
    ),
    KeyKind(
        "set-cookie",
        _form("s%3A", (ALNUM, 32), ".", (ALNUM, 40)),
        around="Set-Cookie: connect.sid={key}; Path=/; HttpOnly",
        source="RFC 6265",
    ),
    KeyKind(
        "dotenv-secret", _form((ALNUM, 32)), around="SECRET_KEY={key}", source="dotenv"
    ),
    KeyKind(
        "dotenv-password",
        _form((ALNUM, 16)),
        around='DB_PASSWORD="{key}"',
        source="dotenv",
    ),
)


def make_keys(seed: int) -> dict[str, tuple[KeyKind, str]]:
    """Return a key of every kind, by the kind's name; the same `seed`, the same keys."""
    random = Random(seed)  # noqa: S311  (keys that open nothing)
    return {kind.name: (kind, kind.make(random)) for kind in KINDS}
