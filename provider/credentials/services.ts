/** Names the well-known services that receive alerts, and the places of secrets and ids in their URLs, as data. */

/** Kinds of well-known services that receive alerts: they decide which settings of a channel make sense. */
export const receiverKinds = [
  "chat",
  "on-call",
  "ticket",
  "status-page",
  "automation",
  "message",
  "data",
  "inspection",
] as const;
/** Kind of well-known service that a URL leads to. */
export type ReceiverKind = (typeof receiverKinds)[number];

/** Hosts by the kind of service, where `*.` stands for any subdomain. */
const table: Readonly<Record<ReceiverKind, string>> = {
  chat: `
    slack.com hooks.slack.com hooks.slack-gov.com discord.com *.discord.com discordapp.com *.webhook.office.com
    outlook.office.com outlook.office365.com *.logic.azure.com *.logic.azure.us *.powerplatform.com chat.googleapis.com
    api.telegram.org webexapis.com api.ciscospark.com open.feishu.cn open.larksuite.com oapi.dingtalk.com
    qyapi.weixin.qq.com *.zulipchat.com cliq.zoho.com cliq.zoho.eu *.mattermost.com *.mattermost.cloud *.rocket.chat
    api.flock.com *.ryver.com api.guilded.gg media.guilded.gg`,
  "on-call": `
    events.pagerduty.com events.eu.pagerduty.com api.pagerduty.com api.opsgenie.com api.eu.opsgenie.com *.ilert.com
    alert.victorops.com *.rootly.com api.incident.io *.firehydrant.com *.firehydrant.io *.squadcast.com *.zenduty.com
    *.xmatters.com *.betterstack.com *.betteruptime.com *.spike.sh *.grafana.net *.alertops.com *.signl4.com
    *.allquiet.app allquiet.app *.pagertree.com *.bigpanda.io`,
  ticket: `
    *.atlassian.net *.atlassian.com api.github.com github.com gitlab.com *.gitlab.com api.linear.app *.zendesk.com
    *.freshservice.com *.freshdesk.com *.service-now.com api.trello.com app.asana.com api.monday.com *.clickup.com
    *.youtrack.cloud *.intercom.io dev.azure.com *.visualstudio.com api.notion.com api.airtable.com *.shortcut.com
    api.bitbucket.org api.todoist.com`,
  "status-page": `
    api.statuspage.io *.instatus.com api.status.io *.statuspal.io api.openstatus.dev *.hund.io`,
  automation: `
    hooks.zapier.com *.make.com *.integromat.com maker.ifttt.com *.m.pipedream.net *.n8n.cloud *.workato.com *.tray.io
    hooks.nabu.casa *.activepieces.com api.pushcut.io`,
  message: `
    api.pushover.net ntfy.sh *.ntfy.sh api.pushbullet.com api.prowlapp.com onesignal.com api.onesignal.com
    api.twilio.com api.sendgrid.com api.mailgun.net api.eu.mailgun.net api.postmarkapp.com api.resend.com
    api.brevo.com api.vonage.com api.nexmo.com rest.nexmo.com rest.clicksend.com api.clicksend.com`,
  data: `
    *.datadoghq.com *.datadoghq.eu *.splunkcloud.com *.newrelic.com api.honeycomb.io *.coralogix.com *.sentry.io
    hc-ping.com healthchecks.io *.loggly.com *.logz.io`,
  inspection: `
    webhook.site *.webhook.site requestbin.com *.requestbin.com requestbin.net *.requestbin.net *.x.pipedream.net
    beeceptor.com *.beeceptor.com hookbin.com httpbin.org httpbingo.org postman-echo.com *.mock.pstmn.io mockbin.org
    mockbin.io *.mockapi.io *.requestcatcher.com ptsv2.com ptsv3.com webhookinbox.com smee.io typedwebhook.tools
    webhook.cool play.svix.com *.ngrok.io *.ngrok.app *.ngrok.dev *.ngrok-free.app *.ngrok-free.dev *.loca.lt
    *.trycloudflare.com *.serveo.net *.lhr.life *.interact.sh *.oast.fun *.oast.pro *.burpcollaborator.net`,
};

/** The kinds by host. */
export const services = new Map(
  receiverKinds.flatMap((kind) => wordsOf(table[kind]).map((host) => [host, kind] as const)),
);

/**
 * Places in URLs that their shape would misjudge, by host and segment: SECRET is one segment that may be as short as a word, ID
 * one that may look random, and `*` any. The host `*` is any host.
 */
export const places = wordsOf(`
  ntfy.sh/SECRET *.ntfy.sh/SECRET hooks.zapier.com/hooks/catch/*/SECRET connect.signl4.com/webhook/SECRET
  api.vercel.com/v1/integrations/deploy/ID/SECRET *.ryver.com/application/webhook/SECRET hooks.nabu.casa/SECRET
  api.pushcut.io/SECRET nosnch.in/SECRET api.pagertree.com/integration/SECRET maker.ifttt.com/trigger/*/with/key/SECRET
  maker.ifttt.com/trigger/*/json/with/key/SECRET */api/webhook/SECRET */api/push/SECRET
  api.incident.io/v2/alert_events/*/ID */_matrix/client/*/rooms/ID api.airtable.com/v0/ID
  webhooks.rootly.com/webhooks/incoming/*/notify/*/ID`).map((place) => place.split("/"));

/** Domains at which an on-call service takes emails as alerts, besides subdomains of its hosts. */
export const mailDomains = ["*.opsgenie.net", "*.ilertnow.com"];

export function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}
