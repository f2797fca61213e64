/**
 * What a stack observes: an object that exists on the service, whoever made it. Declaring it reads it, a refresh
 * shows what changed, removing it forgets it; nothing is ever written. Kinds differ in their fields, and in how they
 * are read.
 */
import { InvalidInputError, MonitoringError } from "../client";
import { type Connection } from "../connection";
import { violations } from "./expectations";
import {
  changedFields,
  checkFields,
  type Fields,
  outputsThatRepeat,
  replacingFields,
  secretFields,
} from "./fields";
import { type Lifecycle, type Properties, type Context } from "./lifecycle";
import {
  comparedConnection,
  connectionOf,
  originInWords,
  refuseOtherOrigin,
  rememberedConnection,
} from "./origin";

/** One kind of what is observed. */
export interface ObservedResourceType {
  /** Its name, for messages. */
  readonly kind: string;
  /** What a program declares: the id, `expect`, `account` and, if the kind has more, the rest. */
  readonly fields: Fields;
  /** Which of the fields is the id. */
  readonly idField: string;
  /** What the service shows of it, or undefined when it has no such object. */
  readonly read: (id: string, inputs: Properties, connection: Connection) => Promise<Properties | undefined>;
}

export function observedLifecycle(what: ObservedResourceType): Lifecycle {
  const { kind, fields, idField } = what;
  const refuseElsewhere = (id: string, old: Properties, connection: Connection): void =>
    refuseOtherOrigin(`${kind} ${id}`, old, connection, "it was read from");

  return {
    fields: new Set(Object.keys(fields)),
    secrets: secretFields(fields),
    secretOutputs: (secretInputs) => outputsThatRepeat(fields, secretInputs),
    computed: [],
    readsOnly: true,

    check: (declared) => checkFields(fields, declared),

    diff(id, old, declared, context) {
      const connection = comparedConnection(declared, old, context);
      if (connection) refuseElsewhere(id, old, connection);
      const changed = changedFields(fields, old, declared);
      const replaces = replacingFields(fields, changed);
      if (replaces.length > 0) return { changes: true, replaces };
      // Without a change the run would pass in silence; `update` reads it again, and fails if it still is so.
      const wrong = old["missing"] === true ? "not found" : unexpected(declared.known, old);
      if (wrong !== undefined)
        context.notice(
          `${kind} ${id}: ${wrong}. That is how it was last read; \`pulumi up\` reads it again.`,
        );
      return { changes: changed.length > 0 || wrong !== undefined, replaces };
    },

    async create(inputs, context) {
      const id = String(inputs[idField]);
      return { id, outputs: await observe(what, id, inputs, context) };
    },

    async read(id, old, context) {
      const connection = rememberedConnection(old, context);
      refuseElsewhere(id, old, connection);
      const shown = await what.read(id, old, connection);
      // What is gone stays in the stack, marked. Otherwise the engine would drop what was last seen of it, and the next
      // preview would promise to create what is never made here.
      const outputs = { ...old, ...shown, missing: shown === undefined };
      const wrong = shown ? unexpected(old, shown) : notFound(connection);
      if (wrong !== undefined) {
        context.notice(
          `${kind} ${id}: ${wrong}. The next \`pulumi up\` reads it again, and fails if it still is so.`,
        );
      }
      return { id, outputs };
    },

    async import(id, context) {
      const { inputs, problems } = checkFields(fields, { known: { [idField]: id }, unknown: new Set() });
      if (problems.length > 0) throw new InvalidInputError(kind, problems);
      const declared = { [idField]: id };
      return { id, inputs: declared, outputs: await observe(what, id, inputs, context) };
    },

    update: (id, _old, inputs, context) => observe(what, id, inputs, context),

    delete(id, _old, context) {
      context.notice(`${kind} ${id}: forgotten by the stack; on the service nothing changes.`);
      return Promise.resolve();
    },
  };
}

/** @throws MonitoringError when it is absent, or not as expected. */
async function observe(
  { kind, read }: ObservedResourceType,
  id: string,
  inputs: Properties,
  context: Context,
): Promise<Properties> {
  const connection = connectionOf(inputs, context);
  const shown = await read(id, inputs, connection);
  if (!shown)
    throw new MonitoringError(`${kind} ${id}: ${notFound(connection)}. Check the id, and the account.`);
  const wrong = unexpected(inputs, shown);
  if (wrong !== undefined) {
    throw new MonitoringError(`${kind} ${id}: ${wrong}.\nFix it on the service, or change \`expect\`.`);
  }
  return { ...inputs, ...shown, missing: false, origin: connection.origin };
}

function notFound({ origin }: Connection): string {
  return `not found in ${originInWords(origin)}`;
}

/** In what the outputs aren't as expected, in words. */
function unexpected({ expect = {} }: Properties, outputs: Properties): string | undefined {
  const wrong = violations(expect, outputs);
  return wrong.length === 0 ? undefined : `not as expected:\n  ${wrong.join(";\n  ")}`;
}
