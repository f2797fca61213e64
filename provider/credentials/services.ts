/** Names the well-known services that receive alerts, and the places of secrets and ids in their URLs. */

/** Kinds of well-known services that receive alerts. Only those that a rule asks for are listed. */
export const receiverKinds = ["chat", "on-call", "ticket", "inspection"] as const;
/** Kind of well-known service that a URL leads to. */
export type ReceiverKind = (typeof receiverKinds)[number];

/** Lists the hosts of each kind. `*.` matches any subdomain. */
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
    *.allquiet.app allquiet.app *.pagertree.com *.bigpanda.io *.opsgenie.net *.ilertnow.com`,
  ticket: `
    *.atlassian.net *.atlassian.com api.github.com github.com gitlab.com *.gitlab.com api.linear.app *.zendesk.com
    *.freshservice.com *.freshdesk.com *.service-now.com api.trello.com app.asana.com api.monday.com *.clickup.com
    *.youtrack.cloud *.intercom.io dev.azure.com *.visualstudio.com api.notion.com api.airtable.com *.shortcut.com
    api.bitbucket.org api.todoist.com`,
  inspection: `
    webhook.site *.webhook.site requestbin.com *.requestbin.com requestbin.net *.requestbin.net *.x.pipedream.net
    beeceptor.com *.beeceptor.com hookbin.com httpbin.org httpbingo.org postman-echo.com *.mock.pstmn.io mockbin.org
    mockbin.io *.mockapi.io *.requestcatcher.com ptsv2.com ptsv3.com webhookinbox.com smee.io typedwebhook.tools
    webhook.cool play.svix.com *.ngrok.io *.ngrok.app *.ngrok.dev *.ngrok-free.app *.ngrok-free.dev *.loca.lt
    *.trycloudflare.com *.serveo.net *.lhr.life *.interact.sh *.oast.fun *.oast.pro *.burpcollaborator.net`,
};

const services = new Map(
  receiverKinds.flatMap((kind) => wordsOf(table[kind]).map((host) => [host, kind] as const)),
);

/**
 * Lists URLs whose segments would be misjudged by their shape: SECRET is a secret that may be as short as a word, ID an id that may
 * look random, and `*` any segment. The host `*` is any host.
 */
const places = wordsOf(`
  ntfy.sh/SECRET *.ntfy.sh/SECRET discord.com/api/webhooks/*/SECRET hooks.zapier.com/hooks/catch/*/SECRET connect.signl4.com/webhook/SECRET
  api.vercel.com/v1/integrations/deploy/ID/SECRET *.ryver.com/application/webhook/SECRET hooks.nabu.casa/SECRET
  api.pushcut.io/v1/notifications/ID api.pushcut.io/SECRET nosnch.in/SECRET api.pagertree.com/integration/SECRET maker.ifttt.com/trigger/*/with/key/SECRET
  maker.ifttt.com/trigger/*/json/with/key/SECRET */api/webhook/SECRET */api/push/SECRET
  api.incident.io/v2/alert_events/*/ID */_matrix/client/*/rooms/ID api.airtable.com/v0/ID/ID api.instatus.com/v1/ID
  events.pagerduty.com/integration/SECRET events.eu.pagerduty.com/integration/SECRET hc-ping.com/SECRET *.make.com/SECRET
  alert.victorops.com/integrations/generic/*/alert/SECRET calendar.google.com/calendar/ical/*/SECRET ping.checklyhq.com/SECRET
  webhooks.rootly.com/webhooks/incoming/*/notify/*/ID circleci.com/api/v2/project/*/ID/ID api.render.com/v1/services/ID
  api.render.com/deploy/ID *.sentry.io/api/*/cron/*/ID`).map((place) => place.split("/"));

/** Parameters that their vendors publish, that are of links to share, or that are the same in every hook, by host. Sentry's is the user of its URL. */
const publicParameters = new Set([
  "chat.googleapis.com?key",
  "*.sentry.io?password",
  "*.sentry.io?sentry_key",
  "*.zoom.us?pwd",
  "*.loom.com?sid",
  "*.live.com?authkey",
  "*.dropbox.com?rlkey",
  "*.google.com?resourcekey",
]);

export function isPublicParameter(hostname: string, name: string): boolean {
  return withParents(hostname).some((host) => publicParameters.has(`${host}?${name.toLowerCase()}`));
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Returns the kind of well-known service at a host; undefined for any other host. */
export function receiverAt(hostname: string): ReceiverKind | undefined {
  return withParents(hostname).flatMap((host) => services.get(host) ?? [])[0];
}

/** Returns `a.b.c`, `*.b.c` and `*.c`. A host name that is too long gives none: its labels would take quadratic time. */
function withParents(hostname: string): string[] {
  if (hostname.length > 253) return [];
  const labels = hostname.toLowerCase().replace(/\.$/, "").split(".");
  return labels.map((_, index) => (index === 0 ? "" : "*.") + labels.slice(index).join("."));
}

/** Whether an on-call service receives alerts by email at this domain. Its staff have addresses at the parent domain itself. */
export function isOnCallMailDomain(domain: string): boolean {
  const [, ...parents] = withParents(domain);
  return parents.some((parent) => onCallDomains.has(parent));
}

/** Domains whose mailboxes take what anybody sends who knows the address, which has a token. */
const mailboxDomains = wordsOf(`
  hc-ping.com todoist.net *.todoist.net boards.trello.com incoming.gitlab.com notifications.statuspage.io *.slack.com`);

export function isMailboxDomain(domain: string): boolean {
  return withParents(domain).some((host) => mailboxDomains.includes(host));
}

const onCallDomains = new Set(
  wordsOf(table["on-call"]).map((host) => `*.${host.split(".").slice(-2).join(".")}`),
);

/** Returns what each segment of a path is: `SECRET`, `ID` or its own text. Empty if no listed URL matches. */
export function placeOf(hostname: string, segments: readonly string[]): readonly string[] {
  const hosts = ["*", ...withParents(hostname)];
  const isSegment = (name: string, index: number) =>
    name === segments[index] || (index < segments.length && ["*", "SECRET", "ID"].includes(name));
  const isAt = ([host = "", ...path]: string[]) => hosts.includes(host) && path.every(isSegment);
  return places.find(isAt)?.slice(1) ?? [];
}
