/** Names the well-known services that receive alerts, and the places of secrets and ids in their URLs; and tells where a host is. */
import { BlockList, isIP } from "node:net";

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
  api.incident.io/v2/alert_events/*/ID */_matrix/client/*/rooms/ID api.airtable.com/v0/ID/ID api.instatus.com/v1/ID
  webhooks.rootly.com/webhooks/incoming/*/notify/*/ID`).map((place) => place.split("/"));

/** Domains at which an on-call service takes emails as alerts, besides subdomains of its hosts. */
const mailDomains = ["*.opsgenie.net", "*.ilertnow.com"];

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The network of a URL: this machine, a private network, or the internet. */
export const hostClasses = ["loopback", "private", "public"] as const;

/** @param hostname As `URL` returns it: in lower case, IPv6 in brackets. */
export function hostClassOf(hostname: string): (typeof hostClasses)[number] {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  const version = isIP(host);
  if (host === "localhost" || host.endsWith(".localhost")) return "loopback";
  if (version === 0) return privateName.test(host) ? "private" : "public";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback.check(host, family)) return "loopback";
  return privateNetworks.check(host, family) ? "private" : "public";
}

const privateName = /^[^.]+$|\.(?:internal|local|localdomain|lan|intranet|corp|home|private|home\.arpa)$/;

/** Addresses that the internet doesn't route, by the registries of special-purpose addresses of the IANA. */
const privateNetworks = listOf(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7
  fe80::/10 fec0::/10 ff00::/8`);
const loopback = listOf("127.0.0.0/8 ::1/128");

function listOf(networks: string): BlockList {
  const list = new BlockList();
  for (const [address = "", prefix] of wordsOf(networks).map((network) => network.split("/")))
    list.addSubnet(address, Number(prefix), address.includes(":") ? "ipv6" : "ipv4");
  return list;
}

/** The kind of the well-known service at a host; undefined for all others, such as one's own. */
export function receiverAt(hostname: string): ReceiverKind | undefined {
  const known = withParents(hostname).find((host) => services.has(host));
  return known === undefined ? undefined : services.get(known);
}

/** `a.b.c`, `*.b.c` and `*.c`. None for what is too long for a name: its labels would take a time that grows with its square. */
function withParents(hostname: string): string[] {
  if (hostname.length > 253) return [];
  const labels = hostname.toLowerCase().replace(/\.$/, "").split(".");
  return labels.map((_, index) => (index === 0 ? "" : "*.") + labels.slice(index).join("."));
}

/** True if an on-call service takes emails at this domain as alerts. People of the service have addresses at its domain itself. */
export function isOnCallMailDomain(domain: string): boolean {
  const [, ...parents] = withParents(domain);
  return parents.some((parent) => onCallDomains.has(parent));
}

const onCallHosts = [...services.keys()].filter((host) => services.get(host) === "on-call");
const onCallDomains = new Set(
  [...onCallHosts, ...mailDomains].map((host) => `*.${host.split(".").slice(-2).join(".")}`),
);

/** The meaning of each segment of a path by its place: `SECRET`, `ID` or something else. Empty when no place has the path. */
export function placeOf(hostname: string, segments: readonly string[]): readonly string[] {
  const hosts = ["*", ...withParents(hostname)];
  const isSegment = (name: string, index: number) =>
    name === segments[index] || (index < segments.length && ["*", "SECRET", "ID"].includes(name));
  const isAt = ([host = "", ...path]: string[]) => hosts.includes(host) && path.every(isSegment);
  return places.find(isAt)?.slice(1) ?? [];
}
