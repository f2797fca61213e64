/**
 * `IncidentUpdate`: publishes an update in the history of a status-page incident exactly once. The protocol decides what a run may
 * post; this file declares the fields, follows the engine's verbs, and converts between the state and the protocol.
 */
import { z } from "zod";
import { type Origin, publicDate, sameSecond, type StatusPageIncidentUpdate, updateStatuses } from "../api";
import { InvalidInputError } from "../client";
import { type Connection, undefinedIfAbsent } from "../connection";
import { boolean, oneOf, string } from "../problems";
import { isWithoutResponse } from "../publishing";
import {
  type Comparison,
  decode,
  emailEnabledText,
  insertedText,
  encode,
  isShownAsDeclared,
  matches,
  occurrenceText,
  oldestFirst,
  type Posted,
  type PreviewFact,
  previewFact,
  previewLines,
  type Previewed,
  type PreviewSubject,
  type Recorded,
  refusalText,
  refusedChange,
  removedText,
  respelledText,
  sameText,
  type Sent,
} from "../protocol";
import { canonicalId, digestOf, normalizeText, type Problem, visibleText } from "../texts";
import {
  account,
  assertOrigin,
  changesOf,
  checkFields,
  comparedConnection,
  connectionOf,
  type Context,
  type DeclaredInputs,
  type Failure,
  fieldFacts,
  fieldsOf,
  idOf,
  type Lifecycle,
  type Properties,
  type ResourceState,
  storedConnection,
} from "./lifecycle";
import { isDeclaredLater, declaredContent, fieldUnlike, placeOf } from "./timeline";

const maxDescriptionLength = 65_536;
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
/** The engine replaces a lone surrogate by U+FFFD. */
const loneSurrogate = /[\p{Cs}\uFFFD]/u;

const sameString = (same: (a: string, b: string) => boolean) => (a: unknown, b: unknown) =>
  a === b || (typeof a === "string" && typeof b === "string" && same(a, b));

const onChangeValues = ["post", "refuse"] as const;

const fields = {
  incidentId: idOf("a status-page incident"),
  status: oneOf(updateStatuses),
  description: string
    .trim()
    // Not `min` and `max`, which would report a second problem for a list.
    .refine((value) => normalizeText(value) !== "", { error: "must not be empty" })
    .refine((value) => value.length <= maxDescriptionLength, {
      error: `must have at most ${maxDescriptionLength} characters`,
    })
    .refine((value) => !controlCharacter.test(value), { error: "must not contain control characters" })
    .refine((value) => !loneSurrogate.test(value), {
      error: "must be well-formed Unicode: it contains a lone surrogate (U+FFFD replaces one)",
    })
    .register(fieldFacts, {
      secret: true,
      repeatedIn: "published",
      same: sameString(sameText),
    }),
  notifySubscribers: boolean.default(false),
  publicIncidentUpdateDate: publicDate.optional().register(fieldFacts, { same: sameString(sameSecond) }),
  occurrence: z.int({ error: "must be a whole number from 1" }).min(1).default(1),
  onChange: oneOf(onChangeValues).default("post"),
  // Describes other entries of the timeline, so it is not an output of this update.
  followedBy: z
    .array(z.string(), { error: "must be a list of strings" })
    .optional()
    .register(fieldFacts, { internal: true }),
  follows: string.optional().register(fieldFacts, { internal: true }),
  // The key of the entry itself, as the timeline computed it.
  entry: string.optional().register(fieldFacts, { internal: true }),
  // Identifies the resource: the engine doesn't tell a dynamic provider which one it calls for, and shows no `__` property.
  __resource: string.optional().register(fieldFacts, { internal: true }),
  account,
};

const declaration = z.object(fields);

/** The validated declaration. */
type Inputs = z.output<typeof declaration>;

export const incidentUpdate: Lifecycle = {
  ...fieldsOf(fields),
  computed: ["incidentUpdateId", "createdAt", "published", "missing"],
  readsOnly: false,

  check(declared) {
    const checked = checkFields(fields, declared);
    return { ...checked, problems: [...checked.problems, ...transformedProblem(checked.inputs)] };
  },

  noteChange(oldInputs, declared, context) {
    const { known, unknown } = declared;
    if (unknown.has("account")) return;
    const was = { kind: "inputs", declared: knownInputs({ known: oldInputs, unknown: new Set() }) } as const;
    context.publishing.diff(connectionOf(known, context), comparisonOf(was, declared, context));
  },

  diff(id, old, declared, context) {
    const recorded = recordedIn(id, old);
    const { changes } = changesOf(fields, old, declared);
    if (!recorded) return { changes, replaces: [] };
    const connection = comparedConnection(declared, old, context);
    if (connection) assertSameOrigin(id, old, connection);
    const learnsFor = context.afterRefresh ? undefined : connection;
    const difference = context.publishing.diff(learnsFor, comparisonOf(recorded, declared, context));
    switch (difference.kind) {
      case "same":
        return {
          changes: changes || (recorded.kind === "posted" && isRespelled(recorded, declared)),
          replaces: [],
        };
      case "settle":
        // A refresh clears the engine's own mark of an unfinished create. A change makes the engine call `update`.
        return { changes: true, replaces: [] };
      case "uncertain":
        // When the engine replaces a resource that this one depends on, it asks with unknown values, and would replace this
        // one, too, without asking again with the values.
        return { changes, replaces: [] };
      case "replace":
        return { changes, replaces: difference.fields };
      case "refuse": {
        const { refusal } = difference;
        const failure =
          refusal.why === "twin"
            ? refusalText(refusal, readInputs(declared.known))
            : `${nameInState(id, old)}: ${changeRefusedText(recorded, refusal.fields, declared, context)}.`;
        return { changes, replaces: [], failure };
      }
    }
  },

  async preview(declared, old, context) {
    const was = old && { ...old, recorded: declaredIn(old.id, old.outputs) };
    const subject = subjectOf(declared, context, was?.recorded);
    if (declared.unknown.size > 0) return told(previewFact(subject, { unknown: declared.unknown }));
    const inputs = readInputs(declared.known);
    if (was?.recorded.kind === "posted")
      return told(previewFact(subject, await previewOfState(inputs, was, was.recorded, context)));
    const connection = connectionOf(inputs, context);
    const { isTextSecret } = subject;
    const request = { connection, context, declared: inputs, isTextSecret, sent: was?.recorded };
    const { isMissing, ...previewed } = await context.publishing.preview(request);
    const fact = previewFact(subject, previewed);
    if (fact.failure === undefined || isMissing !== true) return told(fact);
    const near = await connection.reads.nearestIncident(inputs.incidentId);
    return told({ ...fact, failure: fact.failure + near });
  },

  refusal(declared, text, context) {
    return previewFact(subjectOf(declared, context), { failure: { why: "failed", text } });
  },

  async create(properties, context) {
    const inputs = readInputs(properties);
    return publish(inputs, connectionOf(inputs, context), context);
  },

  async read(id, old, context) {
    const connection = storedConnection(old, context);
    // A `get` stores only inputs at first.
    if (!("origin" in old)) return readExisting(id, old, connection);
    assertSameOrigin(id, old, connection);
    const recorded = recordedIn(id, old);
    if (recorded?.kind === "sent") {
      context.notice(`${nameInState(id, old)}: still unconfirmed. \`pulumi up\` searches for it.`);
      return { id, outputs: old };
    }
    // Not the engine's id: for an update that was found after a lost response, that is still the unconfirmed one. A `get`
    // stores what the service showed, which may be no declaration: its id is the update's.
    const { incidentId = "", incidentUpdateId = "" } = recorded
      ? { incidentId: recorded.declared.incidentId, incidentUpdateId: recorded.id }
      : { ...splitId(id) };
    const shownId = joinId(incidentId, incidentUpdateId);
    const update = await readUpdate(connection, incidentId, incidentUpdateId);
    // Without these outputs the engine would remove the resource, and the next `up` would post the update again.
    if (!update) {
      context.notice(
        `IncidentUpdate ${shownId}: not found on the service. It stays in the state and is not posted again.`,
      );
      return { id: shownId, outputs: { ...old, missing: true } };
    }
    return { id: shownId, outputs: { ...old, published: publishedOf(update), missing: false } };
  },

  async update(id, old, properties, context) {
    const inputs = readInputs(properties);
    const connection = connectionOf(inputs, context);
    const recorded = declaredIn(id, old);
    if (recorded.kind === "sent") return publish(inputs, connection, context, { id, recorded });
    for (const notice of unpostedNotices(old, recorded, inputs)) context.notice(notice);
    const computed = Object.fromEntries(Object.entries(old).filter(([name]) => !(name in fields)));
    const { followedBy, follows, entry, __resource, ...declared } = inputs;
    if (matches(inputs, recorded.declared)) return { id, outputs: { ...computed, ...declared } };
    const published = await readPublished(recorded, inputs, connection);
    return { id, outputs: { ...computed, ...declared, published, missing: false } };
  },

  async delete(id, old, context) {
    context.notice(removedText(nameInState(id, old), "unconfirmed" in old));
    return Promise.resolve();
  },

  /** @param id `<incidentId>/<incidentUpdateId>` */
  async import(id, context) {
    const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate import");
    const connection = connectionOf({}, context);
    const update = await connection.client.getIncidentUpdate(incidentId, incidentUpdateId);
    // Without the public date: a program that omits it would otherwise replace the update, which posts it again.
    const inputs = {
      incidentId,
      status: update.status,
      description: update.description,
      ...(update.notifySubscribers === true && { notifySubscribers: true }),
    };
    const declared = readDeclared(inputs);
    if (!declared) {
      // The engine doesn't say whether it imports the update or only gets it. The check of the inputs refuses an import.
      const outputs = existingOutputs({}, incidentId, update, connection.origin);
      return { id, inputs: { incidentId }, outputs };
    }
    const history = (await connection.reads.findStatusPageIncident(incidentId))?.incidentUpdates ?? [];
    const matching = oldestFirst(history.filter((one) => matches(declared, one)));
    const index = matching.findIndex((one) => one.id === incidentUpdateId);
    const occurrence = index > 0 && { occurrence: index + 1 };
    return {
      id,
      inputs: { ...inputs, ...occurrence },
      outputs: outputsOf(
        {
          kind: "posted",
          id: update.id,
          declared: { ...declared, ...occurrence },
          published: update,
          createdAt: update.created_at,
          missing: false,
          past: [],
        },
        connection.origin,
      ),
    };
  },
};

/** A transformation that runs between the timeline and the provider changes what the keys of all entries stand for. */
function transformedProblem({ entry, ...inputs }: Properties): Problem[] {
  const content = declaredContent(inputs);
  if (typeof entry !== "string" || entry === "" || !content) return [];
  const property = fieldUnlike(entry, content);
  if (property === undefined) return [];
  const reason =
    `${property === "description" ? "or status " : ""}was changed by a transformation of the program ` +
    "(`transforms` or `transformations`), so the order of the " +
    "timeline can't be checked. Make the change in `updates` of the IncidentTimeline, and leave its entries as they are";
  return [{ property, reason }];
}

function comparisonOf(was: Comparison["was"], declared: DeclaredInputs, { resource }: Context) {
  return { resource, was, declared: knownInputs(declared), unknown: declared.unknown };
}

async function publish(
  inputs: Inputs,
  connection: Connection,
  context: Context,
  unsettled?: { readonly id: string; readonly recorded: Sent },
): Promise<ResourceState | Failure> {
  const { incidentId } = inputs;
  const sent = unsettled?.recorded;
  const request = { connection, context, declared: inputs, isTextSecret: isTextSecret(context), sent };
  const published = await context.publishing.publish(request);
  const stateOf = (recorded: Recorded): ResourceState => ({
    id:
      recorded.kind === "posted"
        ? idOfUpdate(recorded)
        : (unsettled?.id ?? sentId(incidentId, recorded.nonce)),
    outputs: outputsOf(recorded, connection.origin),
  });
  if (published.kind === "done") return stateOf(published.posted);
  const { text: failure, keep } = published;
  return { failure, state: keep && stateOf(keep) };
}

function isRespelled(recorded: Posted, { known: { description } }: DeclaredInputs): boolean {
  return typeof description === "string" && respelledNotices(recorded, { description }).length > 0;
}

function changeRefusedText(
  recorded: Recorded,
  fields: readonly string[],
  declared: DeclaredInputs,
  { resource = "" }: Context,
): string {
  const { followedBy } = knownInputs(declared);
  const isEntry = followedBy !== undefined || declared.unknown.has("followedBy");
  return isDeclaredLater(recorded.declared, followedBy)
    ? insertedText(placeOf(resource, followedBy)?.entry)
    : refusedChange(fields, isEntry);
}

function subjectOf(declared: DeclaredInputs, context: Context, recorded?: Recorded): PreviewSubject {
  const { urn = context.resource ?? "" } = context;
  const shown = shownOf(declared);
  return {
    urn,
    declared: shown,
    place: placeOf(urn, shown.followedBy),
    isTextSecret: isTextSecret(context),
    recorded,
  };
}

const isTextSecret = ({ secrets }: Context): boolean => secrets?.has("description") ?? true;

function told(fact: PreviewFact) {
  return { fact, failure: fact.failure, ...previewLines(fact) };
}

/** The `up` records a text that was edited on the service, unless it was edited again. */
async function previewOfState(
  inputs: Inputs,
  { outputs }: ResourceState,
  recorded: Posted,
  context: Context,
): Promise<Previewed> {
  const remarks = unpostedNotices(outputs, recorded, inputs);
  if (matches(inputs, recorded.declared) || !isShownAsDeclared(recorded, inputs)) return { remarks };
  try {
    await readPublished(recorded, inputs, connectionOf(inputs, context));
    return { remarks };
  } catch (error) {
    if (!isWithoutResponse(error)) throw error;
    return { remarks, noResponse: error.message };
  }
}

/** Notices about changes that reach the state alone, although they may look as if they changed the public update. */
function unpostedNotices(old: Properties, recorded: Posted, inputs: Inputs): string[] {
  const id = idOfUpdate(recorded);
  const enablesEmail = inputs.notifySubscribers && old["notifySubscribers"] !== true;
  return [
    ...respelledNotices(recorded, inputs),
    ...(enablesEmail ? [emailEnabledText(id)] : []),
    ...(recorded.declared.occurrence === inputs.occurrence ? [] : [occurrenceText(id, inputs.occurrence)]),
  ];
}

/** @throws InvalidInputError when the public update doesn't match the declaration. */
async function readPublished(recorded: Posted, inputs: Inputs, connection: Connection): Promise<Properties> {
  const update = await readUpdate(connection, recorded.declared.incidentId, recorded.id);
  if (update && matches(inputs, update)) return publishedOf(update);
  throw new InvalidInputError(`IncidentUpdate ${idOfUpdate(recorded)}`, [
    {
      property: "description",
      reason:
        "or another declared field no longer matches: the update was changed on the service after the last refresh. " +
        "Nothing was posted. Run `pulumi refresh`, then `pulumi up`",
    },
  ]);
}

const assertSameOrigin = (id: string, old: Properties, connection: Connection): void =>
  assertOrigin(nameInState(id, old), old, connection, "the update was posted to");

/** Tells that a text that differs only in its escapes or encoding changes nothing: the public update stays as it is. */
function respelledNotices(recorded: Posted, inputs: { readonly description: string }): string[] {
  const { description } = recorded.declared;
  if (visibleText(inputs.description) === visibleText(description)) return [];
  if (!sameText(inputs.description, description)) return [];
  return [respelledText(idOfUpdate(recorded))];
}

/** Undefined when the update or its incident doesn't exist. One read of an incident serves all its updates. */
async function readUpdate(
  { reads }: Connection,
  incidentId: string,
  incidentUpdateId: string,
): Promise<StatusPageIncidentUpdate | undefined> {
  const incident = await reads.findStatusPageIncident(incidentId);
  if (!incident) return undefined;
  const wantedId = canonicalId(incidentUpdateId);
  const shown = incident.incidentUpdates?.find(({ id }) => canonicalId(id) === wantedId);
  // A long history may contain only its latest updates.
  return shown ?? undefinedIfAbsent(reads.incidentUpdate(incidentId, incidentUpdateId));
}

/** `IncidentUpdate.get`: reads an update of which only the id is known. */
async function readExisting(
  id: string,
  old: Properties,
  { client, origin }: Connection,
): Promise<ResourceState> {
  const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate.get");
  const update = await client.getIncidentUpdate(incidentId, incidentUpdateId);
  return { id, outputs: existingOutputs(old, incidentId, update, origin) };
}

function idsIn(id: string, operation: string): NonNullable<ReturnType<typeof splitId>> {
  const ids = splitId(id);
  if (ids) return ids;
  throw new InvalidInputError(operation, [
    { property: "id", reason: "must be <incidentId>/<incidentUpdateId>" },
  ]);
}

/** For messages: the service knows no update by the id of a resource whose post was unconfirmed. */
function nameInState(id: string, old: Properties): string {
  const { incidentId, incidentUpdateId } = old;
  if (typeof incidentId !== "string") return `IncidentUpdate ${id}`;
  if (typeof incidentUpdateId === "string") return `IncidentUpdate ${joinId(incidentId, incidentUpdateId)}`;
  return "unconfirmed" in old ? `IncidentUpdate on incident ${incidentId}` : `IncidentUpdate ${id}`;
}

function idOfUpdate({ declared: { incidentId }, id }: Posted): string {
  return joinId(incidentId, id);
}

function joinId(incidentId: string, incidentUpdateId: string): string {
  return `${incidentId}/${incidentUpdateId}`;
}

/** The two parts, or undefined for another format. Incident ids contain no slash. */
function splitId(id: string): { incidentId: string; incidentUpdateId: string } | undefined {
  const slash = id.indexOf("/");
  if (slash < 1 || slash === id.length - 1) return undefined;
  return { incidentId: id.slice(0, slash), incidentUpdateId: id.slice(slash + 1) };
}

/**
 * The id of an update that was sent, until a refresh gives it the one of the update. Not derived from a text: the description
 * may be a secret, and ids are visible.
 */
function sentId(incidentId: string, nonce: string): string {
  return joinId(incidentId, `update-${digestOf(nonce)}`);
}

function readInputs(properties: unknown): Inputs {
  return declaration.parse(properties);
}

// Without defaults, which would stand for values that aren't known.
const shownPart = declaration
  .extend({ notifySubscribers: z.boolean(), occurrence: z.number(), onChange: z.enum(onChangeValues) })
  .partial();

/** The valid part of a declaration, as far as it is known. */
function shownOf(declared: DeclaredInputs): z.output<typeof shownPart> {
  return shownPart.parse(checkFields(fields, declared).inputs);
}

const partialDeclaration = declaration.partial();

/** The valid values of a declaration, as far as they are known. */
function knownInputs(declared: DeclaredInputs): Partial<Inputs> {
  return partialDeclaration.parse(checkFields(fields, declared).inputs);
}

/** Undefined while a declared value is unknown or invalid. */
function readDeclared(properties: unknown): Inputs | undefined {
  return declaration.safeParse(properties).data;
}

/**
 * Undefined for what no program declares: `IncidentUpdate.get` stores any update that the service shows.
 * @throws InvalidInputError when the state can't be read: a value that is missing may be why nothing is posted.
 */
function recordedIn(id: string, { origin, ...state }: Properties): Recorded | undefined {
  const decoded = decode(state);
  switch (decoded.kind) {
    case "recorded":
      return decoded.recorded;
    case "read":
      return undefined;
    case "unreadable":
      throw unreadable(id, decoded.field);
  }
}

/** Of an update that a program declares. Without `past`, its state would pass for one that is only read. */
function declaredIn(id: string, state: Properties): Recorded {
  const recorded = recordedIn(id, state);
  if (recorded) return recorded;
  throw unreadable(id, "past");
}

const unreadable = (id: string, property: string): InvalidInputError =>
  new InvalidInputError(`IncidentUpdate ${id}`, [{ property, reason: unreadableReason }]);

const unreadableReason =
  "can't be read from the state. Nothing was posted. If a newer version of pulumi-monitoring-service wrote it, install " +
  "that version. If the state was edited, restore it with `pulumi stack import`. Otherwise check the public page, then " +
  "remove the resource from the state with `pulumi state delete`: the next `pulumi up` adopts its update, or posts it if " +
  "the incident doesn't show it";

/** The outputs of a resource. */
function outputsOf(recorded: Recorded, origin: Origin): Properties {
  const { __resource, entry, ...outputs } = encode(recorded);
  return { ...outputs, origin };
}

/** The update as the service shows it. */
function publishedOf({
  status,
  description,
  publicIncidentUpdateDate,
  notifySubscribers,
}: Partial<StatusPageIncidentUpdate>): Properties {
  return { status, description, publicIncidentUpdateDate, notifySubscribers };
}

/** The outputs of an update that a program only reads. */
function existingOutputs(
  old: Properties,
  incidentId: string,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const {
    id,
    status,
    description,
    notifySubscribers,
    publicIncidentUpdateDate,
    created_at: createdAt,
  } = update;
  return {
    ...old,
    incidentId,
    status,
    description,
    notifySubscribers: notifySubscribers ?? false,
    publicIncidentUpdateDate,
    incidentUpdateId: id,
    createdAt,
    published: publishedOf(update),
    missing: false,
    origin,
  };
}
