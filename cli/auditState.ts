/** Alert channels that a stack observes: from its export, offline, and without their credentials. */
import { z } from "zod";
import { observedChannel } from "../sdk/audit";
import type { ReadChannel } from "../sdk/auditing/readChannels";
import { reasonOf, Refusal } from "../sdk/auditing/refusal";
import { resourcesIn } from "./auditStackExport";

const token = "pulumi-nodejs:dynamic/monitoring:AlertChannel";

const resource = z.object({
  urn: z.string(),
  type: z.literal(token),
  id: z.string(),
  /** Set for what is replaced already and waits for its deletion. */
  delete: z.boolean().optional(),
  outputs: z.unknown(),
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

function channelIn({ urn, id, outputs }: z.output<typeof resource>): ReadChannel {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const reason = "the stack holds nothing usable of it; run `pulumi refresh`";
  return observedChannel(name, outputs) ?? { id, name, reason };
}
