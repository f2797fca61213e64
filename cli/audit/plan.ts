/** Finds the alert channels of the vendor's packages in a plan of Terraform or Pulumi, and converts them to the form that rules receive. */
import { type CheckedChannel, checkReadChannel, needs, type RuleSet } from "../../audit";
import { alertChannelList, alertChannelTypes, isObject, toCamelCase } from "../../provider/api";
import { isShown, targetSettings } from "../../provider/credentials";
import { isUnknown, parseUrn, signatureKey, unknownValue } from "../../provider/engine";

type Fields = Readonly<Record<string, unknown>>;

interface PlannedChannel {
  readonly address: string;
  readonly name?: string;
  /** Not a number if the channel doesn't exist yet. */
  readonly id: unknown;
  /** The settings and, for an unchanged channel, its outputs, with names in snake case (Terraform) or camel case (Pulumi), and with Pulumi's placeholders for unknown values. */
  readonly inputs: Fields;
  /** Reason why a field is missing. */
  readonly whyMissing: string;
}

/** Returns the channels in the JSON of a plan. Undefined if it isn't a plan, or if the plan failed and may lack channels. */
export function parsePlan(plan: unknown): PlannedChannel[] | undefined {
  const { planned_values: values, resource_changes: changes, errored, steps, diagnostics } = toFields(plan);
  const isFailed = errored === true || toList(diagnostics).some(({ severity }) => severity === "error");
  if (isFailed || !(isObject(values) || Array.isArray(steps))) return undefined;
  return [...listTerraformChannels(toFields(values), toList(changes)), ...listPulumiChannels(toList(steps))];
}

/** Returns true for an object that isn't an encrypted secret. */
const isBlock = (value: unknown): value is Fields => isObject(value) && !(signatureKey in value);
const toFields = (value: unknown): Fields => (isObject(value) ? value : {});
const toList = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(toFields) : []);

/** Reads `terraform show -json`, where modules are a tree, and `after_unknown` marks unknown values. */
function listTerraformChannels({ root_module: root }: Fields, changes: readonly Fields[]): PlannedChannel[] {
  const changeByAddress = new Map(changes.map(({ address, change }) => [address, toFields(change)]));
  const modules = [toFields(root)];
  // The loop also visits the modules that it adds.
  for (const { child_modules: children } of modules) modules.push(...toList(children));
  return modules
    .flatMap(({ resources }) => toList(resources))
    .filter(({ type }) => type === "checkly_alert_channel")
    .map(({ address, values }) => {
      const inputs = toFields(mergeUnknown(values, changeByAddress.get(address)?.after_unknown));
      return { address: String(address), id: inputs.id, inputs, whyMissing: knownAfterApply };
    });
}

function mergeUnknown(value: unknown, unknown: unknown): unknown {
  if (unknown === true) return unknownValue;
  if (typeof unknown !== "object" || unknown === null) return value;
  const merged: Record<string, unknown> = typeof value === "object" ? { ...value } : {};
  for (const [key, mark] of Object.entries(unknown)) merged[key] = mergeUnknown(merged[key], mark);
  return Array.isArray(unknown) ? Object.values(merged) : merged;
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
    return type === "checkly:index/alertChannel:AlertChannel" ? channel : [];
  });
  return [...new Map(channels.map((channel) => [channel.address, channel])).values()];
}

const knownAfterApply = "known after apply";
const notInState = "not part of the stack's state. Audit the channel on the service";
const hiddenByPreview =
  "a secret that the preview hides. Audit the channel on the service after it is created";

/** Returns the reason why the plan doesn't contain a value or a part of it; undefined if it contains the whole value. */
function findGap(value: unknown): string | undefined {
  if (isUnknown(value)) return knownAfterApply;
  if (typeof value !== "object" || value === null) return value === "[secret]" ? hiddenByPreview : undefined;
  return signatureKey in value ? hiddenByPreview : Object.values(value).map(findGap).find(Boolean);
}

/** Converts a planned channel. Its ID in reports is the address if the channel doesn't exist yet. */
export function checkPlannedChannel(planned: PlannedChannel, rules: RuleSet): CheckedChannel[] {
  const { address, inputs, whyMissing } = planned;
  const isNew = !/^\d+$/.test(String(planned.id));
  const id = isNew ? address : String(planned.id);
  const name = rules.nameOf(id) ?? planned.name;
  const fields = renameFields(inputs);
  const { type, settings } = findSettings(fields);
  const { config, unknown } = readSettings(settings);
  const isKnown = (value: unknown) => (value ?? undefined) !== undefined && findGap(value) === undefined;
  const known = Object.entries(fields).filter(([, value]) => isKnown(value));
  for (const field of [...needs, "projectBindings.owner"])
    if (field !== "config" && !isKnown(fields[field])) unknown[field] = findGap(fields[field]) ?? whyMissing;
  const content = { ...Object.fromEntries(known), type, config, id: 0 };
  return alertChannelList.parse([content]).map((channel) => ({
    ...checkReadChannel(channel, name, undefined),
    id,
    ...(!isNew && { origin: address }),
    unknown,
  }));
}

function renameFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [toCamelCase(key), value]));
}

/** Finds the block with the settings, which is named after the type. Terraform's blocks are lists. */
function findSettings(fields: Fields): { readonly type?: string; readonly settings: Fields } {
  const types: ReadonlySet<string> = new Set(alertChannelTypes);
  for (const [key, value] of Object.entries(fields)) {
    const type = key.replace(/[A-Z]/g, "_$&").toUpperCase();
    const block: unknown = Array.isArray(value) ? value[0] : value;
    if (!types.has(type) || (block ?? "") === "") continue;
    return {
      type,
      settings: isBlock(block) ? renameFields(block) : { [targetSettings.get(type) ?? ""]: block },
    };
  }
  return { settings: {} };
}

/** The replacement for a missing credential, in a form that services use for masked values. */
const masked = "[hidden]";

/** Returns the settings in the format of the API, and the reasons why values are missing. */
function readSettings(settings: Fields): { config: Fields; unknown: Record<string, string> } {
  const config: Record<string, unknown> = {};
  const unknown: Record<string, string> = {};
  for (const [key, value] of Object.entries(settings)) {
    const gap = findGap(value);
    if (gap !== undefined) unknown[`config.${key}`] = gap;
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
