/** Why a channel can't be audited: what isn't as the API documents it would pass rules that don't find it. */
import { z } from "zod";
import { alertChannel, alertChannelSubscription } from "../../provider/api/alertChannel";
import { isEmpty, isMalformedCredential, isShown } from "../../provider/credentials/settingKinds";
import { undocumentedTargets } from "../../provider/credentials/documentedConfig";
import { text } from "../../provider/api/shared";
import { credentialFacts } from "./channel";

const id = z.union([z.string().min(1), z.number()]);
const optionalId = id.nullish().or(z.literal(""));

/** As the service returns it, or with the names of outputs. */
const contract = alertChannel.extend({
  id,
  subscriptions: z
    .array(alertChannelSubscription.extend({ id: optionalId, checkId: optionalId, groupId: optionalId }))
    .nullish(),
  createdAt: text,
  updatedAt: text,
});

/**
 * The fields of a channel whose value isn't of the documented type, as the reason why it can't be audited.
 *
 * @param allowsPlain Whether credentials may be in plain text, of which no facts are known.
 */
export function contractProblem(channel: unknown, allowsPlain = false): string | undefined {
  const { data, error } = contract.safeParse(channel);
  if (error) return notDocumented(error.issues.map(({ path }) => path.join(".") || "the channel"));
  const { type, config } = data;
  const given = Object.entries(config).filter(([, value]) => !isEmpty(value));
  const wrong = given.filter(([key, value]) => !isDocumented(key, value, allowsPlain));
  if (wrong.length > 0) return notDocumented(wrong.map(([key]) => configKey(key)));
  const others = undocumentedTargets({ type, config });
  if (others.length === 0) return undefined;
  return `the API doesn't document these fields, which may be its target: ${listed(others.map(configKey))}; ${update}`;
}

function isDocumented(key: string, value: unknown, allowsPlain: boolean): boolean {
  if (key === "slackChannels") return z.array(z.string()).safeParse(value).success;
  if (isShown(key)) return typeof value === "string";
  const { data } = credentialFacts.safeParse(value);
  return data ? data.isMalformed !== true : allowsPlain && !isMalformedCredential(key, value);
}

const update = "save the channel with documented fields, or update pulumi-monitoring-service";

function notDocumented(fields: readonly string[]): string {
  return `these fields don't match the API: ${listed(fields)}; ${update}`;
}

function configKey(key: string): string {
  return `config.${key}`;
}

function listed(fields: readonly string[]): string {
  return [...new Set(fields)].slice(0, 10).join(", ");
}
