/** The places of secrets and ids in URLs that their shape would misjudge, each with an example and where its vendor documents it. */
import { redactConfig } from "../../provider/credentials";

/** A place of each form with an example, and the page of the vendor. */
const table = `
  ntfy.sh/SECRET acme-alerts https://docs.ntfy.sh/publish/
  api.vercel.com/v1/integrations/deploy/ID/SECRET v1/integrations/deploy/prj_8Hq2Lr5Tn9Wx3Bv7Km1Pd4Zs6/k3vQ9xZ1pL https://vercel.com/docs/deploy-hooks
  *.ryver.com/application/webhook/SECRET application/webhook/q3Zr8vKp1LwT5xB https://api.ryver.com/
  */api/webhook/SECRET api/webhook/hello-super-webhook https://www.home-assistant.io/docs/automation/trigger/#webhook-trigger
  api.incident.io/v2/alert_events/*/ID v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66 https://api-docs.incident.io/tag/Alert-Events-V2
  */_matrix/client/*/rooms/ID _matrix/client/v3/rooms/!QxWcHdXTmTlTvDkWvS:acme.io/send/m.room.message https://spec.matrix.org/latest/client-server-api/#room-events
  api.airtable.com/v0/ID/ID v0/appQ7z1Kd93LmX0pR/tblA1b2C3d4E5f6G7 https://airtable.com/developers/web/api/create-records
  *.sentry.io/api/*/cron/*/ID api/4507/cron/backup/4c1e9a7730f84b2d9b8e2d6f5a1c3e70/ https://docs.sentry.io/product/crons/getting-started/http/
`;
const words = table.trim().split(/\s+/);
const rows = words.flatMap((_, at) => (at % 3 === 0 ? [words.slice(at, at + 3)] : []));

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
