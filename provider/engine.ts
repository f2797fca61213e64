/**
 * Describes Pulumi's engine for both adapters and the SDK: the tokens and names of resources, the values that it passes and stores, the
 * process that it starts, and the information that it doesn't pass. Every program loads this file, so it needs neither zod nor axios.
 */
import { fstatSync } from "node:fs";
import { connect } from "node:net";
import { MonitoringError } from "./client/errors";
import { recordMessage } from "./previewFacts";
import { type NoticeText, formatNoticeText } from "./texts";

export const resourceTypes = ["AlertChannel", "Incident", "IncidentUpdate", "StatusPage"] as const;

export type ResourceType = (typeof resourceTypes)[number];

export function getDynamicToken(type: ResourceType): string {
  return `pulumi-nodejs:dynamic/monitoring:${type}`;
}

export function getNativeToken(type: ResourceType): string {
  return `monitoring:index:${type}`;
}

/** Returns true if a token is of this type, with either provider. */
export function isOfType(token: string, type: ResourceType): boolean {
  return token === getDynamicToken(type) || token === getNativeToken(type);
}

/** The module that the engine's provider process loads. */
export const providerModule = "pulumi-monitoring-service/provider";

/**
 * Returns the code that the engine stores in the state of each resource and runs for every later refresh and destroy. It only refers to
 * this package, so that a new release serves the states of earlier releases. After the first release, it must never change.
 */
export function serializedProvider(type: ResourceType): string {
  return `exports.handler=()=>require("${providerModule}").${type}`;
}

/** The property that marks secrets and outputs in the engine's calls and in the export of a stack. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** The placeholder for an unknown value. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's placeholders for unknown values, one per type. The first is a well-formed ID and must not be used as one. */
const placeholders: ReadonlySet<unknown> = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Returns true if a value is unknown or contains an unknown value. */
export function isUnknown(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isUnknown);
  return placeholders.has(value);
}

/**
 * Returns a copy that the engine can serialize, without undefined fields and functions. The engine rejects undefined, functions and
 * bigints, and converts dates to `{}`. It does so after the create, so an unsupported value would lose the result of the create.
 */
export function toPlainObject(value: object): Record<string, unknown> {
  const fields = Object.entries(value).filter(
    ([, inner]) => inner !== undefined && typeof inner !== "function",
  );
  return Object.fromEntries(fields.map(([name, inner]) => [toWellFormed(name), toPlain(inner)]));
}

function toPlain(value: unknown): unknown {
  switch (typeof value) {
    case "string":
      return toWellFormed(value);
    case "number":
      // Adding zero removes the sign of a negative zero, because JSON has no negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case "boolean":
      return value;
    case "bigint":
      return value.toString();
    case "object":
      if (value === null) return null;
      if (value instanceof Date) return value.toJSON();
      if (Array.isArray(value)) return value.map(toPlain);
      return toPlainObject(value);
    default:
      return null;
  }
}

export function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\uFFFD");
}

/**
 * Makes Pulumi print only the message of an error. Pulumi prints other errors with their stack, slowly. Sets the marker of
 * `pulumi.RunError`, so that the error keeps its class. Records for `monitoring preview` that the message is from this package.
 */
export function removeStack<E extends Error>(error: E, is?: "summary"): E {
  Reflect.deleteProperty(error, "stack");
  Object.defineProperty(error, "stack", { value: undefined, configurable: true });
  // The message is read-only, because Pulumi would prepend "error serializing property" for each property that depends on the failed one.
  const { message } = error;
  recordMessage(message, is);
  Object.defineProperty(error, "message", { get: () => message, set: () => {}, configurable: true });
  return Object.defineProperty(error, "__pulumiRunError", { value: true });
}

/**
 * Shows the user an informational message. Pulumi displays the stderr output of the provider process. Except for the log of requests, no
 * other code of this package prints in that process.
 */
export function printNotice(text: NoticeText): void {
  // A single write prevents other output from appearing between the lines.
  process.stderr.write(`${formatNoticeText(text)}\n`);
}

const records: readonly [name: string, isOn: (args: readonly string[], env: NodeJS.ProcessEnv) => boolean][] =
  [
    // The engine also passes `--tracing` for `--otel-traces`.
    ["--tracing or --otel-traces", (args) => args.includes("--tracing")],
    ["PULUMI_DEBUG_GRPC", (_, env) => Boolean(env["PULUMI_DEBUG_GRPC"])],
    // A provider can only detect `-v=9` if `--logflow` is given.
    ["-v=9", (args) => args.some((arg) => Number(/^-v=(\d+)$/.exec(arg)?.[1]) >= 9)],
  ];

/** Prints a notice if the arguments or variables of this process show that Pulumi records the run. */
export function warnOfSecretsInLogs(
  notice: (text: string) => void,
  args: readonly string[] = process.argv,
  env: NodeJS.ProcessEnv = process.env,
): void {
  const names = records.filter(([, isOn]) => isOn(args, env)).map(([name]) => name);
  if (names.length === 0) return;
  notice(
    `Pulumi is recording this run (${names.join(", ")}). The recording contains secret text and the API keys in the configuration, ` +
      "in plain text. Don't share the recording, and delete it. A key in MONITORING_API_KEY isn't recorded.",
  );
}

const connectTimeoutMs = 2_000;

const address = /^(127\.0\.0\.1|localhost|\[::1\]):(\d+)$/;

/** Returns the engine's address. It is the last argument, after the arguments that enable logs and tracing. */
export function getEngineEndpoint(): string | undefined {
  return findEngineAddress()?.[0];
}

function findEngineAddress(): RegExpExecArray | undefined {
  return address.exec(process.argv.findLast((argument) => address.test(argument)) ?? "") ?? undefined;
}

/**
 * Exits this process when the engine that started it exits. Otherwise, the provider process of a killed engine would run forever and
 * process its queue in parallel to the next run. Its stdin is a pipe from the engine, which closes when the engine exits.
 */
export function exitWithEngine(): void {
  if (!findEngineAddress() || !isPipe()) return;
  process.stdin
    .once("end", () => process.exit())
    .once("error", () => process.exit())
    .resume();
}

function isPipe(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isSocket();
  } catch {
    return false;
  }
}

/** Rejects if the engine that started this process has exited. Then a pending post must not be sent, because no state would record it. */
export async function assertEngineAlive(): Promise<void> {
  const [, host, port] = findEngineAddress() ?? [];
  if (host === undefined) return;
  const socket = connect({ host: host.replace(/[[\]]/g, ""), port: Number(port) });
  try {
    await new Promise<void>((resolve, reject) => {
      socket
        .once("connect", resolve)
        .once("error", reject)
        .setTimeout(connectTimeoutMs, () => reject(new Error()));
    });
  } catch {
    throw new MonitoringError("The Pulumi engine that requested this update has exited. Nothing was posted.");
  } finally {
    socket.destroy();
  }
}

/** Splits a URN, `urn:pulumi:STACK::PROJECT::TYPES::NAME`. TYPES contains the types of the parents before the type of the resource. */
export function parseUrn(urn: string) {
  const [start = "", project = "", types = "", ...name] = urn.split("::");
  return {
    stack: start.replace("urn:pulumi:", ""),
    project,
    type: types.split("$").at(-1) ?? "",
    name: name.join("::"),
  };
}

/** Names a resource in a sentence, such as `IncidentUpdate "found"`. For an entry of a timeline, adds its place, such as ` (2 of 3)`. */
export function formatTitle(urn: string, place?: ProgramInfo["place"]): string {
  const { type, name } = parseUrn(urn);
  const entry = place && place !== "unknown" ? ` (${place.index + 1} of ${place.keys.length})` : "";
  return `${type.split(":").at(-1)} ${JSON.stringify(name)}${entry}`;
}

/** Returns the resource name of an entry. */
export function formatEntryName(timeline: string, key: string): string {
  return `${timeline}-${key}`;
}

/** Returns the name of an entry's timeline, which {@link formatEntryName} puts before the key. */
export function getTimelineName(entryName: string, key: string): string {
  const suffix = formatEntryName("", key);
  return entryName.endsWith(suffix) ? entryName.slice(0, -suffix.length) : entryName;
}

/**
 * The only input that this package adds to the inputs of a program. Contains the information about a resource that the engine doesn't pass
 * to a provider. The engine doesn't show properties whose name starts with `__`. A run removes it; a dynamic provider stores the URN and
 * the names of secrets in it.
 */
export const programInput = "__call";

/** The place of an entry in its timeline: the keys of all entries, and its 0-based index among them. */
export interface PlaceInTimeline {
  readonly keys: readonly string[];
  readonly index: number;
  /** The next entries of the timeline. They are checked before this entry is posted. */
  readonly later?: readonly Readonly<Record<string, unknown>>[];
}

export interface ProgramInfo {
  /** URN of the resource. The engine's calls of a dynamic provider don't include it. */
  readonly urn: string | undefined;
  /** True in a preview of a dynamic provider. The engine's calls don't include this. */
  readonly previews: boolean;
  /** True if the program collects the problems of a preview and fails at the end. The engine stops at the first error. */
  readonly collectsProblems: boolean;
  /** Values that messages may show. The engine doesn't mark secrets for a dynamic provider. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The place of an entry in its timeline; `unknown` while a text in it is unknown. */
  readonly place: PlaceInTimeline | "unknown" | undefined;
  /** The key that the program gives to an entry of a timeline. It is part of the resource's name. */
  readonly key: string | undefined;
  /** The place in the program, for the order of a preview. */
  readonly order: number | undefined;
  /** URNs of the `Incident` resources whose outputs the ID of the incident depends on. Only a program in TypeScript or JavaScript knows them. */
  readonly incidents: readonly string[] | undefined;
}

/** Reads the input. Returns undefined if its format is wrong, because a program or a transformation created it. */
export function parseProgramInput(value: unknown): ProgramInfo | undefined {
  const given = value ?? {};
  if (!isRecord(given)) return undefined;
  const { urn, previews, collectsProblems, shown, place, key, order, incidents } = given;
  const isText = urn === undefined || (typeof urn === "string" && urn.startsWith("urn:"));
  const hasPlace = place !== undefined && place !== null;
  const at = hasPlace ? (isUnknown(place) ? "unknown" : parsePlace(place)) : undefined;
  if (!isText || (hasPlace && at === undefined)) return undefined;
  return {
    urn,
    place: at,
    key: typeof key === "string" ? key : undefined,
    previews: previews === true,
    collectsProblems: collectsProblems === true,
    shown: isRecord(shown) ? shown : {},
    order: typeof order === "number" ? order : undefined,
    incidents: Array.isArray(incidents) ? incidents.filter((each) => typeof each === "string") : undefined,
  };
}

function parsePlace(value: unknown): PlaceInTimeline | undefined {
  if (!isRecord(value)) return undefined;
  const { keys, index, later = [] } = value;
  const areKeys = Array.isArray(keys) && keys.every((key) => typeof key === "string");
  const isPlace = areKeys && typeof index === "number" && Array.isArray(later);
  return isPlace ? { keys, index, later: later.filter(isRecord) } : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
