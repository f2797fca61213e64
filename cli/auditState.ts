/** Alert channels that a stack observes: from its export, offline, and without their credentials. */
import { z } from "zod";
import { observedChannel } from "../audit";
import { isObject } from "../audit/custom/value";
import { observedOutputs } from "../audit/observed";
import type { ReadChannel } from "../audit/sources/readChannels";
import { reasonOf, Refusal } from "../audit/sources/usageMistake";
import { dynamicToken } from "../provider/resourceTypes";
import { resourcesIn } from "./auditStackExport";

const token = dynamicToken("AlertChannel");

const resource = z.object({
  urn: z.string(),
  type: z.literal(token),
  id: z.string().optional(),
  /** Set for what is replaced already and waits for its deletion. */
  delete: z.boolean().optional(),
  outputs: z.unknown().optional(),
});

/** @throws Refusal when the file can't be read, or is no stack export */
export function* readState(file: string): Generator<ReadChannel> {
  try {
    for (const candidate of resourcesIn(file, token)) {
      const { data: found } = resource.safeParse(candidate);
      if (found && found.delete !== true) yield channelIn(found);
    }
  } catch (error) {
    throw new Refusal(`${file} can't be used: ${reasonOf(error)}`);
  }
}

/** How Pulumi marks a secret in an export, always by the same key. */
const secretMark = "4dabf18193072939515e22adb298388d";

function secretsIn(outputs: unknown): string[] {
  if (!isObject(outputs)) return [];
  return observedOutputs.filter((name) => {
    const value = outputs[name];
    return isObject(value) && secretMark in value;
  });
}

function channelIn({ urn, id, outputs }: z.output<typeof resource>): ReadChannel {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const secrets = secretsIn(outputs).join(", ");
  if (secrets !== "") {
    return {
      id: id ?? name,
      name,
      reason: `the stack keeps its ${secrets} secret; audit it without --state`,
    };
  }
  const reason = "the stack holds nothing usable of it; run `pulumi refresh`";
  return observedChannel(name, outputs) ?? { id: id ?? name, name, reason };
}
