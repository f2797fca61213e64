/** Reads the channels to audit: from the service, or from the export of a stack. */
import { z } from "zod";
import { type GivenChannel, isId, observedChannel, observedOutputs, type RuleSet } from "../audit";
import { readChannels, readText, requestedChannels, unknownChannels } from "../audit/sources";
import { isObject } from "../provider/api";
import { jsonIn } from "../provider/texts";
import { Connections, type ReadConfig, tellLongWait } from "../provider/connection";
import { isOfType, signatureKey } from "../provider/engine";
import { fieldsIn } from "../provider/problems";
import { CommandError, Progress, type Stream } from "./command";
import { readStackConfig } from "./stackConfig";

/** The channels to audit, and the rules with all names of these channels. */
interface AuditSource {
  readonly channels: readonly GivenChannel[];
  readonly ruleSet: RuleSet;
}

interface Request {
  /** Ids and names; empty for all channels. */
  readonly channels: readonly string[];
  /** The stack export that has the channels. Default: the service. */
  readonly state?: string | undefined;
  /** The stack whose settings count too. Default: the environment variables alone. */
  readonly stack?: string | undefined;
}

/**
 * @throws ConfigurationError when an environment variable is invalid
 * @throws CommandError when a requested channel is unknown, or the file isn't a stack export
 */
export async function channelsToAudit(
  { channels, state, stack }: Request,
  ruleSet: RuleSet,
  environment: NodeJS.ProcessEnv,
  stderr: Stream,
): Promise<AuditSource> {
  if (state === undefined) {
    const config = stack === undefined ? undefined : await readStackConfig(stack, environment);
    return channelsOfService(channels, ruleSet, { config, environment }, stderr);
  }
  return { channels: channelsOfState(state, channels, ruleSet), ruleSet };
}

/** Reads the requested channels; all channels with a name when none are requested. */
async function channelsOfService(
  requested: readonly string[],
  rules: RuleSet,
  { config, environment }: { readonly config: ReadConfig; readonly environment: NodeJS.ProcessEnv },
  stderr: Stream,
): Promise<AuditSource> {
  const progress = new Progress(stderr, "Reading alert channels");
  const onRequest = tellLongWait((text) => progress.say(text));
  const connections = new Connections(config, environment, { onRequest });
  const ruleSet = rules.withNames(connections.alertChannels);
  const unknown = unknownChannels(requested, ruleSet.channels);
  if (unknown.length > 0) {
    throw new CommandError(
      unknown.map(({ requested: one, reason }) => `--channel ${JSON.stringify(one)} ${reason}.`).join("\n"),
    );
  }
  const selected = requestedChannels(requested, ruleSet.channels);
  if (selected.length === 0) {
    const { file = "the rule file" } = ruleSet;
    throw new CommandError(
      `There is no channel to audit: name them under channels in ${file} or in ${connections.alertChannelsSetting}, or give --channel ID.`,
    );
  }
  progress.begin(selected.length);
  try {
    const channels = await readChannels(selected, connections.connect(), () => progress.advance());
    return { channels, ruleSet };
  } finally {
    progress.end();
  }
}

const stackExport = z.object({ deployment: z.object({ resources: z.array(z.unknown()).min(1) }) });

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  /** Set for a replaced resource that is pending deletion. */
  delete: z.boolean().optional(),
  outputs: z.unknown().optional(),
});

/** Reads the requested channels; all channels of the stack and of the rule file when none are requested. */
function channelsOfState(
  file: string,
  requested: readonly string[],
  { channels: named }: RuleSet,
): GivenChannel[] {
  const all = readState(file);
  // An audit without channels would pass, which could hide a mistake.
  if (all.length === 0)
    throw new CommandError(
      `${file} contains no alert channels: declare AlertChannel resources in its stack.`,
    );
  if (requested.length === 0) return [...all, ...absentFrom(all, file, named.values())];
  const matches = requested.map((one) => {
    const id = isId(one) ? one : named.get(one);
    return all.filter((channel) =>
      id === undefined ? channel.name === one : String(channel.id) === String(id),
    );
  });
  const absent = requested.filter((_, index) => matches[index]?.length === 0);
  if (absent.length > 0) {
    throw new CommandError(
      absent
        .map((one) => `--channel ${JSON.stringify(one)} is neither an id nor a name of a channel in ${file}.`)
        .join("\n"),
    );
  }
  return matches.flat();
}

/** Returns the channels of the rule file that the stack lacks. They aren't evaluable: the audit would pass without them. */
function absentFrom(
  channels: readonly GivenChannel[],
  file: string,
  named: Iterable<GivenChannel["id"]>,
): GivenChannel[] {
  const present = new Set(channels.map(({ id }) => String(id)));
  const absent = new Set([...named].map(String).filter((id) => !present.has(id)));
  return [...absent].map((id) => ({
    id,
    reason: `it isn't in ${file}; declare an AlertChannel resource for it`,
  }));
}

/** @throws FileError when the file can't be read, CommandError when it isn't a stack export */
function readState(file: string): GivenChannel[] {
  const { data } = stackExport.safeParse(jsonIn(readText(file)));
  if (data === undefined) {
    throw new CommandError(
      `${file} can't be used: it isn't a whole stack export, or the stack is empty; create one with \`pulumi stack export --file FILE\``,
    );
  }
  return data.deployment.resources.flatMap((candidate) => {
    if (!isObject(candidate) || !isOfType(String(candidate.type), "AlertChannel")) return [];
    const { data: record, error } = resource.safeParse(candidate);
    if (error) return unusable(candidate, error);
    return record.delete === true ? [] : channelIn(record);
  });
}

/** Reports a record that no engine wrote as not evaluable: if it were skipped, the channel would pass. */
function unusable({ urn, id, outputs }: Readonly<Record<string, unknown>>, error: z.ZodError): GivenChannel {
  const channelId = isObject(outputs) ? outputs.channelId : undefined;
  const [recordId = "an unknown channel"] = [channelId, id].filter(
    (one) => typeof one === "string" || typeof one === "number",
  );
  const fields = fieldsIn(error, "all of it").join(", ");
  return {
    id: recordId,
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
