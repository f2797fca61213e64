/**
 * Observes objects of the service. Creating a resource reads the object, a refresh shows drift, and the service is never changed. The state
 * contains facts about credentials, but not their values.
 */
import { isDeepStrictEqual } from "node:util";
import {
  validateChannelId,
  toDocumented,
  toDocumentedPage,
  listFieldNames,
  formatOrigin,
  pageOutputs,
  type Schema,
} from "../api";
import { InvalidInputError, MonitoringError } from "../client";
import { type Connection, ignoreNotFound } from "../connection";
import { pickDocumentedConfig, reduceToFingerprints, redactConfig } from "../credentials";
import { toPlainObject } from "../engine";
import { alertChannelOutputs, expectationsSchema, formatViolations } from "../expectations";
import { formatResourceName } from "../wording";
import {
  account,
  diffFields,
  checkFields,
  findComparedConnection,
  getConnection,
  findConnectionProblems,
  type Context,
  fieldFacts,
  buildFacts,
  type Fields,
  ownIdSchema,
  type Lifecycle,
  type Properties,
  type ResourceState,
  getStoredConnection,
} from "./lifecycle";

interface ObservedResourceType {
  readonly type: string;
  readonly idField: string;
  readonly idSchema: Fields[string];
  readonly outputs: Schema;
  /** Reads the outputs. Undefined if the object doesn't exist. */
  readonly read: (id: string, connection: Connection) => Promise<Properties | undefined>;
  /** Returns the outputs in which a difference is drift. Default: all outputs. */
  readonly compared?: (outputs: Properties) => Properties;
}

function createObservedLifecycle({
  type,
  idField,
  idSchema,
  outputs: schema,
  read,
  compared = (outputs) => outputs,
}: ObservedResourceType): Lifecycle {
  const fields: Fields = {
    [idField]: idSchema,
    expect: expectationsSchema(schema).optional().register(fieldFacts, { same: isDeepStrictEqual }),
    account,
  };
  /** Names the resource even if the engine shows messages under its name, because it doesn't with `--diff`. */
  const formatLabel = (id: string, { resource }: Context): string =>
    resource === "" ? `${type} ${id}` : `${type} ${formatResourceName(resource)}, ${id}`;
  const toStoredResource = (id: string, old: Properties) => ({
    old,
    title: `${type} ${id}`,
    relation: "it was read from",
  });

  /** @throws MonitoringError if the object doesn't exist or violates `expect`. */
  async function observe(inputs: Properties, context: Context): Promise<ResourceState> {
    const id = String(inputs[idField]);
    const connection = getConnection(inputs, context);
    const shown = await read(id, connection);
    if (!shown)
      throw new MonitoringError(
        `${formatLabel(id, context)}: ${formatNotFound(connection)}. Check the ID and the account.`,
      );
    const problem = formatViolations(inputs["expect"], shown);
    if (problem !== undefined)
      throw new MonitoringError(
        `${formatLabel(id, context)}: ${problem}.\nFix it on the service, or change \`expect\`.`,
      );
    return { id, outputs: { ...inputs, ...shown, missing: false, origin: connection.origin } };
  }

  return {
    facts: buildFacts(fields, []),
    readsOnly: true,

    check(declared, _old, context) {
      const { inputs, problems } = checkFields(fields, declared);
      return { inputs, problems: [...problems, ...findConnectionProblems(declared, context)] };
    },

    diff(id, old, declared, context, isRefresh) {
      findComparedConnection(declared, toStoredResource(id, old), context, isRefresh);
      const { changes, replaces } = diffFields(fields, old, declared);
      if (replaces.length > 0) return { changes: true, replaces };
      // A reported change makes the engine call `update`, which reads the object again and reports the problem if it persists.
      const isProblem =
        old["missing"] === true || formatViolations(declared.known["expect"], old) !== undefined;
      return { changes: changes || isProblem, replaces };
    },

    async preview({ known, unknown }, _old, context) {
      if (!unknown.has(idField) && !unknown.has("account")) await observe(known, context);
      return undefined;
    },

    apply: (inputs, _old, context) => observe(inputs, context),

    async read(id, old, context) {
      const connection = getStoredConnection(toStoredResource(id, old), context);
      const shown = await read(id, connection);
      // Keep the last outputs of a missing object. Without outputs, the engine would remove the resource and announce a create.
      const outputs = {
        ...(shown ? omitOutputs(old, listFieldNames(schema)) : old),
        ...shown,
        missing: !shown,
      };
      const problem = shown ? formatViolations(old["expect"], shown) : formatNotFound(connection);
      if (problem !== undefined) {
        context.notice(
          `${formatLabel(id, context)}: ${problem}. The next \`pulumi up\` reads it again, and fails if this persists.`,
        );
      }
      return { id, outputs, isDrifted: !isDeepStrictEqual(compared(old), compared(toPlainObject(outputs))) };
    },

    async import(id, context) {
      const declared = { [idField]: id };
      const { inputs, problems } = checkFields(fields, { known: declared, unknown: new Set() });
      if (problems.length > 0) throw new InvalidInputError(type, problems);
      return { inputs: declared, ...(await observe(inputs, context)) };
    },

    delete(id, _old, context) {
      context.notice(`${formatLabel(id, context)}: removed from the state; nothing changes on the service.`);
      return Promise.resolve();
    },
  };
}

function formatNotFound({ origin }: Connection): string {
  return `not found in ${formatOrigin(origin)}`;
}

/** Omits the outputs of an earlier read, because a migrated page no longer has some of them. */
function omitOutputs(old: Properties, outputs: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(old).filter(([name]) => !outputs.includes(name)));
}

export const observedStatusPage = createObservedLifecycle({
  type: "StatusPage",
  idField: "statusPageId",
  idSchema: ownIdSchema("a status page"),
  outputs: pageOutputs,

  async read(id, connection) {
    const { reads } = connection;
    const page = await reads.getStatusPage(id);
    if (!page) return undefined;
    const components = page.version === 3 ? await reads.getComponents(page.id) : undefined;
    const { id: _, ...outputs } = toDocumentedPage(page, components);
    return outputs;
  },
});

export const observedAlertChannel = createObservedLifecycle({
  type: "AlertChannel",
  idField: "channelId",
  idSchema: ownIdSchema("an alert channel", validateChannelId),
  outputs: alertChannelOutputs,

  async read(id, connection) {
    const { reads, origin } = connection;
    const channel = await ignoreNotFound(reads.getAlertChannel(id));
    return (
      channel &&
      toDocumented(alertChannelOutputs, {
        ...channel,
        config: pickDocumentedConfig({ ...channel, config: redactConfig(channel, origin.accountId) }),
      })
    );
  },

  // Compare fingerprints, because a new release may derive different facts from the same credential, such as the service of a newly known
  // host.
  compared: (outputs) => ({ ...outputs, config: reduceToFingerprints(outputs["config"]) }),
});
