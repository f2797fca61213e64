/**
 * Lists the vendors whose credentials, hooks and hosts are known, a row each. Its facts are written as forms:
 *
 * - `{30}` stands for 30 letters or digits, or more at the end of a form, `{8-12}` for 8 to 12, and `{}` for any text.
 * - A letter says which characters: `{40x}` hexadecimal digits, `{12n}` digits, `{16A}` capitals and digits, `{36u}` a UUID,
 *   `{20w}` also `-` and `_`, `{32d}` also `.`, `{31t}` also `.` and `~`, `{30s}` all but white space and quotes.
 * - `[abc]` stands for one of these letters.
 * - `*` stands for any text that is no secret: the subdomains of a host, any host, an id in a path.
 * - A host may have one segment of its path behind it: `acme.example/invite` stands for all addresses below it.
 * - Everything else stands for itself. Forms are divided by white space.
 */

/** Kinds of well-known services that receive alerts. Only those that a rule asks for are listed. */
export const receiverKinds = ["chat", "on-call", "ticket", "inspection", "people", "closed"] as const;
/** Kind of well-known service that a URL leads to. */
export type ReceiverKind = (typeof receiverKinds)[number];

export interface Vendor {
  readonly name: string;
  /** Credentials that are known by their form: `ghp_{30}`. */
  readonly keys?: string;
  /** Addresses with a secret, `host/path/{}` or `host?parameter={}`, and those whose ids look like one. */
  readonly hooks?: string;
  /** Domains whose mailboxes take what anybody sends who knows the address, which has a token. */
  readonly mailboxes?: string;
  readonly hosts?: string;
  /** Hosts of links that people open, such as an invitation. They accept no alert, and count before `hosts`. */
  readonly people?: string;
  /** What its hosts do with alerts; `closed` if they are switched off. */
  readonly receives?: ReceiverKind;
  /** Keys, and parameters of a host, that look secret and are meant for everybody. */
  readonly publishable?: string;
  /** Page that shows the forms, or that the service is closed. A host needs none. */
  readonly source?: string;
}

const gitleaks = "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml";
const kingfisher = "https://github.com/mongodb/kingfisher/tree/main/crates/kingfisher-rules/data/rules";

export const vendors: readonly Vendor[] = [
  {
    name: "Slack",
    keys: "xox[abcdeoprs]-{10w} xoxe.{10w} xapp-{10w}",
    hooks: `
      hooks.slack.com/services/*/*/{12} hooks.slack.com/workflows/*/*/*/{12}
      hooks.slack.com/triggers/*/*/{12} hooks.slack-gov.com/services/*/*/{12}
      hooks.slack-gov.com/workflows/*/*/*/{12} hooks.slack-gov.com/triggers/*/*/{12}`,
    mailboxes: "*.slack.com",
    hosts: "slack.com hooks.slack.com hooks.slack-gov.com",
    people: "join.slack.com app.slack.com *.slack.com/archives",
    receives: "chat",
    source: "https://docs.slack.dev/authentication/tokens",
  },
  {
    name: "Discord",
    keys: "[MNO]{23-27w}.{6w}.{27w}",
    hooks: `
      discord.com/api/webhooks/*/{20w} discord.com/api/*/webhooks/*/{20w}
      *.discord.com/api/webhooks/*/{20w} *.discord.com/api/*/webhooks/*/{20w}
      discordapp.com/api/webhooks/*/{20w} discordapp.com/api/*/webhooks/*/{20w}`,
    hosts: "discord.com *.discord.com discordapp.com",
    people:
      "discord.gg discord.com/invite discord.com/channels discordapp.com/invite discordapp.com/channels",
    receives: "chat",
    source: "https://discord.com/developers/docs/resources/webhook",
  },
  {
    name: "Microsoft Teams",
    hooks: `
      *.webhook.office.com/webhook/{36u}* *.webhook.office.com/webhookb2/{36u}*
      outlook.office.com/webhook/{36u}* outlook.office.com/webhookb2/{36u}*
      outlook.office365.com/webhook/{36u}* outlook.office365.com/webhookb2/{36u}*
      *.logic.azure.com?sig={20w} *.logic.azure.us?sig={20w} *.powerplatform.com?sig={20w}`,
    hosts: "*.webhook.office.com *.logic.azure.com *.logic.azure.us *.powerplatform.com",
    people: "teams.microsoft.com/l teams.live.com/l",
    receives: "chat",
    source:
      "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
  },
  {
    // The addresses before those at webhook.office.com.
    name: "Office 365 connectors",
    hosts: "outlook.office.com/webhook outlook.office365.com/webhook",
    receives: "closed",
    source:
      "https://devblogs.microsoft.com/microsoft365dev/retirement-of-office-365-connectors-within-microsoft-teams/",
  },
  {
    name: "Google Chat",
    hooks: "chat.googleapis.com?token={20w}",
    hosts: "chat.googleapis.com",
    receives: "chat",
    publishable: "chat.googleapis.com?key",
    source: "https://developers.google.com/workspace/chat/quickstart/webhooks",
  },
  {
    name: "Telegram",
    keys: "{8-12n}:AA{30w}",
    hooks: "*/bot{5-12n}:{24w}",
    hosts: "api.telegram.org",
    people: "t.me telegram.me",
    receives: "chat",
    source: "https://core.telegram.org/bots/api#making-requests",
  },
  { name: "Webex", hosts: "webexapis.com api.ciscospark.com", receives: "chat" },
  {
    name: "Feishu and Lark",
    hooks: "open.feishu.cn/open-apis/bot/*/hook/{36u} open.larksuite.com/open-apis/bot/*/hook/{36u}",
    hosts: "open.feishu.cn open.larksuite.com",
    receives: "chat",
    source: "https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot",
  },
  {
    name: "DingTalk",
    hooks: "oapi.dingtalk.com?access_token={32x}",
    hosts: "oapi.dingtalk.com",
    receives: "chat",
    source: "https://open.dingtalk.com/document/robots/custom-robot-access",
  },
  {
    name: "WeCom",
    hooks: "qyapi.weixin.qq.com?key={36u}",
    hosts: "qyapi.weixin.qq.com",
    receives: "chat",
    source: "https://developer.work.weixin.qq.com/document/path/91770",
  },
  { name: "Zulip", hosts: "*.zulipchat.com", receives: "chat" },
  { name: "Zoho Cliq", hosts: "cliq.zoho.com cliq.zoho.eu", receives: "chat" },
  { name: "Mattermost", hosts: "*.mattermost.com *.mattermost.cloud", receives: "chat" },
  { name: "Rocket.Chat", hosts: "*.rocket.chat", receives: "chat" },
  { name: "Flock", hosts: "api.flock.com", receives: "chat" },
  {
    name: "Ryver",
    hooks: "*.ryver.com/application/webhook/{}",
    hosts: "*.ryver.com",
    receives: "chat",
    source: "https://api.ryver.com/",
  },
  {
    name: "Guilded",
    hosts: "api.guilded.gg media.guilded.gg",
    receives: "closed",
    source: "https://en.wikipedia.org/wiki/Guilded",
  },
  {
    name: "HipChat",
    hosts: "*.hipchat.com",
    receives: "closed",
    source: "https://www.atlassian.com/partnerships/slack/faq",
  },
  {
    name: "Matrix",
    hooks: "*/_matrix/client/*/rooms/*",
    source: "https://spec.matrix.org/latest/client-server-api/#room-events",
  },
  {
    name: "PagerDuty",
    hooks: "events.pagerduty.com/integration/{} events.eu.pagerduty.com/integration/{}",
    hosts: "*.pagerduty.com",
    receives: "on-call",
    source: "https://developer.pagerduty.com/docs/events-api-v2-overview",
  },
  { name: "Opsgenie", hosts: "*.opsgenie.com *.opsgenie.net", receives: "on-call" },
  {
    name: "ilert",
    hooks: "*.ilert.com/api/v1/events/*/{} *.ilertnow.com/api/v1/events/*/{}",
    hosts: "*.ilert.com *.ilertnow.com",
    receives: "on-call",
    source: "https://docs.ilert.com/developer-docs/rest-api",
  },
  {
    name: "Splunk On-Call",
    hooks: "alert.victorops.com/integrations/generic/*/alert/{}",
    hosts: "*.victorops.com",
    receives: "on-call",
    source: "https://help.victorops.com/knowledge-base/rest-endpoint-integration-guide/",
  },
  {
    name: "Rootly",
    hooks: "webhooks.rootly.com/webhooks/incoming/*/notify/*/*",
    hosts: "*.rootly.com",
    receives: "on-call",
    source: "https://docs.rootly.com/integrations/generic-webhook-alert-source",
  },
  {
    name: "incident.io",
    hooks: "api.incident.io/v2/alert_events/*/*",
    hosts: "*.incident.io",
    receives: "on-call",
    source: "https://api-docs.incident.io/tag/Alert-Events-V2",
  },
  { name: "FireHydrant", hosts: "*.firehydrant.com *.firehydrant.io", receives: "on-call" },
  {
    name: "Squadcast",
    hooks: "api.squadcast.com/*/incidents/*/{}",
    hosts: "*.squadcast.com",
    receives: "on-call",
    source: "https://developers.squadcast.com/incoming-webhooks/",
  },
  {
    name: "Zenduty",
    hooks: "*.zenduty.com/api/events/{}",
    hosts: "*.zenduty.com",
    receives: "on-call",
    source: "https://docs.zenduty.com/docs/api",
  },
  { name: "xMatters", hosts: "*.xmatters.com", receives: "on-call" },
  { name: "Better Stack", hosts: "*.betterstack.com *.betteruptime.com", receives: "on-call" },
  { name: "Spike", hosts: "*.spike.sh", receives: "on-call" },
  {
    name: "Grafana",
    keys: "glsa_{32w} glc_{32w}",
    hooks: "*.grafana.net/oncall/integrations/v1/*/{} */integrations/v1/*/{16}",
    hosts: "*.grafana.net",
    receives: "on-call",
    source: "https://grafana.com/docs/oncall/latest/configure/integrations/references/webhook/",
  },
  { name: "AlertOps", hosts: "*.alertops.com", receives: "on-call" },
  {
    name: "SIGNL4",
    hooks: "connect.signl4.com/webhook/{}",
    hosts: "*.signl4.com",
    receives: "on-call",
    source: "https://docs.signl4.com/integrations/webhook/webhook.html",
  },
  { name: "All Quiet", hosts: "*.allquiet.app allquiet.app", receives: "on-call" },
  {
    name: "PagerTree",
    hooks: "api.pagertree.com/integration/{}",
    hosts: "*.pagertree.com",
    receives: "on-call",
    source: "https://pagertree.com/docs/integration-guides/webhook",
  },
  { name: "BigPanda", hosts: "*.bigpanda.io", receives: "on-call" },
  {
    name: "Atlassian",
    keys: "ATATT3{28w} ATCTT3{28w} ATBB{28w}",
    hosts: "*.atlassian.net *.atlassian.com api.bitbucket.org",
    receives: "ticket",
    source: gitleaks,
  },
  {
    name: "Trello",
    mailboxes: "boards.trello.com",
    hosts: "api.trello.com",
    receives: "ticket",
    source: "https://developer.atlassian.com/cloud/trello/rest/api-group-cards/",
  },
  {
    name: "GitHub",
    keys: "gh[oprsu]_{30} github_pat_{40w}",
    hosts: "api.github.com github.com",
    receives: "ticket",
    source: gitleaks,
  },
  {
    name: "GitLab",
    keys: `
      glpat-{20w} gloas-{20w} gldt-{20w} glrt-{20w} glrtr-{20w} glcbt-{20w} glptt-{20w} glft-{20w}
      glimt-{20w} glagent-{20w} glsoat-{20w} glwt-{20w} glffct-{20w}`,
    mailboxes: "incoming.gitlab.com",
    hosts: "gitlab.com *.gitlab.com",
    receives: "ticket",
    source: "https://docs.gitlab.com/security/tokens/#token-prefixes",
  },
  {
    name: "Linear",
    keys: "lin_api_{32} lin_oauth_{32}",
    hosts: "api.linear.app",
    receives: "ticket",
    source: gitleaks,
  },
  { name: "Zendesk", hosts: "*.zendesk.com", receives: "ticket" },
  { name: "Freshworks", hosts: "*.freshservice.com *.freshdesk.com", receives: "ticket" },
  { name: "ServiceNow", hosts: "*.service-now.com", receives: "ticket" },
  { name: "Asana", hosts: "app.asana.com", receives: "ticket" },
  { name: "monday.com", hosts: "api.monday.com", receives: "ticket" },
  { name: "ClickUp", hosts: "*.clickup.com", receives: "ticket" },
  { name: "YouTrack", hosts: "*.youtrack.cloud", receives: "ticket" },
  { name: "Intercom", hosts: "*.intercom.io", receives: "ticket" },
  {
    name: "Azure",
    keys: "{3t}{1n}Q~{31-34t}",
    hosts: "dev.azure.com *.visualstudio.com",
    receives: "ticket",
    source: kingfisher,
  },
  {
    name: "Notion",
    keys: "ntn_{40} secret_{40}",
    hosts: "api.notion.com",
    receives: "ticket",
    source: gitleaks,
  },
  {
    name: "Airtable",
    keys: "pat{14}.{64x}",
    hooks: "api.airtable.com/v0/*/*",
    hosts: "api.airtable.com",
    receives: "ticket",
    source: gitleaks,
  },
  { name: "Shortcut", hosts: "*.shortcut.com", receives: "ticket" },
  {
    name: "Todoist",
    mailboxes: "todoist.net *.todoist.net",
    hosts: "api.todoist.com",
    receives: "ticket",
    source: "https://developer.todoist.com/rest/v2/#create-a-new-task",
  },
  {
    name: "Instatus",
    hooks: "api.instatus.com/v3/integrations/*/{} api.instatus.com/v1/*",
    source: "https://instatus.com/help/api/incidents",
  },
  {
    name: "Statuspage",
    mailboxes: "notifications.statuspage.io",
    source: "https://developer.statuspage.io/#operation/postPagesPageIdIncidents",
  },
  {
    name: "Zapier",
    hooks: "hooks.zapier.com/hooks/catch/*/{}",
    source: "https://help.zapier.com/hc/en-us/articles/8496288690317-Trigger-Zaps-from-webhooks",
  },
  { name: "Make", hooks: "*.make.com/{}", source: "https://help.make.com/webhooks" },
  {
    name: "IFTTT",
    hooks: "maker.ifttt.com/trigger/*/with/key/{} maker.ifttt.com/trigger/*/json/with/key/{}",
    source: "https://ifttt.com/maker_webhooks",
  },
  {
    name: "Home Assistant",
    hooks: "*/api/webhook/{} hooks.nabu.casa/{}",
    source: "https://www.home-assistant.io/docs/automation/trigger/#webhook-trigger",
  },
  {
    name: "Uptime Kuma",
    hooks: "*/api/push/{}",
    source: "https://github.com/louislam/uptime-kuma/wiki/Internal-API",
  },
  {
    name: "Pushcut",
    hooks: "api.pushcut.io/v1/notifications/* api.pushcut.io/{}",
    source: "https://www.pushcut.io/support/web-api",
  },
  { name: "ntfy", hooks: "ntfy.sh/{} *.ntfy.sh/{}", source: "https://docs.ntfy.sh/publish/" },
  {
    name: "Healthchecks",
    hooks: "hc-ping.com/{}",
    mailboxes: "hc-ping.com",
    source: "https://healthchecks.io/docs/http_api/",
  },
  { name: "Dead Man's Snitch", hooks: "nosnch.in/{}", source: "https://deadmanssnitch.com/docs" },
  {
    name: "Checkly",
    keys: "cu_{32x} sv_{32x}",
    hooks: "ping.checklyhq.com/{}",
    source: "https://feedback.checklyhq.com/changelog/introducing-service-api-keys",
  },
  {
    name: "Google Calendar",
    hooks: "calendar.google.com/calendar/ical/*/{}",
    source: "https://support.google.com/calendar/answer/37648",
  },
  {
    name: "Vercel",
    hooks: "api.vercel.com/v1/integrations/deploy/*/{}",
    source: "https://vercel.com/docs/deploy-hooks",
  },
  {
    name: "Render",
    keys: "rnd_{24}",
    hooks: "api.render.com/v1/services/* api.render.com/deploy/*",
    source: kingfisher,
  },
  {
    name: "CircleCI",
    keys: "CCIPAT_{40w} CCIPRJ_{40w}",
    hooks: "circleci.com/api/v2/project/*/*/*",
    source: kingfisher,
  },
  {
    name: "Sentry",
    keys: "sntrys_{40w} sntryu_{40w}",
    hooks: "*.sentry.io/api/*/cron/*/*",
    publishable: "*.sentry.io?password *.sentry.io?sentry_key",
    source: gitleaks,
  },
  {
    name: "Datadog",
    hooks: "*.datadoghq.com/v1/input/{} *.datadoghq.eu/v1/input/{}",
    source: "https://docs.datadoghq.com/api/latest/logs/",
  },
  {
    name: "Sumo Logic",
    hooks: "*.sumologic.com/receiver/v1/http/{}",
    source: "https://help.sumologic.com/docs/send-data/hosted-collectors/http-source/",
  },
  {
    name: "Stripe",
    keys: "[rs]k_live_{16} [rs]k_test_{16} sk_org_live_{16} whsec_{24}",
    publishable: "pk_live_{1w} pk_test_{1w}",
    source: gitleaks,
  },
  { name: "Pulumi", keys: "pul-{40x}", source: gitleaks },
  { name: "npm", keys: "npm_{30}", source: gitleaks },
  { name: "PyPI", keys: "pypi-{40w}", source: gitleaks },
  { name: "RubyGems", keys: "rubygems_{40x}", source: gitleaks },
  { name: "DigitalOcean", keys: "do[opr]_v1_{64x}", source: gitleaks },
  { name: "Databricks", keys: "dapi{32x}", source: gitleaks },
  { name: "Mailgun", keys: "key-{32x}", source: gitleaks },
  { name: "Mailchimp", keys: "{32x}-us{1-2n}", source: gitleaks },
  { name: "SendGrid", keys: "SG.{22w}.{43w}", source: gitleaks },
  { name: "Brevo", keys: "xkeysib-{64x} xsmtpsib-{64x}", source: gitleaks },
  { name: "Resend", keys: "re_{8}_{24}", source: kingfisher },
  { name: "Shopify", keys: "shpat_{32x} shpca_{32x} shppa_{32x} shpss_{32x}", source: gitleaks },
  { name: "Vault", keys: "hv[bsr].{20w}", source: gitleaks },
  { name: "Terraform", keys: "atlasv1.{60w}", source: gitleaks },
  {
    name: "Doppler",
    keys: "dp.pt.{32d} dp.ct.{32d} dp.sa.{32d} dp.st.{32d} dp.scim.{32d} dp.audit.{32d}",
    source: gitleaks,
  },
  { name: "PlanetScale", keys: "pscale_tkn_{32w} pscale_pw_{32w} pscale_oauth_{32w}", source: gitleaks },
  { name: "Postman", keys: "PMAK-{24w}", source: gitleaks },
  { name: "New Relic", keys: "NRAK-{27} NRII-{32w}", source: gitleaks },
  { name: "Heroku", keys: "HRKU-{36w}", source: gitleaks },
  { name: "Prefect", keys: "pnu_{36}", source: gitleaks },
  { name: "Dynatrace", keys: "dt0c01.{24} dt0s01.{24} dt0s16.{24}", source: gitleaks },
  { name: "Anthropic", keys: "sk-ant-{32w}", source: gitleaks },
  { name: "OpenAI", keys: "sk-{32} sk-proj-{32w} sk-svcacct-{32w} sk-admin-{32w}", source: gitleaks },
  { name: "Hugging Face", keys: "hf_{30} api_org_{30}", source: gitleaks },
  { name: "Perplexity", keys: "pplx-{40}", source: gitleaks },
  { name: "Groq", keys: "gsk_{40}", source: kingfisher },
  { name: "Replicate", keys: "r8_{36}", source: kingfisher },
  { name: "xAI", keys: "xai-{60}", source: kingfisher },
  { name: "Google", keys: "AIza{30w} ya29.{30w} GOCSPX-{24w} 1//0{24w}", source: kingfisher },
  { name: "AWS", keys: "AKIA{16A} ASIA{16A}", source: gitleaks },
  { name: "Twilio", keys: "SK{32x}", source: gitleaks },
  { name: "Docker", keys: "dckr_pat_{20w} dckr_oat_{20w}", source: kingfisher },
  { name: "Netlify", keys: "nf[cp]_{36}", source: kingfisher },
  { name: "Fly", keys: "fm2_{40w} fo1_{40w} FlyV1{40w}", source: gitleaks },
  {
    name: "Supabase",
    keys: "sbp_{40x} sb_secret_{20w}",
    publishable: "sb_publishable_{20w}",
    source: kingfisher,
  },
  { name: "Neon", keys: "napi_{60}", source: kingfisher },
  { name: "Figma", keys: "figd_{40w}", source: kingfisher },
  { name: "Mapbox", keys: "sk.eyJ{20-400w}.{10w}", publishable: "pk.eyJ{20d}", source: kingfisher },
  {
    name: "Plaid",
    keys: "access-production-{36u} access-development-{36u} access-sandbox-{36u}",
    source: gitleaks,
  },
  { name: "Square", keys: "sq0atp-{22w} sq0csp-{22w} EAAA{56w}", source: gitleaks },
  { name: "HubSpot", keys: "pat-eu1-{36u} pat-na1-{36u} pat-na2-{36u}", source: kingfisher },
  { name: "Tailscale", keys: "tskey-{20w}", source: "https://tailscale.com/docs/reference/key-prefixes" },
  { name: "Buildkite", keys: "bkua_{40}", source: kingfisher },
  { name: "1Password", keys: "ops_eyJ{40w} A3-{6A}-{6A}-{5A}-{5A}", source: gitleaks },
  { name: "Cloudflare", keys: "v1.0-{24x}-{100x}", source: gitleaks },
  { name: "Contentful", keys: "CFPAT-{40w}", source: gitleaks },
  { name: "age", keys: "AGE-SECRET-KEY-1{58}", source: gitleaks },
  { name: "NuGet", keys: "oy2{43}", source: kingfisher },
  { name: "JFrog", keys: "AKCp{60}", source: gitleaks },
  { name: "PostHog", keys: "phx_{40}", publishable: "phc_{1w}", source: kingfisher },
  { name: "Sonar", keys: "sq[apu]_{40x}", source: kingfisher },
  { name: "Sourcegraph", keys: "sgp_{32w}", source: gitleaks },
  { name: "ReadMe", keys: "rdme_{60}", source: gitleaks },
  { name: "Django", keys: "django-insecure-{30s}", source: kingfisher },
  { name: "Zoom", publishable: "*.zoom.us?pwd", source: "https://support.zoom.com/hc/en" },
  { name: "Loom", publishable: "*.loom.com?sid", source: "https://support.atlassian.com/loom/" },
  { name: "OneDrive", publishable: "*.live.com?authkey", source: "https://support.microsoft.com/onedrive" },
  { name: "Dropbox", publishable: "*.dropbox.com?rlkey", source: "https://help.dropbox.com/share" },
  {
    name: "Google Drive",
    publishable: "*.google.com?resourcekey",
    source: "https://support.google.com/drive",
  },
  {
    // Its other addresses, of /webhook/, stay. These show what arrives within two minutes after a click.
    name: "n8n",
    hosts: "*/webhook-test",
    receives: "inspection",
    source:
      "https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.webhook/workflow-development/",
  },
  { name: "Webhook.site", hosts: "webhook.site *.webhook.site", receives: "inspection" },
  {
    name: "RequestBin",
    hosts: "requestbin.com *.requestbin.com requestbin.net *.requestbin.net *.x.pipedream.net",
    receives: "inspection",
  },
  { name: "Beeceptor", hosts: "beeceptor.com *.beeceptor.com", receives: "inspection" },
  { name: "Hookbin", hosts: "hookbin.com", receives: "inspection" },
  { name: "httpbin", hosts: "httpbin.org httpbingo.org", receives: "inspection" },
  { name: "Postman Echo", hosts: "postman-echo.com *.mock.pstmn.io", receives: "inspection" },
  { name: "Mockbin", hosts: "mockbin.org mockbin.io", receives: "inspection" },
  { name: "MockAPI", hosts: "*.mockapi.io", receives: "inspection" },
  { name: "Request Catcher", hosts: "*.requestcatcher.com", receives: "inspection" },
  { name: "Toilet", hosts: "ptsv2.com ptsv3.com", receives: "inspection" },
  { name: "Webhook Inbox", hosts: "webhookinbox.com", receives: "inspection" },
  { name: "Smee", hosts: "smee.io", receives: "inspection" },
  { name: "Typed Webhook", hosts: "typedwebhook.tools", receives: "inspection" },
  { name: "Webhook Cool", hosts: "webhook.cool", receives: "inspection" },
  { name: "Svix Play", hosts: "play.svix.com", receives: "inspection" },
  {
    name: "ngrok",
    hosts: "*.ngrok.io *.ngrok.app *.ngrok.dev *.ngrok-free.app *.ngrok-free.dev",
    receives: "inspection",
  },
  { name: "localtunnel", hosts: "*.loca.lt", receives: "inspection" },
  { name: "Cloudflare Tunnel", hosts: "*.trycloudflare.com", receives: "inspection" },
  { name: "Serveo", hosts: "*.serveo.net", receives: "inspection" },
  { name: "localhost.run", hosts: "*.lhr.life", receives: "inspection" },
  { name: "Interactsh", hosts: "*.interact.sh *.oast.fun *.oast.pro", receives: "inspection" },
  { name: "Burp Collaborator", hosts: "*.burpcollaborator.net", receives: "inspection" },
];
