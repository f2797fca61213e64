/** `IncidentUpdate`: a declared update stands in the history of a status-page incident, once. */
import { InvalidInputError, type StatusPageIncidentUpdate } from "../client";
import { type Connection, type Origin } from "../connection";
import { changedFields, checkFields, replacingFields, secretFields } from "./fields";
import { type Seen } from "./history";
import { joinId, splitId, unconfirmedId } from "./incidentUpdateId";
import {
  incidentUpdateFields as fields,
  type Inputs,
  readInputs,
  readState,
  type State,
} from "./incidentUpdateFields";
import {
  type Declared,
  type Lifecycle,
  type Properties,
  type Remembered,
  Unfinished,
  type World,
} from "./lifecycle";
import { connectionOf, refuseOtherOrigin } from "./origin";
import { describe, type Finding, inTurn, look, publish, search, track, Unconfirmed } from "./publish";
import { readUpdate } from "./reading";
import { saysExactly } from "./words";

const everythingKnown: ReadonlySet<string> = new Set();

export const incidentUpdate: Lifecycle = {
  fields: new Set(Object.keys(fields)),
  secrets: secretFields(fields),

  check: (declared) => ({ ...checkFields(fields, declared), announcement: announcementOf(declared) }),

  diff(id, old, declared, world) {
    const state = readState(old);
    if (state && !declared.unknown.has("account")) {
      const connection = connectionOf(declared.known, world);
      refuseElsewhere(id, old, connection);
      if (state.incidentUpdateId) track(connection, state.incidentId, state.incidentUpdateId);
    }
    const changed = changedFields(fields, old, declared);
    const replaces = replacingFields(fields, changed);
    if (state?.unconfirmed) {
      announceSettling(id, replaces.length > 0, declared, world);
      // A refresh clears the engine's own mark of an unfinished create, so this is what brings it to `update`.
      return { changes: true, replaces: [] };
    }
    if (replaces.length > 0) announceReplacement(id, replaces, declared, world);
    return { changes: changed.length > 0, replaces };
  },

  async create(properties, world) {
    const inputs = readInputs(properties);
    return publishAndRemember(inputs, connectionOf(inputs, world), world);
  },

  async read(id, old, world) {
    const state = readState(old);
    const connection = connectionOf(old, world);
    if (!state) return readExisting(id, old, connection);
    refuseElsewhere(id, old, connection);
    if (state.unconfirmed) return readUnconfirmed(id, old, state, connection, world);
    const { incidentId, incidentUpdateId = splitId(id)?.incidentUpdateId ?? "" } = state;
    // Not the id that the engine gives: of one that was lost and found, that says still that it is unconfirmed.
    const known = joinId(incidentId, incidentUpdateId);
    const update = await readUpdate(connection, incidentId, incidentUpdateId);
    // What is gone stays in the stack, marked: otherwise the engine would drop it, and the next `up` would post it again.
    if (!update) {
      world.notice(
        `IncidentUpdate ${known}: not found on the service any more. It stays in the stack, and is not posted again.`,
      );
      return { id: known, outputs: { ...old, missing: true } };
    }
    return { id: known, outputs: { ...old, published: publishedOf(update), missing: false } };
  },

  async update(id, old, properties, world) {
    const inputs = readInputs(properties);
    const state = readState(old);
    if (state?.unconfirmed) {
      return settle({ id, outputs: old }, state, inputs, connectionOf(inputs, world), world);
    }
    if (inputs.notifySubscribers && state && !state.notifySubscribers) {
      world.notice(
        `IncidentUpdate ${id}: it was posted before, so turning notifySubscribers on mails nobody.`,
      );
    }
    const computed = Object.entries(old).filter(([name]) => !(name in fields));
    return { ...Object.fromEntries(computed), ...inputs };
  },

  async delete(id, old, world) {
    const still = readState(old)?.unconfirmed ? "it may stand in the incident" : "it stays public";
    world.notice(
      `IncidentUpdate ${id}: forgotten by the stack; ${still}, because the service can't take an update back.`,
    );
    return Promise.resolve();
  },
};

/** Publishes what is declared; when it can't be told whether that was done, the stack is to remember so much. */
async function publishAndRemember(inputs: Inputs, connection: Connection, world: World): Promise<Remembered> {
  const { incidentId } = inputs;
  const { origin } = connection;
  try {
    const update = await inTurn(connection, incidentId, () => publish(inputs, connection, world));
    return { id: joinId(incidentId, update.id), outputs: outputsOf(inputs, update, origin) };
  } catch (error) {
    if (!(error instanceof Unconfirmed)) throw error;
    const outputs = { ...inputs, missing: false, origin, unconfirmed: error.seen };
    throw new Unfinished(
      `${error.message} The stack remembers it: run \`pulumi up\` again to look for it; nothing is posted before that is settled.`,
      { id: unconfirmedId(inputs), outputs },
    );
  }
}

/** Finds out what became of the update that the stack remembers as unconfirmed, then does what is declared now. */
async function settle(
  remembered: Remembered,
  state: State,
  inputs: Inputs,
  connection: Connection,
  world: World,
): Promise<Properties> {
  const finding = await inTurn(connection, state.incidentId, () =>
    search(state, seenBy(state), connection, world),
  );
  const changed = replacingFields(
    fields,
    changedFields(fields, state, { known: inputs, unknown: everythingKnown }),
  );
  if (finding.update) {
    world.notice(
      `IncidentUpdate: ${finding.update.id} of incident ${state.incidentId} is the one that got no answer: it was published.`,
    );
    if (changed.length === 0) return outputsOf(inputs, finding.update, connection.origin);
  } else if (!declaresRewritten(inputs, state, finding)) {
    if (inputs.onUnconfirmed === "fail" || finding.lookalike || finding.unread !== undefined) {
      throw new Unfinished(`IncidentUpdate on incident ${state.incidentId}: ${wayOut(finding)}`, remembered);
    }
    world.notice(
      `IncidentUpdate: the one of incident ${state.incidentId} that got no answer is not found, and onUnconfirmed is "resend", so what is declared is published now.`,
    );
  }
  const { outputs } = await publishAndRemember(inputs, connection, world);
  return outputs;
}

/** Whether the words that the service made of a lost post are declared now, as its message proposed: they are adopted. */
function declaresRewritten(inputs: Inputs, { incidentId }: State, { lookalike }: Finding): boolean {
  return lookalike !== undefined && inputs.incidentId === incidentId && saysExactly(inputs, lookalike);
}

function wayOut(finding: Finding): string {
  const next = finding.unread
    ? "Run `pulumi up` again when it can be read."
    : finding.lookalike
      ? "If that is yours, declare its words; it is then adopted. If not, wait until it is gone, or forget this resource with `pulumi state delete`."
      : 'When you are sure that it was not published, set onUnconfirmed to "resend"; or run `pulumi up` again later.';
  return `an earlier run posted an update that got no answer. ${describe(finding)} Nothing was posted now. ${next}`;
}

async function readUnconfirmed(
  id: string,
  old: Properties,
  state: State,
  connection: Connection,
  world: World,
): Promise<Remembered> {
  const finding = await inTurn(connection, state.incidentId, () =>
    look(state, seenBy(state), connection, world),
  );
  if (!finding.update) {
    world.notice(`IncidentUpdate ${id}: still unconfirmed. ${describe(finding)}`);
    return { id, outputs: old };
  }
  const { unconfirmed, ...declared } = old;
  return {
    id: joinId(state.incidentId, finding.update.id),
    outputs: outputsOf(declared, finding.update, connection.origin),
  };
}

function seenBy({ unconfirmed = { ids: [] } }: State): Seen {
  return unconfirmed;
}

/** `IncidentUpdate.get`: nothing is known yet but the id. */
async function readExisting(
  id: string,
  old: Properties,
  { client, origin }: Connection,
): Promise<Remembered> {
  const parts = splitId(id);
  if (!parts) {
    throw new InvalidInputError("IncidentUpdate.get", [
      { property: "id", reason: "must be <incidentId>/<incidentUpdateId>" },
    ]);
  }
  const update = await client.getIncidentUpdate(parts.incidentId, parts.incidentUpdateId);
  const { status, description, notifySubscribers, publicIncidentUpdateDate } = update;
  const declared = {
    ...old,
    incidentId: parts.incidentId,
    status,
    description,
    notifySubscribers: notifySubscribers ?? false,
    publicIncidentUpdateDate,
  };
  return { id, outputs: outputsOf(declared, update, origin) };
}

function outputsOf(declared: Properties, update: StatusPageIncidentUpdate, origin: Origin): Properties {
  return {
    ...declared,
    incidentUpdateId: update.id,
    createdAt: update.created_at,
    published: publishedOf(update),
    missing: false,
    origin,
  };
}

/** The update as the public sees it now. */
function publishedOf(update: StatusPageIncidentUpdate): Properties {
  const { status, description, publicIncidentUpdateDate, notifySubscribers } = update;
  return { status, description, publicIncidentUpdateDate, notifySubscribers };
}

function refuseElsewhere(id: string, old: Properties, connection: Connection): void {
  refuseOtherOrigin(`IncidentUpdate ${id}`, old, connection, "the update was posted to");
}

/** What posting it does to the public, told in the preview. */
function announcementOf(declared: Declared): string {
  const { status, incidentId } = declared.known;
  const what = typeof status === "string" ? `${status} will be published` : "An update will be published";
  const where = typeof incidentId === "string" ? incidentId : "an incident that isn't known yet";
  return `IncidentUpdate: ${what} on ${where}, unless it already stands there; ${whoIsMailed(declared)}.`;
}

function whoIsMailed({ known, unknown }: Declared): string {
  if (unknown.has("notifySubscribers")) return "it isn't known yet whether subscribers are mailed";
  return known["notifySubscribers"] === true ? "every subscriber is mailed" : "nobody is mailed";
}

/** What becomes of an update of which nothing tells whether it was published, told in the preview. */
function announceSettling(id: string, otherWords: boolean, declared: Declared, world: World): void {
  const published = publishedBySettling(otherWords, declared.known["onUnconfirmed"] === "resend");
  const next = published ? `${published}; ${whoIsMailed(declared)}` : "and publishes nothing";
  world.notice(
    `IncidentUpdate ${id}: nothing tells yet whether it was published. \`pulumi up\` looks for it, ${next}.`,
  );
}

function publishedBySettling(otherWords: boolean, resend: boolean): string | undefined {
  if (!otherWords) return resend ? "and when it isn't found publishes it again" : undefined;
  return resend
    ? "then publishes what is declared now"
    : "and when it is found publishes what is declared now";
}

function announceReplacement(
  id: string,
  replaces: readonly string[],
  { known, unknown }: Declared,
  world: World,
): void {
  const certain = replaces.filter((name) => !unknown.has(name));
  if (known["onChange"] === "refuse" && certain.length > 0) {
    const reason =
      'may not change, because the update is public and onChange is "refuse": restore it, and declare what is new as an update of its own (in an IncidentTimeline: as its last entry)';
    throw new InvalidInputError(
      `IncidentUpdate ${id}`,
      certain.map((property) => ({ property, reason })),
    );
  }
  world.notice(
    `IncidentUpdate ${id}: ${replaces.join(", ")} changed, so a new update replaces it; the old one stays public.`,
  );
}
