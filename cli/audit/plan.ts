/** Finds the alert channels of the vendor's packages in a plan of Terraform or Pulumi, and converts them to the form that rules receive. */
import { type CheckedChannel, checkReadChannel, needs } from "../../audit";
import { alertChannelList, alertChannelTypes, isObject, toCamelCase } from "../../provider/api";
import { isShown, targetSettings } from "../../provider/credentials";
import { isUnknown, parseUrn, signatureKey, unknownValue } from "../../provider/engine";
import { parseJson } from "../../provider/texts";

type Fields = Readonly<Record<string, unknown>>;

/** The alert channels that a plan creates, changes or keeps. */
interface Plan {
  readonly channels: readonly PlannedChannel[];
  /** Reason why the plan doesn't contain all channels of the program. */
  readonly incompleteness?: string | undefined;
}

interface PlannedChannel {
  /** The resource's address (Terraform) or URN (Pulumi). */
  readonly address: string;
  /** The resource's address (Terraform) or name (Pulumi). */
  readonly name: string;
  /** Not a number if the channel doesn't exist yet. */
  readonly id?: unknown;
  /** The settings and, for an unchanged channel, its outputs, with names in snake case (Terraform) or camel case (Pulumi), and with Pulumi's placeholders for unknown values. */
  readonly inputs: Fields;
  /** Paths of the inputs that Terraform marks as sensitive, such as `email` or `webhook.url`. */
  readonly sensitive?: readonly string[] | undefined;
  /** Reason why a field is missing. */
  readonly whyMissing: string;
  /** True if the plan leaves the channel to a later plan. */
  readonly isDeferred?: boolean;
}

/** Returns the channels in the JSON of a plan, or the reason why it can't be used, for example because the plan failed and may lack channels. */
export function parsePlan(text: string): Plan | { readonly problem: string } {
  const plan = toFields(parseDocument(text));
  const { planned_values: values, errored, steps, diagnostics } = plan;
  const isFailed = errored === true || toList(diagnostics).some(({ severity }) => severity === "error");
  if (!isFailed && Array.isArray(steps)) return { channels: listPulumiChannels(toList(steps)) };
  if (!isFailed && isObject(values)) return parseTerraformPlan(plan);
  const isPreceded = /^\s*[^\s{].*\n\{/s.test(text) && Object.keys(plan).length === 0;
  return { problem: isPreceded ? "there are lines before the JSON" : "it isn't the JSON of a complete plan" };
}

/** Parses JSON. Ignores lines before it, because pipelines may print a command before its output. */
function parseDocument(text: string): unknown {
  // The limit keeps the time linear for a file that isn't JSON.
  for (const { 0: line, index } of [...text.matchAll(/^\{.*/gm)].slice(0, 10)) {
    // After the JSON of Terraform, which is one line, a pipeline may print more.
    const found = parseJson(line) ?? parseJson(text.slice(index));
    if (found !== undefined) return found;
  }
  return parseJson(text);
}

/** Returns true for an object that isn't an encrypted secret. */
const isBlock = (value: unknown): value is Fields => isObject(value) && !(signatureKey in value);
const toFields = (value: unknown): Fields => (isObject(value) ? value : {});
const toList = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(toFields) : []);

/** Parses the output of `terraform show -json`, where modules are a tree. */
function parseTerraformPlan(plan: Fields): Plan {
  // A deposed object is an earlier object of the resource, which the plan deletes.
  const changes = toList(plan.resource_changes).filter(({ deposed }) => deposed === undefined);
  const changeByAddress = new Map(changes.map(({ address, change }) => [address, toFields(change)]));
  const modules = [toFields(toFields(plan.planned_values).root_module)];
  // The loop also visits the modules that it adds.
  for (const { child_modules: children } of modules) modules.push(...toList(children));
  const planned = modules
    .flatMap(({ resources }) => toList(resources))
    .filter((each) => isTerraformChannel(each) && isKept(changeByAddress.get(each.address)))
    .map(({ address, values, sensitive_values: marks }) => {
      const { after_unknown: unknown } = changeByAddress.get(address) ?? {};
      return createTerraformChannel(address, mergeUnknown(values, unknown), listMarked(marks));
    });
  const deferred = toList(plan.deferred_changes)
    .map((each) => toFields(each.resource_change))
    .filter(isTerraformChannel)
    .map(({ address }) => ({ ...createTerraformChannel(address), isDeferred: true }));
  const incompleteness = plan.complete === false ? incomplete : undefined;
  return { channels: [...planned, ...deferred], incompleteness };
}

const isTerraformChannel = ({ type, mode }: Fields) => type === "checkly_alert_channel" && mode !== "data";

/** Returns false if the plan only deletes, reads or forgets the resource. */
const isKept = ({ actions = "no-op" }: Fields = {}) =>
  [actions].flat().some((action) => ["no-op", "create", "update"].includes(String(action)));

function createTerraformChannel(address: unknown, values?: unknown, sensitive?: string[]): PlannedChannel {
  const inputs = toFields(values);
  const name = String(address);
  return { address: name, name, id: inputs.id, inputs, sensitive, whyMissing: knownAfterApply };
}

function mergeUnknown(value: unknown, unknown: unknown): unknown {
  if (unknown === true) return unknownValue;
  if (typeof unknown !== "object" || unknown === null) return value;
  const merged: Record<string, unknown> = typeof value === "object" ? { ...value } : {};
  for (const [key, mark] of Object.entries(unknown)) merged[key] = mergeUnknown(merged[key], mark);
  return Array.isArray(unknown) ? Object.values(merged) : merged;
}

/** Returns the paths of the parts that are marked with `true` in a tree. Omits the indexes of lists. */
function listMarked(marks: unknown, path: readonly string[] = []): string[] {
  if (marks === true) return [path.map(toCamelCase).join(".")];
  if (typeof marks !== "object" || marks === null) return [];
  return Object.entries(marks).flatMap(([key, mark]) =>
    listMarked(mark, Array.isArray(marks) ? path : [...path, key]),
  );
}

/**
 * Reads `pulumi preview --json`. A replacement has several steps, and the last one describes the new channel. The outputs of an unchanged
 * channel contain the values that the program doesn't set.
 */
function listPulumiChannels(steps: readonly Fields[]): PlannedChannel[] {
  const channels = steps.flatMap(({ op, urn, newState }) => {
    const { type, id, inputs, outputs } = toFields(newState);
    const address = String(urn);
    const isUnchanged = op === "same";
    const channel = {
      address,
      name: parseUrn(address).name,
      id,
      inputs: { ...toFields(inputs), ...(isUnchanged && toFields(outputs)) },
      whyMissing: isUnchanged ? notInState : knownAfterApply,
    };
    return type === "checkly:index/alertChannel:AlertChannel" && keepingSteps.has(op) ? channel : [];
  });
  return [...new Map(channels.map((channel) => [channel.address, channel])).values()];
}

/** Steps of the engine after which the channel is managed by the program. A refresh may precede a deletion. */
const keepingSteps: ReadonlySet<unknown> = new Set(
  "same create update replace create-replacement import import-replacement".split(" "),
);

const knownAfterApply = "known after apply";
const notInState = "not part of the stack's state. Audit the channel on the service";
const incomplete =
  "the plan is incomplete, for example because of -target, and may lack channels. Audit a complete plan before you rely on this result";
const deferral = "the plan leaves this channel to a later plan. Apply this plan, then audit the next plan";
const hiddenByPreview =
  "a secret that the preview hides. Audit the channel on the service after it is created";

/** Returns the reason why the plan doesn't contain a value or a part of it; undefined if it contains the whole value. */
function findGap(value: unknown): string | undefined {
  if (isUnknown(value)) return knownAfterApply;
  if (typeof value !== "object" || value === null) return value === "[secret]" ? hiddenByPreview : undefined;
  return signatureKey in value ? hiddenByPreview : Object.values(value).map(findGap).find(Boolean);
}

/** Converts a planned channel. Its ID in reports is the address if the channel doesn't exist yet. */
export function checkPlannedChannel(planned: PlannedChannel): CheckedChannel[] {
  const { address, name, inputs, sensitive = [], whyMissing, isDeferred } = planned;
  const isNew = !/^\d+$/.test(String(planned.id));
  const reference = {
    id: isNew ? address : String(planned.id),
    name,
    ...(!isNew && address !== name && { origin: address }),
  };
  if (isDeferred) return [{ ...reference, reason: deferral, blocks: false }];
  const fields = renameFields(inputs);
  const { block, type, settings } = findSettings(fields);
  const { config, unknown } = readSettings(settings);
  const isKnown = (value: unknown) => (value ?? undefined) !== undefined && findGap(value) === undefined;
  const known = Object.entries(fields).filter(([, value]) => isKnown(value));
  for (const field of [...needs, "projectBindings.owner"])
    if (field !== "config" && !isKnown(fields[field])) unknown[field] = findGap(fields[field]) ?? whyMissing;
  const content = { ...Object.fromEntries(known), type, config, id: 0 };
  return alertChannelList.parse([content]).map((channel) => ({
    ...checkReadChannel(channel, name, undefined),
    ...reference,
    unknown,
    sensitive: sensitive.map((path) => path.replace(/^\w+/, (field) => (field === block ? "config" : field))),
  }));
}

function renameFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [toCamelCase(key), value]));
}

/** Finds the block with the settings, which is named after the type. Terraform's blocks are lists. */
function findSettings(fields: Fields) {
  const types: ReadonlySet<string> = new Set(alertChannelTypes);
  for (const [block, value] of Object.entries(fields)) {
    const type = block.replace(/[A-Z]/g, "_$&").toUpperCase();
    const [content] = [value].flat();
    if (!types.has(type) || (content ?? "") === "") continue;
    const settings = isBlock(content) ? renameFields(content) : { [targetSettings.get(type) ?? ""]: content };
    return { block, type, settings };
  }
  return { block: undefined, type: undefined, settings: {} };
}

const targets = new Set(targetSettings.values());

/** The replacement for a missing credential, in a form that services use for masked values. */
const masked = "[hidden]";

/** Returns the settings in the format of the API, and the reasons why values are missing. */
function readSettings(settings: Fields): { config: Fields; unknown: Record<string, string> } {
  const config: Record<string, unknown> = {};
  const unknown: Record<string, string> = {};
  for (const [key, value] of Object.entries(settings)) {
    const gap = findGap(value);
    if (gap !== undefined) unknown[`config.${key}`] = gap;
    // After the apply, a setting other than the target may not be set.
    if (isUnknown(value) && !isBlock(value) && !targets.has(key)) continue;
    if (key === "headers" || key === "queryParameters") config[key] = toPairs(value);
    else if (gap === undefined) config[key] = value;
    else if (!isShown(key)) config[key] = masked;
  }
  return { config, unknown };
}

/** Converts the map that the packages declare for headers and query parameters to the list of the API. */
function toPairs(value: unknown): unknown {
  if (!isBlock(value)) return findGap(value) === undefined ? value : [{ key: "", value: masked }];
  return Object.entries(value)
    .filter(([key]) => key !== "__defaults")
    .map(([key, each]) => ({ key, value: findGap(each) === undefined ? each : masked }));
}
