/** Reads the alert channels in a stack export. */
import { z } from "zod";
import { type GivenChannel, observedChannel } from "../../audit";
import { isObject } from "../../provider/values/isObject";
import { observedOutputs } from "../../audit/channels/observedChannel";
import { signatureKey } from "../../provider/engine/signatureKey";
import { isOfType } from "../../provider/engine/resourceTypes";
import { AuditError } from "../../audit/sources/auditError";
import { readText } from "../../audit/sources/files";

const stackExport = z.object({ deployment: z.object({ resources: z.array(z.unknown()).min(1) }) });

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  /** Set for a replaced resource that is pending deletion. */
  delete: z.boolean().optional(),
  outputs: z.unknown().optional(),
});

/** @throws AuditError when the file can't be read or isn't a stack export */
export function readState(file: string): GivenChannel[] {
  const { data } = stackExport.safeParse(valueIn(readText(file)));
  if (data === undefined) {
    throw new AuditError(
      `${file} can't be used: it isn't a whole stack export, or the stack is empty; create one with \`pulumi stack export --file FILE\``,
    );
  }
  return data.deployment.resources.flatMap((candidate) => {
    if (!isObject(candidate) || !isOfType(String(candidate.type), "AlertChannel")) return [];
    const { data: found, error } = resource.safeParse(candidate);
    if (error) return unusable(candidate, error);
    return found.delete === true ? [] : channelIn(found);
  });
}

/** Undefined when it isn't JSON: the error of the parser quotes the text, which may contain secrets. */
function valueIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A record of a channel that no engine wrote: to skip it would pass the channel. */
function unusable(
  { urn, id, outputs }: Readonly<Record<string, unknown>>,
  { issues }: z.ZodError,
): GivenChannel {
  const channelId = isObject(outputs) ? outputs.channelId : undefined;
  const [known = "an unknown channel"] = [channelId, id].filter(
    (one) => typeof one === "string" || typeof one === "number",
  );
  const fields = issues.map(({ path }) => path.join(".")).join(", ");
  return {
    id: known,
    ...(typeof urn === "string" && { name: nameIn(urn) }),
    reason: `its record in the stack is unusable (${fields}); run \`pulumi refresh\``,
  };
}

function nameIn(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

function secretsIn(outputs: unknown): string[] {
  if (!isObject(outputs)) return [];
  return observedOutputs.filter((name) => {
    const value = outputs[name];
    return isObject(value) && signatureKey in value;
  });
}

function channelIn({ urn, id, outputs }: z.output<typeof resource>): GivenChannel {
  const name = nameIn(urn);
  const secrets = secretsIn(outputs).join(", ");
  if (secrets !== "") {
    return {
      id: id ?? name,
      name,
      reason: `the stack keeps these outputs secret: ${secrets}; audit it without --state`,
    };
  }
  return observedChannel(name, outputs, id);
}
