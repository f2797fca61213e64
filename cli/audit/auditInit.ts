/** Writes the first rule file of an account. */
import { existsSync } from "node:fs";
import { stringify } from "yaml";
import { amount } from "../../provider/texts/amount";
import { AuditError } from "../../audit/sources/auditError";
import { writeFile } from "../../audit/sources/files";
import { Connections } from "../../provider/connection/connections";

export const ruleFileName = "audit.yaml";

/**
 * Writes a rule file for the configured channels, and returns what to say about it.
 *
 * @throws AuditError when the file exists or can't be written
 */
export function writeRuleFile(file: string, environment: NodeJS.ProcessEnv): string {
  if (existsSync(file))
    throw new AuditError(`${file} exists already: edit it, or give another --rules FILE.`);
  // Nothing is sent, so the key and the address may be missing.
  const unused = { MONITORING_API_KEY: "unused", MONITORING_BASE_URL: "https://localhost" };
  const { alertChannels } = new Connections(undefined, { ...unused, ...environment });
  const count = Object.keys(alertChannels).length;
  writeFile(file, contentWith(alertChannels));
  const next =
    count === 0
      ? "List your channels under `channels` in it, then run `monitoring audit`."
      : `It lists the ${amount(count, "channel")} of MONITORING_ALERT_CHANNELS. Run \`monitoring audit\`.`;
  return `${file} is written. ${next}\n`;
}

function contentWith(channels: Readonly<Record<string, string | number>>): string {
  const isEmpty = Object.keys(channels).length === 0;
  const list = stringify({ channels: isEmpty ? { "on-call": 200123 } : channels }).trimEnd();
  const shown = isEmpty ? list.replace(/^/gm, "# ") : list;
  return `# yaml-language-server: $schema=./node_modules/pulumi-monitoring-service/audit/audit.schema.json
# What is wrong in any account. \`strict\` has lower limits, and makes every finding an error.
extends: recommended

# The channels to audit, by name.
${shown}

# Settings of rules: off, warning, error, or an object with options. \`monitoring audit --list-rules\` lists all.
# rules:
#   ssl-expiry-threshold: { options: { atLeast: 21 } }

# Other settings for some of the channels.
# overrides:
#   - select: { names: [test-*] }
#     rules: { on-call-type: off, inspection-hook: off }

# Rules of your own: what a channel must be, as in \`expect\` of the resource AlertChannel.
# customRules:
#   - { id: webhooks-post, title: Webhooks send with POST, select: { types: [WEBHOOK] }, expect: { config: { method: POST } } }

# Accepted findings, each with an owner and an expiry date.
# waivers:
#   - { rule: https-hook, channel: tickets, reason: It moves in March, owner: Ana, expires: 2027-03-31 }
`;
}
