r"""What vendors' keys look like: prefix, characters, length. A token is one wherever it stands.

A row is a kind and a pattern of RE2. In it, `<` stands where no letter or digit may come
before, for prefixes that words have too, `>` where none may follow; `~` is both, and no dash. Lengths are the
shortest that vendors write, and open above where what follows cannot be told apart.

Source: the documentation of each vendor, and the secret scanning patterns that GitHub, GitLab
and the vendors name in public; seen until 2026-11.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact.examples import is_example
from everyleaf.redact.judging import is_identifier
from everyleaf.redact.kinds import entropy, is_wallet_key
from everyleaf.redact.words import has_odd_letters
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Callable

_ROWS = r"""
anthropic-key       sk-ant-[\w-]{20,}
openai-key          sk-(?:proj|svcacct|admin|service|None)-[\w-]{20,}
openai-key          <sess-[A-Za-z0-9]{40}
openrouter-key      sk-or-(?:v1-)?[0-9a-f]{32,}
api-key             <sk-(?:[a-z]{2,12}-)?[A-Za-z0-9]{32,}
api-key             <sk_[A-Za-z0-9]{32,}
huggingface-token   <(?:hf|api_org)_[A-Za-z0-9]{30,}
nats-seed           <S[ACNOUX][A-Z2-7]{56}>
replicate-token     <r8_[A-Za-z0-9]{37,}
groq-key            gsk_[A-Za-z0-9]{40,}
perplexity-key      <pplx-[A-Za-z0-9]{40,}
xai-key             <xai-[A-Za-z0-9]{60,}
cerebras-key        <csk-[a-z0-9]{40,}
langsmith-key       <lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}
pinecone-key        <pcsk_\w{40,}
tavily-key          <tvly-(?:dev-|prod-)?[A-Za-z0-9]{30,}
firecrawl-key       <fc-[0-9a-f]{32}>
nvidia-key          <nvapi-[\w-]{60,}
voyage-key          <(?:pa|al)-[\w-]{43}>
fireworks-key       <fw_[A-Za-z0-9]{22,}
modal-token         <(?:ak|as)-[A-Za-z0-9]{22}>
calcom-key          <cal_(?:live_)?[0-9a-f]{32,}
confluent-secret    <cflt[A-Za-z0-9+/]{60}
wandb-key           <wandb_v1_[\w-]{40,}
okta-token          (?:SSWS(?:[ \t+]|%20){1,3}["']?|(?i:okta)[^\n]{0,40}?[^\w-])(00[\w-]{40})
backblaze-key       <(K00\d[A-Za-z0-9/+]{27})>
growthbook-key      secret_(?:admin|readonly)_[A-Za-z0-9]{20,}
onesignal-key       os_v2_(?:app|org)_[a-z0-9]{60,}
fullstory-key       <(?:na|eu)1\.[A-Za-z0-9+/=]{40,}
adyen-key           <AQE[A-Za-z0-9][\w+/=*-]{80,}
etherscan-key       (?i:etherscan|bscscan|polygonscan|arbiscan|basescan)[^\n]{0,40}?[^A-Za-z0-9]([A-Z0-9]{34})>
vultr-key           (?i:vultr)[^\n]{0,40}?[^A-Za-z0-9]([A-Z0-9]{36})>
cloudflare-key      (?i:cloudflare|CF_)[^\n]{0,40}?[^A-Za-z0-9]([0-9a-f]{37})>
twitch-token        <oauth:([a-z0-9]{30})>
url-token           (?:hc-ping\.com|microk8s[ ]join[ ][\w.:-]{1,80}|infura\.io/v3|loggly\.com/(?:inputs|bulk)|youtube\.com/live2|\.alchemy(?:api)?\.(?:com|io)/v2|quiknode\.pro|rpc\.ankr\.com/\w+|blastapi\.io)/([\w-]{24,})|(?:^|[^\w])([A-Za-z0-9]{20,30})@[\w.]{0,16}tmate\.io
url-token           /private-([0-9a-f]{32})/
payment-card        ~(\d{4}(?:[ -]?\d{4}){3})[,;]?[ ](?:exp[a-z.]{0,6}:?[ ])?(?:0[1-9]|1[0-2])/\d\d
network-key         (?i:\b(?:nwk|app|dev|[fs]?nwks?(?:int|enc)?|apps)_?(?:s_?)?key)["' \t:=]{1,6}([0-9a-fA-F]{32})>
encryption-key      (?:(?i:key)\w*(?:\[\d*\])?[ ]?:?=[ ]?(?:\[\d*\]\w+)?\{[ ]?((?:0x[0-9a-fA-F]{2},\s*){15,63}0x[0-9a-fA-F]{2})|MK dump:\s{1,4}((?:[0-9A-Fa-f]{2}[ \t]*\r?[\n ][ \t]*){15,63}[0-9A-Fa-f]{2})|(?i:network|encryption|secret|aes)_key:[ \t]*\r?\n((?:[ \t>|+\d\x{2192}]{0,16}-[ ]\d{1,3}\r?\n){15,31}[ \t>|+\d\x{2192}]{0,16}-[ ]\d{1,3}))
adafruit-key        <aio_[A-Za-z0-9]{28}>
amazon-mws-token    amzn\.mws\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}
azure-devops-token  <([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})>
bitwarden-token     <(0\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\.[A-Za-z0-9]{28,32}:[A-Za-z0-9+/]{20,24}={0,2})
dropbox-token       <sl\.(?:u\.)?[\w-]{100,}
github-token        gh[pousr]_[A-Za-z0-9]{30,}
github-token        github_pat_\w{40,}
github-token        <v1\.[0-9a-f]{40}>
github-token        <tid=[0-9a-f]{32};[\w=;.:-]+:[0-9a-f]{64}>
gitlab-token        gl(?:pat|dt|rt|soat|ft|ptt|agent|imt|oas|cbt|ffct|wt)-[\w.=-]{20,}
gitlab-token        GR1348941[\w-]{20}
bitbucket-token     <ATBB[A-Za-z0-9]{32}
bitbucket-token     ATCTT3x[\w=.-]{40,}
atlassian-token     AT[AS]TT3x[\w=.-]{40,}
aws-access-key-id   <((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})>
aws-bedrock-key     <ABSK[A-Za-z0-9+/]{100,}={0,2}
aws-bedrock-key     bedrock-api-key-[A-Za-z0-9+/=]{30,}
azure-storage-account-key (?i)(?:^|[^A-Za-z]|azure|storage|account|access)key\b[^\n]{0,24}?\s{0,8}([A-Za-z0-9+/]{86}==)
google-api-key      AIza[\w-]{35}
google-oauth-secret GOCSPX-[\w-]{24,}
google-oauth-token  <ya29\.(?:[a-z]\.)?[\w-]{20,}
google-oauth-token  <(?:1/|4)/0[\w-]{40,}
azure-client-secret <([\w~.-]{3}[0-9]Q~[\w~.-]{31,34})
azure-storage-key   (?i:AccountKey|SharedAccessKey)["']?\s*[=:]\s*["']?([A-Za-z0-9+/]{40,}={0,2})
azure-storage-key   <([A-Za-z0-9+/]{76}(?:\+ASt|\+AMC|ACDb|AzCa|AzFu|AzSe|\+ABa|\+AEh|\+ARm)[A-Za-z0-9+/]{4,8}={0,2})
azure-devops-token  <[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}>
slack-token         xox[abcdeoprs]-[\w%/+.-]{10,}
slack-token         xapp-\d-[\w-]{20,}
webhook-url         (https?://(?:hooks\.slack\.com/(?:services|workflows|triggers)/[\w/+-]{20,}|(?:[a-z]+\.)?discord(?:app)?\.com/api(?:/v\d+)?/webhooks/\d{15,}/[\w-]{40,}|(?:[\w.-]+\.webhook\.office\.com/webhookb2|outlook\.office(?:365)?\.com/webhook)/[\w@/-]{40,}|hook\.(?:[a-z0-9]+\.)?make\.com/[a-z0-9]{20,}|hooks\.zapier\.com/hooks/catch/\d+/\w{5,}))
stripe-key          (?:sk|rk)_(?:live|test|org)_[A-Za-z0-9]{16,}
stripe-webhook-secret whsec_[A-Za-z0-9+/=]{24,}
square-token        <EAAA[A-Za-z0-9+/=_-]{50,}
square-token        sq0(?:atp|csp|idp)-[\w-]{22,}
paypal-token        access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{16,}
plaid-token         <access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{27}
shopify-token       shp(?:at|ss|ca|pa|tka|ua|it)_[0-9a-fA-F]{32,}
sendgrid-key        <SG\.[\w-]{16,}\.[\w-]{30,}
mailgun-key         <key-[0-9a-f]{32}>
mailchimp-key       <[0-9a-f]{32}-us\d{1,2}>
resend-key          <re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}
brevo-key           x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}
npm-token           npm_[A-Za-z0-9]{30,}
pypi-token          pypi-A[\w-]{50,}
laravel-key         base64:[A-Za-z0-9+/]{43}=
rubygems-token      rubygems_[0-9a-f]{48}
registry-token      <cio[A-Za-z0-9]{32}>
nuget-key           <oy2[a-z0-9]{43}>
docker-token        dckr_(?:pat|oat)_[\w-]{24,}
digitalocean-token  do[opr]_v1_[0-9a-f]{64}
deepl-key           <[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:fx>
heroku-key          <HRKU-(?:AA[\w-]{50,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})
vk-token            <vk1\.a\.[\w-]{80,}
stellar-key         <S[A-Z2-7]{55}>
flyio-token         <fm[12][ar]?_[A-Za-z0-9+/=_-]{50,}
flyio-token         FlyV1\s[\w=,/+-]{50,}
vercel-token        <vc[pikar]_[\w-]{40,}
vercel-token        vercel_blob_rw_\w{30,}
netlify-token       <(?:nfp|nfc|nfo|nfu|nfb)_[A-Za-z0-9]{36,}
supabase-key        sbp_(?:v0_)?[0-9a-f]{40}
supabase-key        <sb_(?:secret|publishable)_[\w-]{20,}
planetscale-token   pscale_(?:tkn|pw|oauth|app)_[\w.=-]{30,}
neon-key            <napi_[a-z0-9]{60,}
render-key          <rnd_[A-Za-z0-9]{28,}
railway-token       <rw_[\w-]{40,}
cloudflare-token    <v1\.0-[0-9a-f]{24}-[0-9a-f]{146}
cloudflare-token    <cf(?:ut|at|k)_[\w-]{40,}
databricks-token    <(?:dapi|dose)[0-9a-f]{32}(?:-\d)?
dbt-token           <dbt[cu]_[\w-]{36,}
linkedin-secret     WPL_AP\d\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/=]{6,}
snowflake-token     <ETMsDgAAA[A-Za-z0-9+/=]{40,}
vault-token         <hv[sbr]\.[\w-]{24,}
terraform-token     <[A-Za-z0-9]{14}(?:\.atlasv1\.[\w=-]{60,}){1,2}
pulumi-token        <pul-[0-9a-f]{40}
doppler-token       <dp\.(?:pt|ct|st|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}
infisical-token     <st\.(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9a-f]{32}\.[0-9a-f]{32}
onepassword-token   ops_eyJ[A-Za-z0-9+/=_-]{100,}
onepassword-key     <A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}>
grafana-token       glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}
grafana-token       glc_[A-Za-z0-9+/=]{32,}
newrelic-key        <NR(?:AK|II|RA|SP|JS|AA)[A-Z]?-[\w-]{19,}
datadog-key         <pub[0-9a-f]{32}>
datadog-key         <ddapp?_[A-Za-z0-9]{30,}
sentry-token        sntry[us]_[A-Za-z0-9+/=_-]{40,}
sentry-dsn          (https?://[0-9a-f]{32}(?::[0-9a-f]{32})?@[\w.-]+/\d+)
honeycomb-key       <hc[abx]i[ck]_[a-z0-9]{50,}
dynatrace-token     dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}
posthog-key         <ph[rsx]_[A-Za-z0-9]{40,}
linear-key          lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}
notion-token        <ntn_[A-Za-z0-9]{40,}
notion-token        <secret_[A-Za-z0-9]{43}
airtable-token      <pat[A-Za-z0-9]{14}\.[0-9a-f]{64}
figma-token         fig(?:d|or|our|u|oh|o|dh|orh|uh)_[\w-]{36,}
clickup-token       <pk_\d{5,}_[A-Z0-9]{32}
postman-key         PMAK-[0-9a-f]{24}-[0-9a-f]{34}
postman-key         PMAT-[A-Z0-9]{26}
hubspot-token       <pat-(?:na|eu)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
intercom-token      <dG9rO[A-Za-z0-9+/]{40,}={0,2}
contentful-token    <CFPAT-[\w-]{40,}
mapbox-token        <[ps]k\.eyJ[\w-]{40,}\.[\w-]{20,}
typeform-token      <tfp_[\w-]{40,}
buildkite-token     <bk(?:aj|ct|ua|pt|at)_[\w.-]{30,}
circleci-token      CCIP(?:RJ|AT)_[A-Za-z0-9]{20,}_[0-9a-f]{40}
sonar-token         <sq[pua]_[0-9a-f]{40}
snyk-token          <snyk_(?:uat|sat)\.[\w.-]{40,}
launchdarkly-key    <(?:sdk|api|mob)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
tailscale-key       tskey-[a-z]+-[A-Za-z0-9]+-?[A-Za-z0-9]{16,}
age-key             AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Za-z]{50,}
sourcegraph-token   <sg[pd]_[A-Za-z0-9]*_?[0-9a-f]{40}
openshift-token     sha256~[\w-]{43}
jfrog-token         <(?:AKC|cmVmdGtu)[A-Za-z0-9]{50,}
lambda-key          secret_[\w-]{1,40}_[0-9a-f]{32}\.[A-Za-z0-9]{32}
prefect-key         <pn[ub]_[A-Za-z0-9]{36}
readme-key          rdme_[a-z0-9]{60,}
zuplo-key           <zpka_[a-z0-9]{32}_[0-9a-f]{8}
telnyx-key          <KEY[0-9A-F]{32}_[A-Za-z0-9]{20,}
aws-session-token   ((?:FwoGZXIvYXdz|IQoJb3JpZ2lu|AgoJb3JpZ2lu)[A-Za-z0-9+/=%]{60,})
tencent-key         <AKID[A-Za-z0-9]{32}
alibaba-key         <LTAI[A-Za-z0-9]{16,}
octopus-key         <API-[A-Z0-9]{26,}
matrix-token        <sy[tr]_[A-Za-z0-9]{6,}_[A-Za-z0-9]{10,}_[A-Za-z0-9]{4,}
neon-key            <npg_[A-Za-z0-9]{10,}
jina-key            <jina_[\w-]{40,}
e2b-key             <e2b_[0-9a-f]{40}
mollie-key          (?:^|[^A-Za-z0-9_-])((?:live|test)_[A-Za-z0-9]{30,})
flutterwave-key     <FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,}(?:-[A-Za-z0-9]{1,16})?
firebase-key        <AAAA[\w-]{7}:APA91b[\w-]{100,}
yandex-key          <(?:AQVN|y0_|y1_)[\w-]{30,}
liveblocks-key      <sk_(?:prod|dev)_[\w-]{60,}
google-api-key      <AQ\.Ab[\w-]{40,}
clojars-token       CLOJARS_[0-9a-f]{60}
paddle-key          pdl_(?:live|sdbx)_apikey_\w{40,}
dub-key             <dub_[A-Za-z0-9]{24}
newrelic-key        <[0-9a-f]{32,36}(?:FFFF)?NRAL
ably-key            ~([\w-]{6}\.[\w-]{6}:[\w-]{20,64})~
cursor-key          <(?:crsr|key)_[0-9a-f]{64}
asana-token         <(?:\d/\d{12,}(?:/\d{12,})?:[0-9a-f]{32}){1,2}
context7-key        ctx7sk-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
stytch-key          secret-(?:live|test)-[\w-]{32,}
django-key          <(django-insecure-[\w!@#$%^&*()=+-]{30,})
apify-token         apify_api_[A-Za-z0-9]{30,}
convex-key          <((?:prod|dev|preview):[\w-]+\|[A-Za-z0-9+/=]{40,})
wakatime-key        waka_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
azure-function-key  <([\w-]{40,}AzFu[\w-]{4,8}={0,2})
azure-registry-key  <([A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9]{6})>
packagist-token     <packagist_[a-z]{3}_[0-9a-f]{40,}
turnstile-key       <0x4AAAAAAA[\w-]{22,}
xata-key            <xau_[A-Za-z0-9]{36,}
browserbase-key     <bb_(?:live|test)_[\w-]{24,}
trello-token        <ATTA[0-9a-f]{60,}
twitter-token       <(A{19,24}[A-Za-z0-9]{6,100}%[0-9A-F]{2}[A-Za-z0-9%]{20,})
inngest-key         <signkey-[a-z]{2,8}-[0-9a-f]{32,}
mandrill-key        <md-[\w-]{22}>
trigger-key         <tr_(?:dev|prod|stg|preview|pat)_[A-Za-z0-9]{20,}
openvsx-token       <ovsx[a-z]{1,2}_[\w-]{32,}
composio-key        <ak_[\w-]{20}>
aiven-password      <AVNS_[\w-]{16,}
ngrok-token         <2[A-Za-z0-9]{26}_[A-Za-z0-9]{20,22}>
facebook-token      <EAA[A-Za-z0-9]{81,}
llama-cloud-key     <llx-[A-Za-z0-9]{40,}
flyio-token         <fo1_[\w-]{40,}
codex-token         <rt_[\w-]{80,}
roblox-cookie       _\|WARNING:-DO-NOT-SHARE-THIS[^|\s]{20,200}\|_([0-9A-Fa-f]{60,})
twilio-token        <AC[0-9a-f]{32}(?:[\\"'\s,:/|=]|&quot;){1,12}([0-9a-f]{32})>
api-key             ["'](?:sk-ant-|sk-proj-|sk-or-|sk_live_|ghp_|github_pat_|glpat-|xox[bp]-|hf_|npm_|AIza|eyJ)[\w.-]{8,200}[\\"']{1,4}(?:[ \t]{0,4}[+.]\s{0,24}|,[ ]|[ \t]{0,4}(?:\r?\n|\\+n)[\s+>|\x{2502}-]{0,24})[\\"']{1,4}([\w.-]{8,})[\\"']{1,4}(?:[^:]|$)
api-key             ["']((?:sk-ant-|sk-proj-|sk-or-|sk_live_|ghp_|github_pat_|glpat-|xox[bp]-|hf_|npm_|AIza)[\w.-]{8,200})[\\"']{1,4}(?:[ \t]{0,4}[+.]\s{0,24}|,[ ]|[ \t]{0,4}(?:\r?\n|\\+n)[\s+>|\x{2502}-]{0,24})[\\"']{1,4}[\w.-]{8,}[\\"']{1,4}(?:[^:]|$)
jwt                 eyJ[\w-]{8,}\.(?:[\w-]{16,}\.[\w-]{16,}(?:\.[\w-]{16,}){0,2}|(?:ey|ew)[\w-]{8,}\.[\w-]{10,})
wireguard-key       (?i:PrivateKey|PresharedKey|private[-_ ]?key|preshared[-_ ]?key)["']?\s*[=:]\s*["']?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)
totp-seed           otpauth://[^\s"'<>]*?[?&]secret=([A-Za-z2-7=%]{8,})|(?:^|[^A-Za-z0-9])([A-Z2-7]{16,64})(?:\r?\n|(?:\\+r)?\\+n)[ \t>|+\d\x{2192}\x{2502}-]{0,12}\\*" (?:RATE_LIMIT|WINDOW_SIZE|DISALLOW_REUSE|TOTP_AUTH|HOTP_COUNTER|STEP_SIZE)|" TOTP_AUTH(?:\r?\n|(?:\\+r)?\\+n)[ \t>|+\d\x{2192}\x{2502}-]{0,12}(\d{8}(?:(?:\r?\n|(?:\\+r)?\\+n)[ \t>|+\d\x{2192}\x{2502}-]{0,12}\d{8}){0,9})
twitch-key          <live_\d{6,12}_[A-Za-z0-9]{24,40}>
license-key         (?i:windows|product|licen[cs]e|serial|activation|office|cd|steam)[ _-](?i:key|code|number)["'`*]{0,3}[ ]?(?:[:=][ ]?|is[ ])?["'`*]{0,3}((?-i:[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){2,5}))(?:[^A-Za-z0-9-]|$)
totp-seed           (?i)(?:totp|otp|mfa|2fa|authenticator|manual[ ]entry|setup[ ]key)[\w ()-]{0,20}(?:secret|seed|key)?["'`*\]]{0,3}(?:\s*(?:=>|->|:?=|[:|,\x{2192}\x{2014}\x{2502}は是为\x{ff1a}]|is|was|to|</\w+>\s*<\w+>|>)\s*|[ \t(]{1,4})[\\"'`*(]{0,6}((?-i:[A-Z2-7]{4}(?:[ -]?[A-Z2-7]{4}){3,}={0,6}|[a-z2-7]{4}(?:[ ][a-z2-7]{4}){7}))
ssh-key             (?:[^A-Za-z0-9+/]|^)(b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=\s]{40,})
azure-sas           (?i)[?&;]sig=([A-Za-z0-9%+/=_-]{20,})
presigned-url       (?i)X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)=([^\s&"'<>`\\]{16,})
presigned-url       [?&](?:Signature|AWSAccessKeyId|Key-Pair-Id|Policy)=([A-Za-z0-9%+/=_~-]{16,})
anyscale-key        <esecret_[A-Za-z0-9]{24,}
n8n-key             <n8n_api_[0-9a-f]{40,}
k3s-token           <(K10[0-9a-f]{64}::[\w-]{1,20}:[\w-]{16,})
wallet-key          <([xyztuv]prv[1-9A-HJ-NP-Za-km-z]{107,108}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}|nsec1[02-9ac-hj-np-z]{58})>
instagram-token     <IG(?:QV|QW|AA)[\w-]{80,}
mercadopago-token   <((?:APP_USR|TEST)-\d{12,}-\d{6}-[0-9a-f]{32}-\d{6,})
scalingo-token      <tk-us-[\w-]{40,}
sanity-token        <sk[A-Za-z0-9]{120,}>
zoho-token          <(1000\.[0-9a-f]{32}\.[0-9a-f]{32})>
runpod-key          <rpa_[A-Za-z0-9]{40,}
wallet-key          \[\s?((?:\d{1,3},\s?){63}\d{1,3})\s?\]
adobe-key           <p8e-[\w-]{32}>
akamai-token        <akab-[a-z0-9]{16}-[a-z0-9]{16}>
azure-devops-token  (?i:devops|azdo|vsts|_pat\b)[^\n]{0,40}?[^A-Za-z0-9]([a-z2-7]{52})>
chromatic-token     <chpt_[0-9a-f]{12,}
cloudflare-token    <eyJhIjoi[A-Za-z0-9+/_-]{100,}={0,2}
depot-token         <depot_(?:[a-z]+_)?[0-9a-f]{48,}
dingtalk-key        <SEC[0-9a-f]{64}>
helicone-key        <[sp]k-helicone-[a-z0-9]{7}(?:-[a-z0-9]{7}){3}
klaviyo-key         <pk_[0-9a-f]{34}>
litellm-key         <sk-[\w-]{22}>
amazon-secret       amzn1\.oa2-cs\.v1\.[0-9a-f]{64}
ory-token           <ory_(?:pat|ac|at|rt|st|wak)_[\w.-]{20,}
percy-token         <((?:web|app|auto|ss|vmw|res)_[0-9a-f]{64})>
perforce-ticket     (?i:\bp4|perforce)[^\n]{0,40}?[^A-Za-z0-9]([0-9A-F]{32})>
plex-token          <claim-[\w-]{20}>
portainer-token     <(ptr_[A-Za-z0-9+/]{43}=)
rancher-token       <((?:token-[a-z0-9]{5}|kubeconfig-[\w.-]{1,40}):[a-z0-9]{54})>
rapidapi-key        <([0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{5,6}jsn[0-9a-f]{12})>
svix-token          <((?:test)?sk_[\w-]{32}\.(?:us|eu|in|ca|au))>
unleash-token       ((?:\*|\bdefault):[\w-]{1,40}\.[0-9a-f]{56,64})>
onion-key           <ED25519-V3:([A-Za-z0-9+/]{86}==)
minisign-key        <RWRTY0Iy[A-Za-z0-9+/]{100,}={0,2}
private-key         <(M(?:II[A-K][\w+/]{2}IBA(?:AK[BC]|DAN)|HcCAQEEI|IGHAgEAMBMG|C4CAQAwBQYDK2Vw)[A-Za-z0-9+/]{16,}={0,2}(?:[\s>|+"',\x{2192}\\-]+(?:n|\d+(?:\x{2192}|[\t|:-])[ \t+]*)?(?:[A-Za-z0-9+/]{20,}={0,2}|[A-Za-z0-9+/]{2,}={1,2}))*)
volcengine-key      <AKLT[\w+/-]{40,}={0,2}
password-hash       <([0-9a-f]{32}:[0-9a-f]{32}):::
license-key         ~([A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}|[A-Z0-9]{4}(?:-[A-Z0-9]{4}){5}|\d{6}(?:-\d{6}){7})~
access-token        ~(SK[0-9a-f]{32}|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}|[sbr]\.[A-Za-z0-9]{24}|00[A-Za-z0-9]{13}(?:!|%21)[\w.-]{80,}|AP[0-9A-F][A-Za-z0-9]{60,})~
access-token        ~((?:bot)?\d{8,10}:[\w-]{35}|[0-9a-f]{32}(?:-[0-9a-f]{8}-[0-9a-f]{8}|\.[A-Za-z0-9]{16})|\d{15,16}(?:\||%7C)[\w-]{27})~
"""
BEGIN = r"(?:^|[^A-Za-z0-9]|(?:^|[^\w-])-[A-Za-z]?|\^I|\\[abefnrtv0]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]*m)"
"""Where a token may begin: also behind an escape that is written out."""
_BEGIN_WITHOUT_DASH = BEGIN.replace("[^A-Za-z0-9]", "[^A-Za-z0-9-]")


class KeyFormat(NamedTuple):
    """A kind of key, and the pattern that all keys of the kind match, for RE2."""

    kind: str
    pattern: str
    is_secret: Callable[[str], bool]
    """Judges what matches."""


_PREFIX = lazily(
    r"\(?((?:[\w$-]|\\[.$d]|\(\?:\[[^\]]+\]\{[\d,]+\}\\\.\)\?|\(\?:(?:[\w|-]|\\\.|\[[A-Za-z]+-[a-z]\])+\)\??|\[[A-Za-z0-9]+\](?![*+{])\??)+)(\[[^\]]+\]|\\[wd])[*+{]"
)
_CHOICE = lazily(r"\(\?:[^()]*\)\?|\(\?:([\w-]+)(?:\|[\w|-]*)?\)|\[[A-Za-z]+\]|\\")
_SHORTEST_PREFIX = 3
_INSIDE = (
    r"hooks\.slack\.com/services/[\w/]",
    r"discord(?:app)?\.com/api/webhooks/[\w/-]",
    r"webhook\.office\.com/webhookb2/[\w@/-]",
    r"\b\d{8,10}:AA[\w-]",
    r":APA91b[\w-]",
    r"\b[MNO][\w-]{23,27}\.[\w.-]",
    r"\.atlasv1\.[\w-]",
    r"//[0-9a-f]{8,}:?[0-9a-f]",
    r"\bdt0[a-z]\d\d\.[A-Z0-9.]",
    r"\b\d/\d{12,}[\d/]*:[0-9a-f]",
)
"""What stands in keys that have no prefix, up to where a line may end."""
_CUT = r"{2,}(?:[ \t|\x{2502}\x{2503}]|\\+u250[23])*(?:\r?\n|\\+(?:r\\+)?n)"


def cut_keys() -> tuple[str, ...]:
    """Return patterns of keys that may be cut off by the end of a line, by their prefixes.

    Only prefixes of three characters and more, since others end lines of prose.
    """
    made: dict[str, None] = {}
    for row in _ROWS.strip().splitlines():
        shape = row.partition(" ")[2].strip()
        found = _PREFIX.match(shape.lstrip("<~"))
        if found is None or len(_CHOICE.sub(r"\1", found[1])) < _SHORTEST_PREFIX:
            continue
        begin = r"\b" if shape[0] in "<~" else ""
        is_all = found.end() >= len(shape) - len("<{1000,}>")
        rest = found[2] if is_all else r"[\w.~+/=-]"
        made[begin + found[1] + rest + _CUT] = None
    made |= dict.fromkeys(inside + _CUT for inside in _INSIDE)
    return tuple(made)


def formats() -> tuple[KeyFormat, ...]:
    """Return all of them, the ones that say more first; the first group is the key."""
    made: list[KeyFormat] = []
    for row in _ROWS.strip().splitlines():
        kind, _, shape = row.partition(" ")
        shape = shape.strip()
        begin = {"<": BEGIN, "~": _BEGIN_WITHOUT_DASH}.get(shape[0], "")
        end = {">": "(?:[^A-Za-z0-9]|$)", "~": "(?:[^A-Za-z0-9-]|$)"}.get(shape[-1], "")
        shape = shape[bool(begin) : len(shape) - bool(end)]
        if shape[0] == "(" and shape[-1] == ")" and shape[1] != "?":
            shape = shape[1:-1]
        has_group = "(" in shape.replace("(?", "").replace("\\(", "")
        # Two may stand side by side.
        twice = f"((?:{shape}){{1,2}})" if end else f"({shape})"
        pattern = begin + (shape if has_group else twice) + end
        made.append(KeyFormat(kind, pattern, _JUDGES.get(kind, is_key)))
    return tuple(made)


def is_key(value: str) -> bool:
    """Judge what has a vendor's form: random, and no example of it."""
    if is_example(value) or entropy(value) < 2.5:
        return False
    if value[1] == ".":  # As methods are called.
        return sum(map(str.isdigit, value)) >= 2
    return any(map(str.isdigit, value)) or (
        any(map(str.isupper, value)) and (not value.isupper() or has_odd_letters(value))
    )


def _is_key_id(value: str) -> bool:
    """Judge what has capitals in all places, and a digit in most."""
    return not is_example(value) and entropy(value) >= 3.0


def _is_no_style(value: str) -> bool:
    """Judge what names of styles look like: `md-` and small letters, or words."""
    if not is_key(value) or not any(map(str.isupper, value)):
        return False
    return any(map(str.isdigit, value)) or not is_identifier(value[3:])


def _is_spread(value: str) -> bool:
    """Judge the bytes of a key: those of tables go in order, or repeat themselves."""
    codes = re.findall("[0-9a-fx]+", value.lower())
    return len(set(codes)) * 2 > len(codes) and codes != sorted(codes)


_JUDGES = {
    "encryption-key": _is_spread,
    "aws-access-key-id": _is_key_id,
    **dict.fromkeys(names("ably-key litellm-key mandrill-key plex-token"), _is_no_style),
    "wallet-key": is_wallet_key,
}
