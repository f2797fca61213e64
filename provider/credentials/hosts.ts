/** Tells where a host is: on this machine, in a private network or on the internet; and which well-known service it belongs to. */
import { BlockList, isIP } from "node:net";

/** Where a URL points to: this machine, a private network, or the internet. */
export const hostClasses = ["loopback", "private", "public"] as const;

/** @param hostname As `URL` returns it: in lower case, IPv6 in brackets. */
export function hostClassOf(hostname: string): (typeof hostClasses)[number] {
  const host = mappedAddress(hostname) ?? hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const version = isIP(host);
  if (version === 0) {
    if (loopbackName.test(host)) return "loopback";
    return privateName.test(host) ? "private" : "public";
  }
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback.check(host, family)) return "loopback";
  return privateNetworks.check(host, family) ? "private" : "public";
}

/** The IPv4 address that an IPv6 address stands for. */
function mappedAddress(hostname: string): string | undefined {
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return [high, low]
    .map((hex) => parseInt(hex, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join(".");
}

const loopbackName = /^(?:localhost|.*\.localhost)$/;
const privateName = /^[^.]+$|\.(?:internal|local|localdomain|lan|intranet|corp|home|private|home\.arpa)$/;

/** Addresses that the internet doesn't route, by the registries of special-purpose addresses of the IANA. */
const reserved = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24",
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  "::/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7",
  "fe80::/10 fec0::/10 ff00::/8",
];

const loopback = blockList("127.0.0.0/8 ::1/128");
const privateNetworks = blockList(reserved.join(" "));

function blockList(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(" ")) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

/** Kinds of well-known services that receive webhooks: they decide which settings of a webhook make sense. */
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

/** A well-known service. */
interface Receiver {
  readonly kind: ReceiverKind;
  /** Whether the path of its URLs is a secret. */
  readonly hasSecretPath: boolean;
}

/** The service at a host; undefined for all others, such as one's own. */
export function receiverAt(hostname: string): Receiver | undefined {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  const labels = host.split(".");
  const parents = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`);
  return [host, ...parents].map((name) => receivers.get(name)).find((receiver) => receiver !== undefined);
}

/**
 * Hosts by kind; `*.` stands for any subdomain. With a `/` at the end, the path of the URL is a secret: whoever knows it can
 * post, and the host alone tells nobody.
 */
const hosts: Readonly<Record<ReceiverKind, string>> = {
  chat: `hooks.slack.com/ discord.com/ discordapp.com/ *.discord.com/ *.webhook.office.com/ outlook.office.com/
    outlook.office365.com/ *.logic.azure.com *.powerplatform.com chat.googleapis.com api.telegram.org/ webexapis.com/
    api.ciscospark.com/ open.feishu.cn/ open.larksuite.com/ oapi.dingtalk.com qyapi.weixin.qq.com *.zulipchat.com
    cliq.zoho.com *.mattermost.com/ *.rocket.chat/ api.flock.com/ *.ryver.com/ api.guilded.gg/ media.guilded.gg/`,
  "on-call": `events.pagerduty.com/ events.eu.pagerduty.com/ api.pagerduty.com api.opsgenie.com api.eu.opsgenie.com
    api.ilert.com/ *.ilert.com/ alert.victorops.com/ *.rootly.com api.incident.io *.firehydrant.com/ *.firehydrant.io/
    api.squadcast.com/ *.squadcast.com/ *.zenduty.com/ *.xmatters.com/ *.betterstack.com/ *.betteruptime.com/ *.spike.sh/
    *.grafana.net/ *.alertops.com/ connect.signl4.com/ *.signl4.com/ *.allquiet.app/ *.pagertree.com/ *.bigpanda.io`,
  ticket: `*.atlassian.net *.atlassian.com api.github.com github.com gitlab.com *.gitlab.com api.linear.app *.zendesk.com
    *.freshservice.com *.freshdesk.com *.service-now.com api.trello.com app.asana.com api.monday.com *.clickup.com
    *.youtrack.cloud *.intercom.io dev.azure.com *.visualstudio.com api.notion.com api.airtable.com *.shortcut.com
    api.bitbucket.org api.todoist.com`,
  "status-page": `api.statuspage.io api.instatus.com/ *.instatus.com/ api.status.io *.statuspal.io api.openstatus.dev
    *.hund.io`,
  automation: `hooks.zapier.com/ *.make.com/ *.integromat.com/ maker.ifttt.com/ *.m.pipedream.net/ *.n8n.cloud/
    *.workato.com/ *.tray.io/ hooks.nabu.casa/ *.activepieces.com/ api.pushcut.io/`,
  message: `api.pushover.net ntfy.sh *.ntfy.sh api.pushbullet.com api.prowlapp.com onesignal.com api.twilio.com
    api.sendgrid.com api.mailgun.net api.eu.mailgun.net api.postmarkapp.com api.resend.com api.brevo.com api.vonage.com
    rest.nexmo.com api.clicksend.com`,
  data: `*.datadoghq.com *.datadoghq.eu *.splunkcloud.com *.newrelic.com api.honeycomb.io *.coralogix.com *.sentry.io
    hc-ping.com/ healthchecks.io/ *.loggly.com/ *.logz.io`,
  inspection: `webhook.site *.webhook.site requestbin.com *.requestbin.com requestbin.net *.requestbin.net *.x.pipedream.net
    beeceptor.com *.beeceptor.com hookbin.com httpbin.org httpbingo.org postman-echo.com *.mock.pstmn.io mockbin.org
    mockbin.io *.mockapi.io *.requestcatcher.com ptsv2.com ptsv3.com webhookinbox.com smee.io typedwebhook.tools
    webhook.cool play.svix.com *.ngrok.io *.ngrok.app *.ngrok.dev *.ngrok-free.app *.ngrok-free.dev *.loca.lt
    *.trycloudflare.com *.serveo.net *.lhr.life *.interact.sh *.oast.fun *.oast.pro *.burpcollaborator.net`,
};

const receivers = new Map<string, Receiver>(
  receiverKinds.flatMap((kind) =>
    hosts[kind].split(/\s+/).map((entry): [string, Receiver] => {
      const hasSecretPath = entry.endsWith("/");
      return [hasSecretPath ? entry.slice(0, -1) : entry, { kind, hasSecretPath }];
    }),
  ),
);
