/** Names the well-known services that receive alerts, and the paths of URLs of which their shape doesn't tell what they are. */

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

/** Hosts separated by spaces, where `*.` stands for any subdomain. */
interface Service {
  readonly hosts: string;
  readonly source: string;
}

/** The kind of service at a host, which no shape of a host tells. */
export const services: Readonly<Record<ReceiverKind, readonly Service[]>> = {
  chat: [
    { hosts: "slack.com", source: "https://docs.slack.dev/reference/methods/chat.postMessage" },
    {
      hosts: "hooks.slack.com hooks.slack-gov.com",
      source: "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks",
    },
    {
      hosts: "discord.com *.discord.com discordapp.com",
      source: "https://discord.com/developers/docs/resources/webhook",
    },
    {
      hosts: "*.webhook.office.com outlook.office.com outlook.office365.com",
      source:
        "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
    },
    {
      hosts: "*.logic.azure.com *.logic.azure.us *.powerplatform.com",
      source: "https://learn.microsoft.com/en-us/connectors/teams/#microsoft-teams-webhook",
    },
    {
      hosts: "chat.googleapis.com",
      source: "https://developers.google.com/workspace/chat/quickstart/webhooks",
    },
    { hosts: "api.telegram.org", source: "https://core.telegram.org/bots/api#making-requests" },
    {
      hosts: "webexapis.com api.ciscospark.com",
      source: "https://developer.webex.com/docs/api/v1/messages/create-a-message",
    },
    {
      hosts: "open.feishu.cn open.larksuite.com",
      source: "https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot",
    },
    { hosts: "oapi.dingtalk.com", source: "https://open.dingtalk.com/document/robots/custom-robot-access" },
    { hosts: "qyapi.weixin.qq.com", source: "https://developer.work.weixin.qq.com/document/path/91770" },
    { hosts: "*.zulipchat.com", source: "https://zulip.com/api/send-message" },
    {
      hosts: "cliq.zoho.com cliq.zoho.eu",
      source: "https://www.zoho.com/cliq/help/platform/webhook-tokens.html",
    },
    {
      hosts: "*.mattermost.com *.mattermost.cloud",
      source: "https://developers.mattermost.com/integrate/webhooks/incoming/",
    },
    { hosts: "*.rocket.chat", source: "https://docs.rocket.chat/docs/integrations" },
    { hosts: "api.flock.com", source: "https://docs.flock.com/display/flockos/Incoming+Webhooks" },
    { hosts: "*.ryver.com", source: "https://api.ryver.com/" },
    { hosts: "api.guilded.gg media.guilded.gg", source: "https://www.guilded.gg/docs/api/webhook" },
  ],
  "on-call": [
    {
      hosts: "events.pagerduty.com events.eu.pagerduty.com api.pagerduty.com",
      source: "https://developer.pagerduty.com/docs/events-api-v2-overview",
    },
    {
      hosts: "api.opsgenie.com api.eu.opsgenie.com",
      source: "https://docs.opsgenie.com/docs/alert-api",
    },
    { hosts: "*.ilert.com", source: "https://docs.ilert.com/developer-docs/rest-api" },
    {
      hosts: "alert.victorops.com",
      source: "https://help.victorops.com/knowledge-base/rest-endpoint-integration-guide/",
    },
    { hosts: "*.rootly.com", source: "https://docs.rootly.com/integrations/generic-webhook-alert-source" },
    { hosts: "api.incident.io", source: "https://api-docs.incident.io/tag/Alert-Events-V2" },
    {
      hosts: "*.firehydrant.com *.firehydrant.io",
      source: "https://docs.firehydrant.com/reference/create_incident",
    },
    { hosts: "*.squadcast.com", source: "https://developers.squadcast.com/incoming-webhooks/" },
    { hosts: "*.zenduty.com", source: "https://docs.zenduty.com/docs/api" },
    { hosts: "*.xmatters.com", source: "https://help.xmatters.com/ondemand/flowdesigner/http-triggers.htm" },
    {
      hosts: "*.betterstack.com *.betteruptime.com",
      source: "https://betterstack.com/docs/uptime/incoming-webhooks/",
    },
    { hosts: "*.spike.sh", source: "https://docs.spike.sh/integrations/webhooks" },
    {
      hosts: "*.grafana.net",
      source: "https://grafana.com/docs/oncall/latest/configure/integrations/references/webhook/",
    },
    { hosts: "*.alertops.com", source: "https://help.alertops.com/integrations" },
    { hosts: "*.signl4.com", source: "https://docs.signl4.com/integrations/webhook/webhook.html" },
    {
      hosts: "*.allquiet.app allquiet.app",
      source: "https://docs.allquiet.app/integrations/inbound/webhook",
    },
    { hosts: "*.pagertree.com", source: "https://pagertree.com/docs/integration-guides/webhook" },
    { hosts: "*.bigpanda.io", source: "https://docs.bigpanda.io/reference/alerts-how-it-works" },
  ],
  ticket: [
    {
      hosts: "*.atlassian.net *.atlassian.com",
      source: "https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/",
    },
    { hosts: "api.github.com github.com", source: "https://docs.github.com/en/rest/issues/issues" },
    {
      hosts: "gitlab.com *.gitlab.com",
      source: "https://docs.gitlab.com/operations/incident_management/integrations/",
    },
    { hosts: "api.linear.app", source: "https://linear.app/developers/graphql" },
    {
      hosts: "*.zendesk.com",
      source: "https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/",
    },
    { hosts: "*.freshservice.com", source: "https://api.freshservice.com/#create_ticket" },
    { hosts: "*.freshdesk.com", source: "https://developers.freshdesk.com/api/#create_ticket" },
    {
      hosts: "*.service-now.com",
      source: "https://developer.servicenow.com/dev.do#!/reference/api/latest/rest/c_TableAPI",
    },
    { hosts: "api.trello.com", source: "https://developer.atlassian.com/cloud/trello/rest/api-group-cards/" },
    { hosts: "app.asana.com", source: "https://developers.asana.com/reference/createtask" },
    { hosts: "api.monday.com", source: "https://developer.monday.com/api-reference/reference/items" },
    { hosts: "*.clickup.com", source: "https://developer.clickup.com/reference/createtask" },
    {
      hosts: "*.youtrack.cloud",
      source: "https://www.jetbrains.com/help/youtrack/devportal/resource-api-issues.html",
    },
    {
      hosts: "*.intercom.io",
      source: "https://developers.intercom.com/docs/references/rest-api/api.intercom.io/tickets",
    },
    {
      hosts: "dev.azure.com *.visualstudio.com",
      source: "https://learn.microsoft.com/en-us/rest/api/azure/devops/wit/work-items/create",
    },
    { hosts: "api.notion.com", source: "https://developers.notion.com/reference/post-page" },
    { hosts: "api.airtable.com", source: "https://airtable.com/developers/web/api/create-records" },
    { hosts: "*.shortcut.com", source: "https://developer.shortcut.com/api/rest/v3#Create-Story" },
    {
      hosts: "api.bitbucket.org",
      source: "https://developer.atlassian.com/cloud/bitbucket/rest/api-group-issue-tracker/",
    },
    { hosts: "api.todoist.com", source: "https://developer.todoist.com/rest/v2/#create-a-new-task" },
  ],
  "status-page": [
    {
      hosts: "api.statuspage.io",
      source: "https://developer.statuspage.io/#operation/postPagesPageIdIncidents",
    },
    { hosts: "*.instatus.com", source: "https://instatus.com/help/api/incidents" },
    { hosts: "api.status.io", source: "https://statusio.docs.apiary.io/" },
    { hosts: "*.statuspal.io", source: "https://www.statuspal.io/api-docs" },
    { hosts: "api.openstatus.dev", source: "https://docs.openstatus.dev/api-reference" },
    { hosts: "*.hund.io", source: "https://hund.io/help/api" },
  ],
  automation: [
    {
      hosts: "hooks.zapier.com",
      source: "https://help.zapier.com/hc/en-us/articles/8496288690317-Trigger-Zaps-from-webhooks",
    },
    { hosts: "*.make.com *.integromat.com", source: "https://help.make.com/webhooks" },
    { hosts: "maker.ifttt.com", source: "https://ifttt.com/maker_webhooks" },
    {
      hosts: "*.m.pipedream.net",
      source: "https://pipedream.com/docs/workflows/building-workflows/triggers/",
    },
    {
      hosts: "*.n8n.cloud",
      source: "https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.webhook/",
    },
    { hosts: "*.workato.com", source: "https://docs.workato.com/connectors/workato-webhooks.html" },
    { hosts: "*.tray.io", source: "https://docs.tray.ai/connectors/triggers/webhook-trigger/" },
    { hosts: "hooks.nabu.casa", source: "https://www.nabucasa.com/config/webhooks/" },
    { hosts: "*.activepieces.com", source: "https://www.activepieces.com/pieces/webhook" },
    { hosts: "api.pushcut.io", source: "https://www.pushcut.io/support/web-api" },
  ],
  message: [
    { hosts: "api.pushover.net", source: "https://pushover.net/api" },
    { hosts: "ntfy.sh *.ntfy.sh", source: "https://docs.ntfy.sh/publish/" },
    { hosts: "api.pushbullet.com", source: "https://docs.pushbullet.com/#create-push" },
    { hosts: "api.prowlapp.com", source: "https://www.prowlapp.com/api.php" },
    {
      hosts: "onesignal.com api.onesignal.com",
      source: "https://documentation.onesignal.com/reference/create-message",
    },
    { hosts: "api.twilio.com", source: "https://www.twilio.com/docs/messaging/api/message-resource" },
    {
      hosts: "api.sendgrid.com",
      source: "https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send",
    },
    {
      hosts: "api.mailgun.net api.eu.mailgun.net",
      source: "https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages",
    },
    { hosts: "api.postmarkapp.com", source: "https://postmarkapp.com/developer/api/email-api" },
    { hosts: "api.resend.com", source: "https://resend.com/docs/api-reference/emails/send-email" },
    { hosts: "api.brevo.com", source: "https://developers.brevo.com/reference/sendtransacemail" },
    {
      hosts: "api.vonage.com api.nexmo.com rest.nexmo.com",
      source: "https://developer.vonage.com/en/api/sms",
    },
    {
      hosts: "rest.clicksend.com api.clicksend.com",
      source: "https://developers.clicksend.com/docs/messaging/sms/",
    },
  ],
  data: [
    { hosts: "*.datadoghq.com *.datadoghq.eu", source: "https://docs.datadoghq.com/api/latest/events/" },
    {
      hosts: "*.splunkcloud.com",
      source: "https://help.splunk.com/en/splunk-cloud-platform/get-started/get-data-in/http-event-collector",
    },
    {
      hosts: "*.newrelic.com",
      source: "https://docs.newrelic.com/docs/data-apis/ingest-apis/event-api/introduction-event-api/",
    },
    { hosts: "api.honeycomb.io", source: "https://api-docs.honeycomb.io/api/events" },
    { hosts: "*.coralogix.com", source: "https://coralogix.com/docs/integrations/rest-api/" },
    { hosts: "*.sentry.io", source: "https://docs.sentry.io/api/" },
    { hosts: "hc-ping.com healthchecks.io", source: "https://healthchecks.io/docs/http_api/" },
    {
      hosts: "*.loggly.com",
      source: "https://documentation.solarwinds.com/en/success_center/loggly/content/admin/http-endpoint.htm",
    },
    { hosts: "*.logz.io", source: "https://docs.logz.io/docs/shipping/other/json/" },
  ],
  inspection: [
    { hosts: "webhook.site *.webhook.site", source: "https://docs.webhook.site/" },
    {
      hosts: "requestbin.com *.requestbin.com requestbin.net *.requestbin.net *.x.pipedream.net",
      source: "https://pipedream.com/requestbin",
    },
    { hosts: "beeceptor.com *.beeceptor.com", source: "https://beeceptor.com/docs/" },
    { hosts: "hookbin.com", source: "https://hookbin.com/" },
    { hosts: "httpbin.org", source: "https://httpbin.org/" },
    { hosts: "httpbingo.org", source: "https://httpbingo.org/" },
    {
      hosts: "postman-echo.com *.mock.pstmn.io",
      source: "https://learning.postman.com/docs/developer/echo-api/",
    },
    { hosts: "mockbin.org mockbin.io", source: "https://mockbin.io/" },
    { hosts: "*.mockapi.io", source: "https://mockapi.io/docs" },
    { hosts: "*.requestcatcher.com", source: "https://requestcatcher.com/" },
    { hosts: "ptsv2.com ptsv3.com", source: "https://ptsv3.com/" },
    { hosts: "webhookinbox.com", source: "http://webhookinbox.com/" },
    { hosts: "smee.io", source: "https://smee.io/" },
    { hosts: "typedwebhook.tools", source: "https://typedwebhook.tools/" },
    { hosts: "webhook.cool", source: "https://webhook.cool/" },
    { hosts: "play.svix.com", source: "https://www.svix.com/play/" },
    {
      hosts: "*.ngrok.io *.ngrok.app *.ngrok.dev *.ngrok-free.app *.ngrok-free.dev",
      source: "https://ngrok.com/docs/universal-gateway/domains/",
    },
    { hosts: "*.loca.lt", source: "https://github.com/localtunnel/localtunnel" },
    {
      hosts: "*.trycloudflare.com",
      source:
        "https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/do-more-with-tunnels/trycloudflare/",
    },
    { hosts: "*.serveo.net", source: "https://serveo.net/" },
    { hosts: "*.lhr.life", source: "https://localhost.run/docs/" },
    {
      hosts: "*.interact.sh *.oast.fun *.oast.pro",
      source: "https://github.com/projectdiscovery/interactsh",
    },
    {
      hosts: "*.burpcollaborator.net",
      source: "https://portswigger.net/burp/documentation/collaborator",
    },
  ],
};

/** Paths by their beginning, in which `*` stands for one segment. */
interface PathRow extends Service {
  readonly path: string;
  /** A URL that its shape alone would misjudge. */
  readonly example: string;
}

/** Paths whose rest is the secret, although it may be as short as a word. */
export const secretPaths: readonly PathRow[] = [
  {
    hosts: "ntfy.sh *.ntfy.sh",
    path: "/",
    example: "https://ntfy.sh/acme-alerts",
    source: "https://docs.ntfy.sh/publish/",
  },
  {
    hosts: "hooks.zapier.com",
    path: "/hooks/catch/*/",
    example: "https://hooks.zapier.com/hooks/catch/1846290/b3x9kq7/",
    source: "https://help.zapier.com/hc/en-us/articles/8496288690317-Trigger-Zaps-from-webhooks",
  },
  {
    hosts: "api.vercel.com",
    path: "/v1/integrations/deploy/*/",
    example: "https://api.vercel.com/v1/integrations/deploy/prj_1/k3vQ9xZ1pL",
    source: "https://vercel.com/docs/deploy-hooks",
  },
  {
    hosts: "connect.signl4.com",
    path: "/webhook/",
    example: "https://connect.signl4.com/webhook/kd83msq0ze",
    source: "https://docs.signl4.com/integrations/webhook/webhook.html",
  },
  {
    hosts: "*.ryver.com",
    path: "/application/webhook/",
    example: "https://acme.ryver.com/application/webhook/q3Zr8vKp1LwT5xB",
    source: "https://api.ryver.com/",
  },
  {
    hosts: "hooks.nabu.casa",
    path: "/",
    example: "https://hooks.nabu.casa/doorbell",
    source: "https://www.nabucasa.com/config/webhooks/",
  },
  {
    hosts: "api.pushcut.io",
    path: "/",
    example: "https://api.pushcut.io/k3vQ9xZ1/notifications/ops",
    source: "https://www.pushcut.io/support/web-api",
  },
  {
    hosts: "nosnch.in",
    path: "/",
    example: "https://nosnch.in/c2354d53d2",
    source: "https://deadmanssnitch.com/docs",
  },
  {
    hosts: "api.pagertree.com",
    path: "/integration/",
    example: "https://api.pagertree.com/integration/int_k3vQ9xZ1",
    source: "https://pagertree.com/docs/integration-guides/webhook",
  },
  {
    hosts: "maker.ifttt.com",
    path: "/trigger/*/with/key/",
    example: "https://maker.ifttt.com/trigger/alert/with/key/dK3vQ9xZ1pLw",
    source: "https://ifttt.com/maker_webhooks",
  },
  {
    hosts: "maker.ifttt.com",
    path: "/trigger/*/json/with/key/",
    example: "https://maker.ifttt.com/trigger/alert/json/with/key/dK3vQ9xZ1pLw",
    source: "https://ifttt.com/maker_webhooks",
  },
];

/** Paths whose ids look like a secret and aren't one: the key is in a header, in the query or in the body. */
export const publicPaths: readonly PathRow[] = [
  {
    hosts: "api.incident.io",
    path: "/v2/alert_events/*/",
    example: "https://api.incident.io/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66",
    source: "https://api-docs.incident.io/tag/Alert-Events-V2",
  },
  {
    hosts: "webhooks.rootly.com",
    path: "/webhooks/incoming/*/notify/",
    example:
      "https://webhooks.rootly.com/webhooks/incoming/generic_webhooks/notify/Service/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8",
    source: "https://docs.rootly.com/integrations/generic-webhook-alert-source/installation.md",
  },
  {
    hosts: "api-private.atlassian.com",
    path: "/automation/webhooks/",
    example:
      "https://api-private.atlassian.com/automation/webhooks/jira/a/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8/0d9c1e2f-3a4b-4c5d-8e6f-7a8b9c0d1e2f",
    source: "https://support.atlassian.com/cloud-automation/docs/jira-automation-triggers/",
  },
  {
    hosts: "api.retool.com",
    path: "/v1/workflows/",
    example: "https://api.retool.com/v1/workflows/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8/startTrigger",
    source: "https://docs.retool.com/3.284/workflows/guides/webhooks",
  },
  {
    hosts: "api.atlassian.com",
    path: "/ex/",
    example: "https://api.atlassian.com/ex/jira/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8/rest/api/3/issue",
    source: "https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/",
  },
  {
    hosts: "api.atlassian.com",
    path: "/jsm/",
    example: "https://api.atlassian.com/jsm/ops/api/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8/v1/alerts",
    source: "https://developer.atlassian.com/cloud/jira/service-desk-ops/rest/v2/intro/",
  },
  {
    hosts: "*.logic.azure.com *.logic.azure.us *.powerplatform.com",
    path: "/workflows/",
    example:
      "https://prod-12.westeurope.logic.azure.com/workflows/4c1e9a7730f84b2d9b8e2d6f5a1c3e70/triggers/manual/paths/invoke?sp=run",
    source: "https://learn.microsoft.com/en-us/azure/logic-apps/logic-apps-securing-a-logic-app",
  },
  {
    hosts: "*.powerplatform.com",
    path: "/powerautomate/automations/direct/workflows/",
    example:
      "https://d41f.0a.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/4c1e9a7730f84b2d9b8e2d6f5a1c3e70/triggers/manual/paths/invoke?sp=run",
    source: "https://learn.microsoft.com/en-us/power-automate/triggers-introduction",
  },
  {
    hosts: "*.xmatters.com",
    path: "/api/integration/1/functions/",
    example:
      "https://acme.xmatters.com/api/integration/1/functions/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8/triggers",
    source: "https://help.xmatters.com/ondemand/flowdesigner/http-triggers.htm",
  },
  {
    hosts: "api.airtable.com",
    path: "/v0/",
    example: "https://api.airtable.com/v0/appQ7z1Kd93LmX0pR/Incidents",
    source: "https://airtable.com/developers/web/api/create-records",
  },
  {
    hosts: "api.notion.com",
    path: "/v1/",
    example: "https://api.notion.com/v1/blocks/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8/children",
    source: "https://developers.notion.com/reference/patch-block-children",
  },
  {
    hosts: "*.service-now.com",
    path: "/api/now/",
    example: "https://acme.service-now.com/api/now/table/incident/4c1e9a7730f84b2d9b8e2d6f5a1c3e70",
    source: "https://developer.servicenow.com/dev.do#!/reference/api/latest/rest/c_TableAPI",
  },
  {
    hosts: "dev.azure.com",
    path: "/",
    example: "https://dev.azure.com/acme/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8/_apis/wit/workitems/$Bug",
    source: "https://learn.microsoft.com/en-us/rest/api/azure/devops/wit/work-items/create",
  },
  {
    hosts: "*",
    path: "/*/*/alerts/notify/",
    example: "https://git.acme.io/ops/web/alerts/notify/monitoring/5f1c2b7a9d4e4a51.json",
    source: "https://docs.gitlab.com/operations/incident_management/integrations/",
  },
];

/** Domains at which an on-call service takes emails as alerts, besides subdomains of its hosts. */
export const mailDomains: readonly Service[] = [
  {
    hosts: "*.opsgenie.net",
    source: "https://support.atlassian.com/opsgenie/docs/integrate-opsgenie-with-incoming-email/",
  },
  {
    hosts: "*.ilertnow.com",
    source: "https://github.com/iLert/docs/blob/master/inbound-integrations/email/README.md",
  },
];
