/**
 * Implements the engine's verbs for an `Incident`, which is opened on a status page with components. In the protocol, the page is the
 * container and the incident is an entry, which consists of its name and its first update.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { componentStatuses, maxIncidentName, updateStatuses, type UpdateStatus } from "../api";
import { InvalidInputError, isMonitoringError } from "../client";
import {
  type AccountArgs,
  addPageHint,
  type Connection,
  type Entry,
  toEntry,
  ignoreNotFound,
} from "../connection";
import {
  boolean,
  type InputsOf,
  list,
  castSchema,
  oneOf,
  type OutputsOf,
  strictObject,
  string,
  toProblems,
} from "../problems";
import { formatTitle } from "../engine";
import { findRefusals } from "../proofreading";
import { encode, createImportedRecord, normalizeContent } from "../protocol";
import { computeDigest, formatSuggestion, normalizeText, toOneLine, type Problem, sameText } from "../texts";
import { formatTypeLabel, type Label } from "../wording";
import { createEntryLifecycle, describeRemoved, type EntryKind, forgetRemoved, readRecord } from "./entries";
import { compareStringsWith, defaults, fields as fieldsOfUpdate } from "./incidentUpdateFields";
import {
  account,
  checkFields,
  type DeclaredInputs,
  getConnection,
  fieldFacts,
  idSchema,
  type Lifecycle,
  ownIdSchema,
  type Properties,
  getStoredConnection,
} from "./lifecycle";

/** The effect of an incident on a component of its status page. */
export interface IncidentImpact {
  /** Name of the component, unless `componentId` is given. */
  component?: string;
  /** ID of the component. */
  componentId?: string;
  /** State of the component. */
  status: (typeof componentStatuses)[number];
}

const impact = strictObject({
  component: string.optional(),
  componentId: idSchema("a component").optional(),
  status: oneOf(componentStatuses),
}).refine(({ component, componentId }) => (component === undefined) !== (componentId === undefined), {
  error: "must have either component, which is a name, or componentId",
});

const inputs = {
  /** ID of the status page, which must be a page with components. Changes are rejected. */
  statusPageId: castSchema<string, string>(ownIdSchema("a status page with components")),
  /**
   * Public name, at most 255 characters, which identifies the incident. Include the release or the date, so that each incident has a
   * unique name. Changes are rejected.
   */
  name: string
    .trim()
    .refine((value) => normalizeText(value) !== "", { error: "must not be empty" })
    .refine((value) => value.length <= maxIncidentName, {
      error: `must have at most ${maxIncidentName} characters`,
    })
    .refine((value) => !/\p{C}/u.test(value), { error: "must be one line without control characters" })
    .register(fieldFacts, { secret: true, repeatedIn: "published", same: compareStringsWith(sameText) }),
  /**
   * States of the components that the incident affects when it is opened. All other components are operational. Changes are rejected: change
   * the states in the dashboard.
   */
  impacts: list(castSchema<IncidentImpact, IncidentImpact>(impact))
    .default([])
    .register(fieldFacts, { same: isDeepStrictEqual }),
  /** Status of the first update. To post the next update, declare an `IncidentUpdate`. Changes are rejected. */
  status: fieldsOfUpdate.status,
  /** Text of the first update, which is public. Changes are rejected. */
  description: fieldsOfUpdate.description,
  /** Whether to email all subscribers when the incident is opened. Default: false. */
  notifySubscribers: boolean.default(defaults.notifySubscribers),
};

export interface IncidentInputs extends InputsOf<typeof inputs>, AccountArgs {}

/** An incident as the service shows it, with its first update. */
export interface PublishedIncident {
  /** Public name. */
  name?: string | undefined;
  /** Status of the first update. */
  status?: UpdateStatus | undefined;
  /** Text of the first update. */
  description: string;
  /** Whether subscribers were notified of the update. */
  notifySubscribers?: boolean | undefined;
  /** States of the components that the incident affects. Undefined after the incident is resolved. */
  componentImpacts?: IncidentImpact[] | undefined;
}

const computed = {
  /** ID of the incident, for its `IncidentUpdate` resources. */
  incidentId: string,
  /** Creation time, as recorded by the service. */
  createdAt: string.nullish(),
  /** The incident as the service showed it at the last refresh, with manual edits. */
  published: z.custom<PublishedIncident>(),
  /** Whether the incident was missing at the last refresh. A missing incident isn't opened again. */
  missing: boolean,
};

export interface IncidentOutputs extends OutputsOf<typeof inputs>, AccountArgs, OutputsOf<typeof computed> {}

const fields = { ...inputs, account };
const declaration = z.object(fields);

const kind: EntryKind = {
  type: "Incident",
  fields,
  computed: Object.keys(computed),

  check: checkIncident,

  toDeclaration(properties) {
    const { impacts, statusPageId, account: _, ...content } = declaration.parse(properties);
    const located = { containerId: statusPageId, statusPageId, impacts: JSON.stringify(impacts) };
    // There are no further occurrences: opening an identical incident again requires a different name or a resend code.
    return normalizeContent({ ...content, ...located, occurrence: 1, onChange: "refuse" });
  },

  toKnown({ known, unknown }) {
    const values = Object.entries({ notifySubscribers: false, impacts: [], ...known });
    const { description, statusPageId, impacts, ...others } = partial.parse(
      Object.fromEntries(values.filter(([name]) => !unknown.has(name))),
    );
    const content = {
      ...others,
      ...(statusPageId !== undefined && { containerId: statusPageId, statusPageId }),
      ...(impacts !== undefined && { impacts: JSON.stringify(impacts) }),
      // A preview reports an incident even while its name is unknown.
      name: others.name ?? "",
      occurrence: 1,
      onChange: "refuse",
    } as const;
    return description === undefined ? content : normalizeContent({ ...content, description });
  },

  toStoredRecord: ({ origin, incidentId, statusPageId, impacts, ...state }) => ({
    ...state,
    incidentId: statusPageId,
    statusPageId,
    impacts: JSON.stringify(impacts ?? []),
    occurrence: 1,
    ...(incidentId !== undefined && { incidentUpdateId: incidentId }),
  }),

  idOf: ({ declared: { containerId }, ...recorded }) =>
    `${containerId}/${recorded.kind === "posted" ? recorded.id : `incident-${computeDigest(recorded.nonce)}`}`,

  outputsOf(recorded, { impacts, account: name }, { origin }) {
    const { incidentId: statusPageId, incidentUpdateId: incidentId, ...outputs } = encode(recorded);
    const { occurrence: _, ...own } = outputs;
    return {
      ...own,
      impacts: impacts ?? [],
      ...(name !== undefined && { account: name }),
      statusPageId,
      ...(incidentId !== undefined && { incidentId }),
      origin,
    };
  },

  nameInState: formatNameInState,
  storedAt: (id, old) => ({ old, title: formatNameInState(id, old), relation: "the incident was opened on" }),

  async complete(declared, properties, connection, { resource }) {
    const impacts = await findImpacts(properties, connection, resource);
    return {
      ...declared,
      componentImpacts: impacts.map(({ componentId, status }) => ({ componentId, status })),
    };
  },

  async describe(_, { statusPageId, componentImpacts = [] }, __, { reads }) {
    if (statusPageId === undefined || componentImpacts.length === 0) return { statusPageId, impacts: [] };
    const components = await reads.getComponents(statusPageId);
    const nameById = new Map(components.map(({ id, name }) => [id, name]));
    const impacts = componentImpacts.map(({ componentId: id, status: state }) => ({
      component: nameById.get(id) ?? id,
      id,
      state,
    }));
    return { statusPageId, impacts };
  },

  readShown: (recorded, _, connection) =>
    readIncident(connection, recorded.declared.containerId, recorded.id),

  async read(id, old, context) {
    const connection = getStoredConnection(kind.storedAt(id, old), context);
    const recorded = readRecord(kind, id, old);
    if (recorded.kind === "sent") {
      context.notice(
        `${formatNameInState(id, old, context.label)}: still unconfirmed. \`pulumi up\` searches for the incident.`,
      );
      return { id, outputs: old };
    }
    const shown = await readIncident(connection, recorded.declared.containerId, recorded.id);
    const shownId = kind.idOf(recorded, old);
    if (!shown)
      context.notice(
        `${context.label(shownId)}: not found on the service. It stays in the state and is not opened again.`,
      );
    const outputs = shown
      ? { ...old, published: toPublished(shown), missing: false }
      : { ...old, missing: true };
    return { id: shownId, outputs };
  },
};

export const incident: Lifecycle = {
  ...createEntryLifecycle(kind),

  async delete(id, old, context) {
    const { statusPageId, incidentId } = old;
    const shown = typeof incidentId === "string" ? await readAtRemoval() : undefined;
    const open =
      shown && !shown.isOver
        ? " It is still open. To resolve it, post a RESOLVED update in the dashboard, or declare an IncidentUpdate with this statusPageId and incidentId."
        : "";
    const visibility = shown ? "stays public" : describeRemoved(old);
    context.notice(
      `${formatNameInState(id, old, context.label)}: removed from the state. The incident ${visibility}.${open}`,
    );
    await forgetRemoved(kind, id, old, context);

    /** Ignores missing settings and a failed request, because the incident is removed from the state anyway. */
    async function readAtRemoval(): Promise<Entry | undefined> {
      try {
        const connection = getStoredConnection(kind.storedAt(id, old), context);
        return await readIncident(connection, String(statusPageId), String(incidentId));
      } catch (error) {
        if (isMonitoringError(error)) return undefined;
        throw error;
      }
    }
  },

  async import(id, context) {
    const [statusPageId = "", incidentId = "", ...more] = id.split("/");
    const operation = "Incident import";
    if (statusPageId === "" || incidentId === "" || more.length > 0)
      throw new InvalidInputError(operation, [
        { property: "id", reason: "must be <statusPageId>/<incidentId>" },
      ]);
    const connection = getConnection({}, context);
    const entry = toEntry(await connection.client.getComponentPageIncident(statusPageId, incidentId));
    const { name, status, description, componentImpacts: impacts = [] } = entry;
    const checked = declaration.safeParse({ statusPageId, name, status, description, impacts });
    if (!checked.data) {
      const problems = toProblems(checked.error).map(({ property, reason }) => `${property} ${reason}`);
      throw new InvalidInputError(operation, [
        { property: "id", reason: `is the ID of an incident that can't be declared: ${problems.join("; ")}` },
      ]);
    }
    const declared = kind.toDeclaration(checked.data, context);
    const recorded = createImportedRecord(declared, entry, [entry]);
    const outputs = kind.outputsOf(recorded, checked.data, connection);
    return { id, inputs: { statusPageId, name, impacts, status, description }, outputs };
  },
};

/** Checks a declaration without requests to the service. */
export function checkIncident(declared: DeclaredInputs, old: Properties = {}) {
  const checked = checkFields(fields, declared);
  return { ...checked, problems: [...checked.problems, ...validateTexts(checked.inputs, old)] };
}

const text = z.string().optional().catch(undefined);

/** Reads values by type only, because `check` validates them. */
const partial = z.object({
  statusPageId: text,
  name: text,
  impacts: z.array(z.unknown()).optional().catch(undefined),
  status: z.enum(updateStatuses).optional().catch(undefined),
  description: text,
  notifySubscribers: z.boolean().optional().catch(undefined),
});

function validateTexts({ name, description }: Properties, old: Properties): Problem[] {
  return Object.entries({ name, description }).flatMap(([property, value]) =>
    typeof value !== "string" || value === old[property]
      ? []
      : findRefusals(value).map((reason) => ({ property, reason })),
  );
}

/** Finds the components that a declaration names. @throws InvalidInputError if a name or an ID doesn't match exactly one component. */
async function findImpacts(properties: Properties, { client, reads }: Connection, resource: string) {
  const { impacts, statusPageId } = declaration.parse(properties);
  if (impacts.length === 0) return [];
  const components = await addPageHint(client, statusPageId, reads.getComponents(statusPageId));
  const problems: Problem[] = [];
  const found = impacts.map(({ component: name, componentId, status }, index) => {
    const matching = components.filter((each) =>
      name === undefined ? each.id === componentId : sameText(each.name, name),
    );
    const [only] = matching;
    const property = `impacts[${index}].${name === undefined ? "componentId" : "component"}`;
    if (!only) {
      const known = components.map((each) => toOneLine(name === undefined ? each.id : each.name));
      const listed = components
        .filter(({ type }) => type !== "GROUP")
        .map((each) => (name === undefined ? `${each.id} (${toOneLine(each.name)})` : toOneLine(each.name)));
      const hint =
        formatSuggestion(name ?? componentId ?? "", known) || `; its components are ${listed.join(", ")}`;
      problems.push({ property, reason: `isn't a component of the status page ${statusPageId}${hint}` });
    } else if (matching.length > 1) {
      const ids = matching.map((each) => each.id).join(", ");
      problems.push({
        property,
        reason: `is the name of ${matching.length} components. Set componentId (${ids})`,
      });
    } else if (only.type === "GROUP") problems.push({ property, reason: "is a group. Name its components" });
    return { componentId: only?.id ?? "", status };
  });
  const ids = found.map(({ componentId }) => componentId);
  ids.forEach((id, index) => {
    if (id !== "" && ids.indexOf(id) < index)
      problems.push({ property: `impacts[${index}]`, reason: "must not name a component twice" });
  });
  if (problems.length > 0) throw new InvalidInputError(formatTitle(resource), problems);
  return found;
}

function formatNameInState(
  id: string,
  { statusPageId, incidentId }: Properties,
  label: Label = (shownId) => formatTypeLabel("Incident", shownId),
): string {
  return label(typeof incidentId === "string" ? `${String(statusPageId)}/${incidentId}` : id);
}

async function readIncident({ client }: Connection, statusPageId: string, incidentId: string) {
  const read = await ignoreNotFound(client.getComponentPageIncident(statusPageId, incidentId));
  return read && toEntry(read);
}

function toPublished({ name, status, description, notifySubscribers, componentImpacts }: Entry): Properties {
  return { name, status, description, notifySubscribers, componentImpacts };
}
