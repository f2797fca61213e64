/** The places of secrets and ids in URLs that their shape would misjudge, each with an example and where its vendor documents it. */
import { redactConfig } from "../../provider/credentials";
import { places, receiverKinds, services } from "../../provider/credentials/services";

/** Each place with an example, and the page of the vendor. */
const table = `
  ntfy.sh/SECRET acme-alerts https://docs.ntfy.sh/publish/
  *.ntfy.sh/SECRET acme-alerts https://docs.ntfy.sh/publish/
  discord.com/api/webhooks/*/SECRET api/webhooks/469984800622/k3vQ9xZ1pL https://discord.com/developers/docs/resources/webhook
  hooks.zapier.com/hooks/catch/*/SECRET hooks/catch/1846290/b3x9kq7 https://help.zapier.com/hc/en-us/articles/8496288690317-Trigger-Zaps-from-webhooks
  connect.signl4.com/webhook/SECRET webhook/kd83msq0ze https://docs.signl4.com/integrations/webhook/webhook.html
  api.vercel.com/v1/integrations/deploy/ID/SECRET v1/integrations/deploy/prj_8Hq2Lr5Tn9Wx3Bv7Km1Pd4Zs6/k3vQ9xZ1pL https://vercel.com/docs/deploy-hooks
  *.ryver.com/application/webhook/SECRET application/webhook/q3Zr8vKp1LwT5xB https://api.ryver.com/
  hooks.nabu.casa/SECRET doorbell https://www.nabucasa.com/config/webhooks/
  api.pushcut.io/v1/notifications/ID v1/notifications/k3vQ9xZ1pLwr0pB4tY6u https://www.pushcut.io/support/web-api
  api.pushcut.io/SECRET k3vQ9xZ1/notifications/ops https://www.pushcut.io/support/web-api
  nosnch.in/SECRET c2354d53d2 https://deadmanssnitch.com/docs
  api.pagertree.com/integration/SECRET integration/int_k3vQ9xZ1 https://pagertree.com/docs/integration-guides/webhook
  maker.ifttt.com/trigger/*/with/key/SECRET trigger/a/with/key/dK3vQ9xZ1pLw https://ifttt.com/maker_webhooks
  maker.ifttt.com/trigger/*/json/with/key/SECRET trigger/a/json/with/key/dK3vQ9xZ1pLw https://ifttt.com/maker_webhooks
  */api/webhook/SECRET api/webhook/hello-super-webhook https://www.home-assistant.io/docs/automation/trigger/#webhook-trigger
  */api/push/SECRET api/push/k3vQ9xZ1pL?status=up https://github.com/louislam/uptime-kuma/wiki/Internal-API
  api.incident.io/v2/alert_events/*/ID v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66 https://api-docs.incident.io/tag/Alert-Events-V2
  */_matrix/client/*/rooms/ID _matrix/client/v3/rooms/!QxWcHdXTmTlTvDkWvS:acme.io/send/m.room.message https://spec.matrix.org/latest/client-server-api/#room-events
  api.airtable.com/v0/ID/ID v0/appQ7z1Kd93LmX0pR/tblA1b2C3d4E5f6G7 https://airtable.com/developers/web/api/create-records
  api.instatus.com/v1/ID v1/clr4k2j8d0001l508/incidents https://instatus.com/help/api/incidents
  webhooks.rootly.com/webhooks/incoming/*/notify/*/ID webhooks/incoming/generic_webhooks/notify/Service/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8 https://docs.rootly.com/integrations/generic-webhook-alert-source/installation.md
  circleci.com/api/v2/project/*/ID/ID api/v2/project/circleci/GM1mbrQEWnNbzLKEnotDo4/5gh9pgQgohHwicwomY5nYQ/pipeline https://circleci.com/docs/api/v2/index.html#tag/Pipeline
  api.render.com/v1/services/ID v1/services/srv-cq9v8t2m3k4l5n6p7q8r/deploys https://api-docs.render.com/reference/create-deploy
  api.render.com/deploy/ID deploy/srv-cq9v8t2m3k4l5n6p7q8r https://render.com/docs/deploy-hooks
  *.sentry.io/api/*/cron/*/ID api/4507/cron/backup/4c1e9a7730f84b2d9b8e2d6f5a1c3e70/ https://docs.sentry.io/product/crons/getting-started/http/
`;
const words = table.trim().split(/\s+/);
const rows = places.map((_, row) => words.slice(3 * row, 3 * row + 3));

function isSecret(url: string): boolean {
  return JSON.stringify(redactConfig({ type: "WEBHOOK", config: { url } })).includes('"literal"');
}

test.each(rows)(
  "the place %s decides about a URL such as %s, as %s says",
  (place = "", example = "", source = "") => {
    const host = place.slice(0, place.indexOf("/")).replace("*.", "acme.").replace("*", "acme.io");
    expect(isSecret(`https://${host}/${example}`)).toBe(place.includes("SECRET"));
    expect(URL.canParse(source)).toBe(true);
    // The shape alone would say the reverse.
    expect(isSecret(`https://ops.acme.io/x/${example}`)).toBe(
      !place.includes("SECRET") || place.includes("ID"),
    );
  },
);

test("each place and each host is there once", () => {
  expect(words.filter((_, index) => index % 3 === 0)).toEqual(places.map((place) => place.join("/")));
  const hosts = [...services.keys()];
  // A row below another one would decide nothing.
  const parents = (host: string) =>
    host.split(".").flatMap((_, at, labels) => (at > 0 ? [`*.${labels.slice(at).join(".")}`] : []));
  const below = hosts.filter((host) =>
    parents(host.replace(/^\*\./, "")).some((parent) => services.has(parent)),
  );
  expect(below).toEqual([]);
  expect(new Set(services.values())).toEqual(new Set(receiverKinds));
});
