/**
 * Publishes `IncidentUpdate`s in the history of an incident, exactly once: the protocol decides what a run may post, and this file declares
 * the fields and follows the engine's verbs.
 */
import { z } from "zod";
import { publicDate, sameSecond, type StatusPageIncidentUpdate, updateStatuses } from "../api";
import { InvalidInputError, MonitoringError } from "../client";
import { type Connection, undefinedIfAbsent } from "../connection";
import { boolean, oneOf, string } from "../problems";
import {
  type Comparison,
  type Ending,
  foresee,
  imported,
  isShownAsDeclared,
  matches,
  type Notice,
  type Posted,
  type Recorded,
  redeclared,
  type Sent,
} from "../protocol";
import { canonicalId, normalizeText, type Problem, sameText, visibleText } from "../texts";
import {
  noticeText,
  type PreviewFact,
  previewFact,
  refusalText,
  refusedChange,
  removedText,
} from "../wording";
import {
  account,
  changesOf,
  checkFields,
  comparedConnection,
  connectionOf,
  type Context,
  type DeclaredInputs,
  fieldFacts,
  fieldsOf,
  idOf,
  type Lifecycle,
  PartialFailureError,
  type Properties,
  type ResourceState,
  storedConnection,
} from "./lifecycle";
import {
  declaredIn,
  existingOutputs,
  idInState,
  idsIn,
  nameInState,
  outputsOf,
  publishedOf,
  recordedIn,
} from "./updateState";
import { declaredContent, fieldUnlike } from "./timeline";

const maxDescriptionLength = 65_536;
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
/** The engine replaces a lone surrogate by U+FFFD. */
const loneSurrogate = /[\p{Cs}\uFFFD]/u;

const sameString = (same: (a: string, b: string) => boolean) => (a: unknown, b: unknown) =>
  a === b || (typeof a === "string" && typeof b === "string" && same(a, b));

const onChangeValues = ["post", "refuse"] as const;
const defaults = { notifySubscribers: false, occurrence: 1, onChange: "post" } as const;

const fields = {
  incidentId: idOf("a status-page incident"),
  status: oneOf(updateStatuses),
  description: string
    .trim()
    // `min` and `max` would report a second problem for a list.
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
  notifySubscribers: boolean.default(defaults.notifySubscribers),
  publicIncidentUpdateDate: publicDate.optional().register(fieldFacts, { same: sameString(sameSecond) }),
  occurrence: z.int({ error: "must be a whole number from 1" }).min(1).default(defaults.occurrence),
  onChange: oneOf(onChangeValues).default(defaults.onChange),
  // These describe the entry's timeline. If the state stored them, a new last entry would change all others.
  position: z.int().optional().register(fieldFacts, { internal: "transient" }),
  followedBy: z
    .array(z.string(), { error: "must be a list of strings" })
    .optional()
    .register(fieldFacts, { internal: "transient" }),
  follows: string.optional().register(fieldFacts, { internal: "transient" }),
  entry: string.optional().register(fieldFacts, { internal: "transient" }),
  // Identifies the resource: the engine doesn't tell a dynamic provider which one it calls for, and shows no `__` property.
  __resource: string.optional().register(fieldFacts, { internal: "stored" }),
  account,
};

const declaration = z.object(fields);

type Inputs = z.output<typeof declaration>;

export const incidentUpdate: Lifecycle = {
  ...fieldsOf(fields),
  computed: ["incidentUpdateId", "createdAt", "published", "missing"],
  readsOnly: false,

  check(declared) {
    const checked = checkFields(fields, declared);
    return { ...checked, problems: [...checked.problems, ...transformedProblem(checked.inputs)] };
  },

  expectReplace(oldInputs, declared, context) {
    const { known, unknown } = declared;
    if (unknown.has("account")) return;
    const was = { kind: "inputs", declared: knownInputs({ known: oldInputs, unknown: new Set() }) } as const;
    context.publishing.diff(connectionOf(known, context), comparisonOf(was, declared, context));
  },

  diff(id, old, declared, context, isRefresh) {
    const recorded = recordedIn(id, old);
    const { changes } = changesOf(fields, old, declared);
    if (!recorded) return { changes, replaces: [] };
    const connection = comparedConnection(declared, stored(id, old), context, isRefresh);
    const comparison = comparisonOf(recorded, declared, context);
    const difference = context.publishing.diff(isRefresh ? undefined : connection, comparison);
    switch (difference.kind) {
      case "same":
        return {
          changes: changes || (recorded.kind === "posted" && isSpelledAnew(recorded, declared.known)),
          replaces: [],
        };
      case "settle":
        // A refresh clears the engine's own mark of an unfinished create. A change makes the engine call `update`.
        return { changes: true, replaces: [] };
      case "replace":
        return { changes, replaces: difference.fields };
      case "refuse": {
        const { refusal } = difference;
        if (refusal.why === "twin")
          throw new MonitoringError(refusalText(refusal, declaration.parse(declared.known)));
        const isEntry = declared.unknown.has("followedBy") || declared.known["followedBy"] !== undefined;
        const reason = refusedChange(refusal.fields, isEntry);
        throw new MonitoringError(`${nameInState(id, old)}: ${reason}.`);
      }
    }
  },

  async preview(declared, old, context) {
    const recorded = old && declaredIn(old.id, old.outputs);
    const subject = subjectOf(declared, context, recorded);
    const { unknown } = declared;
    if (unknown.size > 0)
      return reported(subject, foresee({ declared: subject.declared, recorded, unknown }));
    const inputs = declaration.parse(declared.known);
    if (recorded?.kind === "posted")
      return reported(subject, await previewOfState(inputs, old?.outputs, recorded, context));
    const connection = connectionOf(inputs, context);
    const { isTextSecret } = subject;
    const request = { connection, context, declared: inputs, isTextSecret, sent: recorded };
    const { ending, incidentName } = await context.publishing.preview(request);
    const isOfProvider = connection.source === "provider";
    const isMissing =
      ending.kind === "refused" && ending.refusal.why === "failed" && ending.refusal.isMissing;
    const near = isMissing === true ? await connection.reads.nearestIncident(inputs.incidentId) : "";
    return reported({ ...subject, incidentName, isOfProvider }, ending, near);
  },

  unasked(declared, context) {
    const remarks = [{ tell: "notKnown", fields: ["provider"] } as const];
    return previewFact(subjectOf(declared, context), { kind: "unknown", remarks });
  },

  async apply(properties, old, context) {
    const inputs = declaration.parse(properties);
    const connection = connectionOf(inputs, context);
    if (!old) return publish(inputs, connection, context);
    const { id } = old;
    const recorded = declaredIn(id, old.outputs);
    if (recorded.kind === "sent") return publish(inputs, connection, context, { id, recorded });
    for (const notice of stateNotices(old.outputs, recorded, inputs))
      context.notice(noticeText(notice, inputs));
    const outputs = outputsOf(redeclared(recorded, inputs), connection.origin);
    if (matches(inputs, recorded.declared)) return { id, outputs };
    const published = await readPublished(recorded, inputs, connection);
    return { id, outputs: { ...outputs, published, missing: false } };
  },

  async read(id, old, context) {
    const connection = storedConnection(stored(id, old), context);
    const { origin, client } = connection;
    // A `get` stores only inputs at first.
    if (!("origin" in old)) {
      const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate.get");
      const update = await client.getIncidentUpdate(incidentId, incidentUpdateId);
      return { id, outputs: existingOutputs(old, incidentId, update, origin) };
    }
    const recorded = recordedIn(id, old);
    if (recorded?.kind === "sent") {
      context.notice(`${nameInState(id, old)}: still unconfirmed. \`pulumi up\` searches for it.`);
      return { id, outputs: old };
    }
    // The engine's id may be outdated: an update that was found after a lost response keeps the unconfirmed one until a refresh.
    // A `get` stores an update that may match no declaration, so its id is the update's.
    const shownId = recorded ? idInState(recorded) : id;
    const update = await readUpdate(connection, shownId);
    // The engine would remove the resource if these outputs were missing, and the next `up` would post the update again.
    if (!update) {
      context.notice(
        `IncidentUpdate ${shownId}: not found on the service. It stays in the state and is not posted again.`,
      );
      return { id: shownId, outputs: { ...old, missing: true } };
    }
    return { id: shownId, outputs: { ...old, published: publishedOf(update), missing: false } };
  },

  async delete(id, old, context) {
    context.notice(removedText(nameInState(id, old), "unconfirmed" in old));
    return Promise.resolve();
  },

  async import(id, context) {
    const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate import");
    const connection = connectionOf({}, context);
    const update = await connection.client.getIncidentUpdate(incidentId, incidentUpdateId);
    // The public date is left out: a program that omits it would otherwise replace the update, which posts it again.
    const inputs = {
      incidentId,
      status: update.status,
      description: update.description,
      ...(update.notifySubscribers === true && { notifySubscribers: true }),
    };
    const declared = declaration.safeParse(inputs).data;
    if (!declared) {
      // The engine doesn't say whether it imports the update or only gets it. The check of the inputs refuses an import.
      const outputs = existingOutputs({}, incidentId, update, connection.origin);
      return { id, inputs: { incidentId }, outputs };
    }
    const history = (await connection.reads.findStatusPageIncident(incidentId))?.incidentUpdates ?? [];
    const recorded = imported(declared, update, history);
    const { occurrence } = recorded.declared;
    return {
      id,
      inputs: { ...inputs, ...(occurrence > 1 && { occurrence }) },
      outputs: outputsOf(recorded, connection.origin),
    };
  },
};

/** A transformation that runs between the timeline and the provider changes what the keys of all entries stand for. */
function transformedProblem({ entry, ...inputs }: Properties): Problem[] {
  if (typeof entry !== "string" || entry === "") return [];
  const content = declaredContent(inputs);
  const property = content && fieldUnlike(entry, content);
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
): Promise<ResourceState> {
  const reader = { isOfProvider: connection.source === "provider", isTextSecret: isTextSecret(context) };
  const sent = unsettled?.recorded;
  const request = { connection, context, declared: inputs, isTextSecret: reader.isTextSecret, sent };
  const ending = await context.publishing.publish(request);
  const recorded = "recorded" in ending ? ending.recorded : undefined;
  const state = recorded && {
    id: recorded.kind === "sent" && unsettled ? unsettled.id : idInState(recorded),
    outputs: outputsOf(recorded, connection.origin),
  };
  if ("refusal" in ending && ending.refusal) {
    const text = refusalText(ending.refusal, inputs, reader);
    throw state ? new PartialFailureError(text, state) : new MonitoringError(text);
  }
  if (!state || ending.kind === "unconfirmed")
    throw new Error(`An update ended as ${ending.kind}, without a reason.`);
  return state;
}

type Shown = Pick<Context, "urn" | "resource" | "secrets">;

function subjectOf(declared: DeclaredInputs, context: Shown, recorded?: Recorded) {
  const { urn = context.resource ?? "" } = context;
  const { position: entry, ...shown } = knownInputs(declared);
  const { followedBy } = shown;
  return {
    urn,
    declared: shown,
    place: entry !== undefined && followedBy ? { entry, of: entry + followedBy.length } : undefined,
    isTextSecret: isTextSecret(context),
    wasTextSecret: declared.oldSecrets?.has("description") ?? false,
    recorded,
  };
}

/** @param near What may have been meant. @throws MonitoringError when the `up` would fail. */
function reported(subject: Parameters<typeof previewFact>[0], ending: Ending, near = ""): PreviewFact {
  if (ending.kind !== "refused") return previewFact(subject, ending);
  throw new MonitoringError(refusalText(ending.refusal, subject.declared, subject) + near);
}

const isTextSecret = ({ secrets }: Shown): boolean => secrets?.has("description") ?? true;

/** The `up` records a text that was edited on the service, unless it was edited again. */
async function previewOfState(
  inputs: Inputs,
  old: Properties = {},
  recorded: Posted,
  context: Context,
): Promise<Ending> {
  if (!matches(inputs, recorded.declared) && isShownAsDeclared(recorded, inputs))
    await readPublished(recorded, inputs, connectionOf(inputs, context));
  return { kind: "kept", recorded, remarks: stateNotices(old, recorded, inputs) };
}

/** Tells about changes that reach the state alone, although they may look as if they changed the public update. */
function stateNotices(old: Properties, recorded: Posted, inputs: Inputs): Notice[] {
  const { notifySubscribers, occurrence } = inputs;
  const changed = {
    description: isSpelledAnew(recorded, inputs),
    notifySubscribers: notifySubscribers && old["notifySubscribers"] !== true,
    occurrence: occurrence !== recorded.declared.occurrence,
  };
  const fields = Object.entries(changed).flatMap(([name, isChanged]) => (isChanged ? [name] : []));
  return fields.length === 0 ? [] : [{ tell: "stateOnly", id: idInState(recorded), fields }];
}

async function readPublished(recorded: Posted, inputs: Inputs, connection: Connection): Promise<Properties> {
  const id = idInState(recorded);
  const update = await readUpdate(connection, id);
  if (update && matches(inputs, update)) return publishedOf(update);
  throw new InvalidInputError(`IncidentUpdate ${id}`, [
    {
      property: "description",
      reason:
        "or another declared field no longer matches: the update was changed on the service after the last refresh. " +
        "Nothing was posted. Run `pulumi refresh`, then `pulumi up`",
    },
  ]);
}

const stored = (id: string, old: Properties) => ({
  old,
  title: nameInState(id, old),
  relation: "the update was posted to",
});

/** True if the text has other escapes or another encoding alone, so that the public update stays as it is. */
function isSpelledAnew({ declared: { description } }: Posted, { description: text }: Properties): boolean {
  if (typeof text !== "string") return false;
  return visibleText(text) !== visibleText(description) && sameText(text, description);
}

/** Undefined when the update or its incident doesn't exist. One read of an incident serves all its updates. */
async function readUpdate({ reads }: Connection, id: string): Promise<StatusPageIncidentUpdate | undefined> {
  const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate");
  const incident = await reads.findStatusPageIncident(incidentId);
  if (!incident) return undefined;
  const wantedId = canonicalId(incidentUpdateId);
  const shown = incident.incidentUpdates?.find(({ id }) => canonicalId(id) === wantedId);
  // A long history may contain only its latest updates.
  return shown ?? undefinedIfAbsent(reads.incidentUpdate(incidentId, incidentUpdateId));
}

const words = z.string().optional().catch(undefined);

/** The types alone: `check` has validated what the engine and the state have, and says what else is wrong. */
const checkedDeclaration = z.object({
  incidentId: words,
  status: z.enum(updateStatuses).optional().catch(undefined),
  description: words,
  notifySubscribers: z.boolean().optional().catch(undefined),
  publicIncidentUpdateDate: words,
  occurrence: z.number().optional().catch(undefined),
  onChange: z.enum(onChangeValues).optional().catch(undefined),
  position: z.number().optional().catch(undefined),
  followedBy: z.array(z.string()).optional().catch(undefined),
  follows: words,
  entry: words,
});

function knownInputs({ known, unknown }: DeclaredInputs): z.output<typeof checkedDeclaration> {
  const values = Object.entries({ ...defaults, ...known }).filter(([name]) => !unknown.has(name));
  return checkedDeclaration.parse(Object.fromEntries(values));
}
