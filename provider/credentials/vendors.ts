/**
 * Lists forms of the keys, hooks and hosts that vendors document:
 *
 * - `{30}` means 30 letters or digits, or more at the end of a form, `{8-12}` means 8 to 12, and `{}` means any text.
 * - A letter specifies the characters: `{40x}` hexadecimal digits, `{12n}` digits, `{16A}` capitals and digits, `{36u}` a UUID,
 *   `{20w}` also `-` and `_`, `{32d}` also `.`, `{31t}` also `.` and `~`, `{30s}` everything except white space and quotes.
 * - `[abc]` means a, b or c.
 * - `*` means any text that isn't a secret, such as the subdomains of a host, any host, or an ID in a path.
 * - A host may include the first segment of a path: `acme.example/invite` means all URLs below it.
 *
 * The forms of keys are from gitleaks and kingfisher; the forms of hooks and hosts are from the documentation of the host.
 */

const words = (text: string): readonly string[] => text.match(/\S+/g) ?? [];

/** Keys that are recognized by their form. */
export const keys = words(`
  xox[abcdeoprs]-{10w} xoxe.{10w} xapp-{10w} [MNO]{23-27w}.{6w}.{27w} {8-12n}:AA{30w} glsa_{32w} glc_{32w}
  ATATT3{28w} ATCTT3{28w} ATBB{28w} gh[oprsu]_{30} github_pat_{40w} glpat-{20w} gloas-{20w} gldt-{20w}
  glrt-{20w} glrtr-{20w} glcbt-{20w} glptt-{20w} glft-{20w} glimt-{20w} glagent-{20w} glsoat-{20w}
  glwt-{20w} glffct-{20w} lin_api_{32} lin_oauth_{32} {3t}{1n}Q~{31-34t} ntn_{40} secret_{40} pat{14}.{64x}
  cu_{32x} sv_{32x} rnd_{24} CCIPAT_{40w} CCIPRJ_{40w} sntrys_{40w} sntryu_{40w} [rs]k_live_{16}
  [rs]k_test_{16} sk_org_live_{16} whsec_{24} pul-{40x} npm_{30} pypi-{40w} rubygems_{40x} do[opr]_v1_{64x}
  dapi{32x} key-{32x} {32x}-us{1-2n} SG.{22w}.{43w} xkeysib-{64x} xsmtpsib-{64x} re_{8}_{24} shpat_{32x}
  shpca_{32x} shppa_{32x} shpss_{32x} hv[bsr].{20w} atlasv1.{60w} dp.pt.{32d} dp.ct.{32d} dp.sa.{32d}
  dp.st.{32d} dp.scim.{32d} dp.audit.{32d} pscale_tkn_{32w} pscale_pw_{32w} pscale_oauth_{32w} PMAK-{24w}
  NRAK-{27} NRII-{32w} HRKU-{36w} pnu_{36} dt0c01.{24} dt0s01.{24} dt0s16.{24} sk-ant-{32w} sk-{32}
  sk-proj-{32w} sk-svcacct-{32w} sk-admin-{32w} hf_{30} api_org_{30} pplx-{40} gsk_{40} r8_{36} xai-{60}
  AIza{30w} ya29.{30w} GOCSPX-{24w} 1//0{24w} AKIA{16A} ASIA{16A} SK{32x} dckr_pat_{20w} dckr_oat_{20w}
  nf[cp]_{36} fm2_{40w} fo1_{40w} FlyV1{40w} sbp_{40x} sb_secret_{20w} napi_{60} figd_{40w}
  sk.eyJ{20-400w}.{10w} access-production-{36u} access-development-{36u} access-sandbox-{36u} sq0atp-{22w}
  sq0csp-{22w} EAAA{56w} pat-eu1-{36u} pat-na1-{36u} pat-na2-{36u} tskey-{20w} bkua_{40} ops_eyJ{40w}
  A3-{6A}-{6A}-{5A}-{5A} v1.0-{24x}-{100x} CFPAT-{40w} AGE-SECRET-KEY-1{58} oy2{43} AKCp{60} phx_{40}
  sq[apu]_{40x} sgp_{32w} rdme_{60} django-insecure-{30s}`);

/** URLs that contain a secret, as `host/path/{}` or `host?parameter={}`. */
export const hooks = words(`
  hooks.slack.com/services/*/*/{12} hooks.slack.com/workflows/*/*/*/{12} hooks.slack.com/triggers/*/*/{12}
  hooks.slack-gov.com/services/*/*/{12} hooks.slack-gov.com/workflows/*/*/*/{12}
  hooks.slack-gov.com/triggers/*/*/{12} discord.com/api/webhooks/*/{20w} discord.com/api/*/webhooks/*/{20w}
  *.discord.com/api/webhooks/*/{20w} *.discord.com/api/*/webhooks/*/{20w}
  discordapp.com/api/webhooks/*/{20w} discordapp.com/api/*/webhooks/*/{20w}
  *.webhook.office.com/webhook/{36u}* *.webhook.office.com/webhookb2/{36u}*
  outlook.office.com/webhook/{36u}* outlook.office.com/webhookb2/{36u}* outlook.office365.com/webhook/{36u}*
  outlook.office365.com/webhookb2/{36u}* *.logic.azure.com?sig={20w} *.logic.azure.us?sig={20w}
  *.powerplatform.com?sig={20w} chat.googleapis.com?token={20w} */bot{5-12n}:{24w}
  open.feishu.cn/open-apis/bot/*/hook/{36u} open.larksuite.com/open-apis/bot/*/hook/{36u}
  oapi.dingtalk.com?access_token={32x} qyapi.weixin.qq.com?key={36u} *.ryver.com/application/webhook/{}
  events.pagerduty.com/integration/{} events.eu.pagerduty.com/integration/{} *.ilert.com/api/v1/events/*/{}
  *.ilertnow.com/api/v1/events/*/{} alert.victorops.com/integrations/generic/*/alert/{}
  api.squadcast.com/*/incidents/*/{} *.zenduty.com/api/events/{} *.grafana.net/oncall/integrations/v1/*/{}
  */integrations/v1/*/{16} connect.signl4.com/webhook/{} api.pagertree.com/integration/{}
  api.instatus.com/v3/integrations/*/{} hooks.zapier.com/hooks/catch/*/{} *.make.com/{}
  maker.ifttt.com/trigger/*/with/key/{} maker.ifttt.com/trigger/*/json/with/key/{} */api/webhook/{}
  hooks.nabu.casa/{} */api/push/{} ntfy.sh/{} *.ntfy.sh/{} hc-ping.com/{} nosnch.in/{}
  ping.checklyhq.com/{} calendar.google.com/calendar/ical/*/{} api.vercel.com/v1/integrations/deploy/*/{}
  *.datadoghq.com/v1/input/{} *.datadoghq.eu/v1/input/{} *.sumologic.com/receiver/v1/http/{}`);

/** Public keys, and public parameters of a host, that look secret. */
export const publishable = words(`
  chat.googleapis.com?key *.sentry.io?password *.sentry.io?sentry_key pk_live_{1w} pk_test_{1w}
  sb_publishable_{20w} pk.eyJ{20d} phc_{1w} *.zoom.us?pwd *.loom.com?sid *.live.com?authkey
  *.dropbox.com?rlkey *.google.com?resourcekey`);

/** Kind of well-known service that a URL leads to. */
export type ReceiverKind = "on-call" | "ticket" | "inspection" | "people" | "closed";

/**
 * Hosts of well-known services, grouped by how they handle alerts. Contains only the kinds that rules need: `inspection` shows alerts to
 * anyone who looks at it, `people` are links for people and accept no alert, and `closed` are switched off.
 */
export const hosts = {
  "on-call": words(`
    *.pagerduty.com *.opsgenie.com *.opsgenie.net *.ilert.com *.ilertnow.com *.victorops.com *.rootly.com
    *.incident.io *.firehydrant.com *.firehydrant.io *.squadcast.com *.zenduty.com *.xmatters.com
    *.betterstack.com *.betteruptime.com *.spike.sh *.grafana.net *.alertops.com *.signl4.com *.allquiet.app
    allquiet.app *.pagertree.com *.bigpanda.io api.atlassian.com/jsm *.oncall.datadoghq.com
    *.oncall.datadoghq.eu api.twilio.com studio.twilio.com`),
  ticket: words(`
    *.atlassian.net *.atlassian.com api.bitbucket.org api.trello.com api.github.com github.com gitlab.com
    *.gitlab.com api.linear.app *.zendesk.com *.freshservice.com *.freshdesk.com *.service-now.com
    app.asana.com api.monday.com *.clickup.com *.youtrack.cloud *.intercom.io dev.azure.com
    *.visualstudio.com api.notion.com api.airtable.com *.shortcut.com api.todoist.com`),
  inspection: words(`
    */webhook-test webhook.site *.webhook.site requestbin.com *.requestbin.com requestbin.net
    *.requestbin.net *.x.pipedream.net beeceptor.com *.beeceptor.com hookbin.com httpbin.org httpbingo.org
    postman-echo.com *.mock.pstmn.io mockbin.org mockbin.io *.mockapi.io *.requestcatcher.com ptsv2.com
    ptsv3.com webhookinbox.com smee.io typedwebhook.tools webhook.cool play.svix.com *.ngrok.io *.ngrok.app
    *.ngrok.dev *.ngrok-free.app *.ngrok-free.dev *.loca.lt *.trycloudflare.com *.serveo.net *.lhr.life
    *.interact.sh *.oast.fun *.oast.pro *.burpcollaborator.net`),
  people: words(`
    join.slack.com app.slack.com *.slack.com/archives discord.gg discord.com/invite discord.com/channels
    discordapp.com/invite discordapp.com/channels teams.microsoft.com/l teams.live.com/l t.me telegram.me`),
  closed: words(`
    outlook.office.com/webhook outlook.office365.com/webhook api.guilded.gg media.guilded.gg *.hipchat.com`),
} as const satisfies Record<ReceiverKind, readonly string[]>;

export const receiverKinds = ["on-call", "ticket", "inspection", "people", "closed"] as const;
