/**
 * Observes objects of the service: creating a resource reads the object, a refresh shows drift, and nothing is ever written to the service. The
 * state stores facts about credentials, never their values.
 */
import { isDeepStrictEqual } from "node:util";
import {
  channelIdProblem,
  documented,
  documentedPage,
  fieldNames,
  formatOrigin,
  pageOutputs,
  type Schema,
} from "../api";
import { InvalidInputError, MonitoringError } from "../client";
import { type Connection, undefinedIfAbsent } from "../connection";
import { documentedConfig, fingerprintsOf, redactConfig } from "../credentials";
import { plainObject } from "../engine";
import { alertChannelOutputs, expectationsOf, violationsText } from "../expectations";
import {
  account,
  changesOf,
  checkFields,
  comparedConnection,
  connectionOf,
  connectionProblems,
  type Context,
  fieldFacts,
  factsIn,
  type Fields,
  ownIdOf,
  type Lifecycle,
  type Properties,
  type ResourceState,
  storedConnection,
} from "./lifecycle";

interface ObservedResourceType {
  readonly type: string;
  readonly fields: Fields;
  readonly idField: string;
  readonly outputs: Schema;
  /** Reads the outputs, or undefined when the object does not exist. */
  readonly read: (id: string, connection: Connection) => Promise<Properties | undefined>;
  /** The outputs in which a difference is drift. Default: all. */
  readonly compared?: (outputs: Properties) => Properties;
}

const expectOf = (outputs: Schema) =>
  expectationsOf(outputs).optional().register(fieldFacts, { same: isDeepStrictEqual });

function observedLifecycle({
  type,
  fields,
  idField,
  outputs: schema,
  read,
  compared = (outputs) => outputs,
}: ObservedResourceType): Lifecycle {
  const stored = (id: string, old: Properties) => ({
    old,
    title: `${type} ${id}`,
    relation: "it was read from",
  });

  /** @throws MonitoringError when the object does not exist or violates `expect`. */
  async function observe(inputs: Properties, context: Context): Promise<ResourceState> {
    const id = String(inputs[idField]);
    const connection = connectionOf(inputs, context);
    const shown = await read(id, connection);
    if (!shown)
      throw new MonitoringError(`${type} ${id}: ${notFound(connection)}. Check the id and the account.`);
    const problem = violationsText(inputs["expect"], shown);
    if (problem !== undefined)
      throw new MonitoringError(`${type} ${id}: ${problem}.\nFix it on the service, or change \`expect\`.`);
    return { id, outputs: { ...inputs, ...shown, missing: false, origin: connection.origin } };
  }

  return {
    facts: factsIn(fields, []),
    readsOnly: true,

    check(declared, _old, context) {
      const { inputs, problems } = checkFields(fields, declared);
      return { inputs, problems: [...problems, ...connectionProblems(declared, context)] };
    },

    diff(id, old, declared, context, isRefresh) {
      comparedConnection(declared, stored(id, old), context, isRefresh);
      const { changes, replaces } = changesOf(fields, old, declared);
      if (replaces.length > 0) return { changes: true, replaces };
      // A reported change makes the engine call `update`, which reads the object again and fails if this persists.
      const problem = old["missing"] === true ? "not found" : violationsText(declared.known["expect"], old);
      if (problem !== undefined && !isRefresh)
        context.notice(
          `${type} ${id}: ${problem}. This is the result of the last read; \`pulumi up\` reads it again.`,
        );
      return { changes: changes || problem !== undefined, replaces };
    },

    async preview({ known, unknown }, _old, context) {
      if (!unknown.has(idField) && !unknown.has("account")) await observe(known, context);
      return undefined;
    },

    apply: (inputs, _old, context) => observe(inputs, context),

    async read(id, old, context) {
      const connection = storedConnection(stored(id, old), context);
      const shown = await read(id, connection);
      // The engine would remove the last outputs of a missing object, and announce a create, which never happens here.
      const outputs = { ...(shown ? without(old, fieldNames(schema)) : old), ...shown, missing: !shown };
      const problem = shown ? violationsText(old["expect"], shown) : notFound(connection);
      if (problem !== undefined) {
        context.notice(
          `${type} ${id}: ${problem}. The next \`pulumi up\` reads it again, and fails if this persists.`,
        );
      }
      return { id, outputs, isDrifted: !isDeepStrictEqual(compared(old), compared(plainObject(outputs))) };
    },

    async import(id, context) {
      const declared = { [idField]: id };
      const { inputs, problems } = checkFields(fields, { known: declared, unknown: new Set() });
      if (problems.length > 0) throw new InvalidInputError(type, problems);
      return { inputs: declared, ...(await observe(inputs, context)) };
    },

    delete(id, _old, context) {
      context.notice(`${type} ${id}: removed from the state; nothing changes on the service.`);
      return Promise.resolve();
    },
  };
}

function notFound({ origin }: Connection): string {
  return `not found in ${formatOrigin(origin)}`;
}

/** Drops the outputs of an earlier read: a page that was migrated no longer has some of them. */
function without(old: Properties, outputs: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(old).filter(([name]) => !outputs.includes(name)));
}

export const observedStatusPage = observedLifecycle({
  type: "StatusPage",
  idField: "statusPageId",
  outputs: pageOutputs,
  fields: {
    statusPageId: ownIdOf("a status page"),
    expect: expectOf(pageOutputs),
    account,
  },

  async read(id, connection) {
    const { reads } = connection;
    const page = await reads.statusPage(id);
    if (!page) return undefined;
    const components = page.version === 3 ? await reads.components(page.id) : undefined;
    const { id: _, ...outputs } = documentedPage(page, components);
    return outputs;
  },
});

export const observedAlertChannel = observedLifecycle({
  type: "AlertChannel",
  idField: "channelId",
  outputs: alertChannelOutputs,
  fields: {
    channelId: ownIdOf("an alert channel", channelIdProblem),
    expect: expectOf(alertChannelOutputs),
    account,
  },

  async read(id, connection) {
    const { reads, origin } = connection;
    const channel = await undefinedIfAbsent(reads.alertChannel(id));
    return (
      channel &&
      documented(alertChannelOutputs, {
        ...channel,
        config: documentedConfig({ ...channel, config: redactConfig(channel, origin.accountId) }),
      })
    );
  },

  // A release may derive other facts from the same credential, such as a service at a host that it didn't know before.
  compared: (outputs) => ({ ...outputs, config: fingerprintsOf(outputs["config"]) }),
});
