/**
 * Implements the engine's verbs for an `Incident`, which is opened on a status page with components. In the protocol, the page is the
 * container and the incident is an entry, which consists of its name and its first update.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { componentStatuses, maxIncidentName, updateStatuses, type UpdateStatus } from "../api";
import { InvalidInputError, isMonitoringError } from "../client";
import { type AccountArgs, type Connection, type Entry, toEntry, ignoreNotFound } from "../connection";
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
import { findRejections } from "../proofreading";
import { createRecord, normalizeContent } from "../protocol";
import { type Problem, sameText } from "../texts";
import { createEntryLifecycle, type EntryKind } from "./entries";
import {
  describeRemoved,
  forgetRemoved,
  formatStoredTitle,
  toOrigin,
  toPublished,
  toState,
} from "./entryState";
import {
  computeImpactsKey,
  findImpacts,
  needsComparison,
  previewImpacts,
  readComponentNames,
  readImpactWrites,
  writeImpacts,
} from "./impacts";
import { compareStringsWith, defaults, fields as fieldsOfUpdate, publicText } from "./incidentUpdate";
import {
  account,
  checkFields,
  type DeclaredInputs,
  getConnection,
  fieldFacts,
  idSchema,
  type Lifecycle,
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
  statusPageId: castSchema<string, string>(idSchema("a status page with components")),
  /**
   * Public name, at most 255 characters, which identifies the incident. Include the release or the date, so that each incident has a
   * unique name. Changes are rejected.
   */
  name: publicText(maxIncidentName)
    .refine((value) => !/[\t\n\r\u2028\u2029]/.test(value), {
      error: "must be one line without control characters",
    })
    .register(fieldFacts, { secret: true, repeatedIn: "published", same: compareStringsWith(sameText) }),
  /**
   * States of the components that the incident affects. All other components are operational. Can be changed while the incident is open: no
   * email is sent. Default: none.
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
  names: { containerId: "statusPageId", id: "incidentId" },

  check: checkIncident,

  toDeclaration(properties) {
    const { statusPageId, ...content } = declaration.parse(properties);
    return normalizeContent({ ...content, statusPageId, containerId: statusPageId });
  },

  toKnown({ known, unknown }) {
    const values = Object.entries({ notifySubscribers: false, ...known });
    const { description, statusPageId, ...others } = partial.parse(
      Object.fromEntries(values.filter(([name]) => !unknown.has(name))),
    );
    const content = {
      ...others,
      ...(statusPageId !== undefined && { containerId: statusPageId, statusPageId }),
      // A preview reports an incident even while its name is unknown.
      name: others.name ?? "",
    };
    return description === undefined ? content : normalizeContent({ ...content, description });
  },

  readShown: (recorded, connection) => readIncident(connection, recorded.declared.containerId, recorded.id),

  async describe(_, { impacts, declared, connection }) {
    if (impacts.length === 0) return [];
    const names = await readComponentNames(connection, declared.containerId);
    return impacts.map(({ componentId: id, status: state }) => ({
      component: names.get(id) ?? id,
      id,
      state,
    }));
  },

  impacts: {
    find(inputs, connection, resource) {
      const { impacts, statusPageId } = declaration.parse(inputs);
      return findImpacts(impacts, statusPageId, connection, resource);
    },
    needsComparison,
    async preview({ declared: { containerId }, id }, old, { impacts, connection, context }) {
      const shown = await readIncident(connection, containerId, id);
      const writes = readImpactWrites(old ?? {});
      const compared = { declared: impacts, writes, statusPageId: containerId, connection, context };
      return shown ? previewImpacts({ ...compared, shown }) : [];
    },
    async write({ recorded, isOpened, ...state }, old, { impacts, connection, context }) {
      const { containerId: statusPageId } = recorded.declared;
      const opened = { written: computeImpactsKey(impacts), at: 0 };
      const { componentImpacts: response = impacts } = recorded.published ?? {};
      if (isOpened && computeImpactsKey(response) === opened.written) return { impactWrites: opened };
      const shown = await readIncident(connection, statusPageId, recorded.id);
      if (!shown) {
        const title = context.label(`${statusPageId}/${recorded.id}`);
        context.notice(`${title}: only the state changes (impacts), because the incident was deleted.`);
        return { impactWrites: opened };
      }
      const writes = readImpactWrites(old ?? {}) ?? (isOpened ? opened : undefined);
      const compared = { declared: impacts, shown, writes, statusPageId, connection, context };
      const { impactWrites, componentImpacts } = await writeImpacts(compared, state);
      const published = recorded.published && toPublished({ ...recorded.published, componentImpacts });
      return { impactWrites, published };
    },
  },
};

export const incident: Lifecycle = {
  ...createEntryLifecycle(kind),

  async delete(id, old, context) {
    const { statusPageId, incidentId } = old;
    const shown = typeof incidentId === "string" ? await readAtRemoval() : undefined;
    const open =
      shown && !shown.isResolved
        ? " It is still open. To resolve it, post a RESOLVED update in the dashboard, or declare an IncidentUpdate with this statusPageId and incidentId."
        : "";
    const visibility = shown ? "stays public" : describeRemoved(kind, old);
    context.notice(
      `${formatStoredTitle(kind, id, old, context.label)}: removed from the state. The incident ${visibility}.${open}`,
    );
    await forgetRemoved(kind, id, old, context);

    /** Ignores missing settings and a failed request, because the incident is removed from the state anyway. */
    async function readAtRemoval(): Promise<Entry | undefined> {
      try {
        const connection = getStoredConnection(toOrigin(kind, id, old), context);
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
    const inputs = { statusPageId, name, impacts, status, description };
    const checked = declaration.safeParse(inputs);
    if (!checked.data) {
      const problems = toProblems(checked.error).map(({ property, reason }) => `${property} ${reason}`);
      throw new InvalidInputError(operation, [
        { property: "id", reason: `is the ID of an incident that can't be declared: ${problems.join("; ")}` },
      ]);
    }
    const recorded = createRecord(kind.toDeclaration(checked.data, context), normalizeContent(entry));
    const { outputs } = toState(kind, recorded, connection);
    const impactWrites = { written: computeImpactsKey(impacts), at: 0 };
    return { id, inputs, outputs: { ...outputs, impactWrites } };
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
  status: z.enum(updateStatuses).optional().catch(undefined),
  description: text,
  notifySubscribers: z.boolean().optional().catch(undefined),
});

function validateTexts({ name, description }: Properties, old: Properties): Problem[] {
  return Object.entries({ name, description }).flatMap(([property, value]) =>
    typeof value !== "string" || value === old[property]
      ? []
      : findRejections(value).map((reason) => ({ property, reason })),
  );
}

async function readIncident({ client }: Connection, statusPageId: string, incidentId: string) {
  const read = await ignoreNotFound(client.getComponentPageIncident(statusPageId, incidentId));
  return read && toEntry(read);
}
