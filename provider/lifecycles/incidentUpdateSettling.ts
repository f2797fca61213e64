/** Resolves an unconfirmed update: finds out whether it was published, and what to do next. */
import { type Connection } from "../connection";
import { claim, confirm, forgetUnconfirmed } from "./claims";
import { changedFields, replacingFields } from "./fields";
import { type HistorySnapshot } from "./history";
import { type SentPosts } from "./incidentLock";
import { publishOrRecord, withTurn } from "./incidentUpdateCreation";
import { incidentUpdateFields as fields, type Inputs, readState, type State } from "./incidentUpdateFields";
import { joinId } from "./incidentUpdateId";
import { declaredOutputs, outputsOf } from "./incidentUpdateOutputs";
import {
  type Declared,
  type Properties,
  type ResourceState,
  messageOf,
  PartialFailureError,
  type Context,
} from "./lifecycle";
import { connectionOf } from "./origin";
import { lostPosts } from "./resourceMemory";
import { describe, type SearchResult, descriptionDiffers, look, search } from "./search";
import { inTurn } from "./turns";
import { matches, sentKey } from "./updateContent";

const noUnknowns: ReadonlySet<string> = new Set();

/**
 * Searches for an unconfirmed update, then publishes the current declaration.
 *
 * @throws PartialFailureError for every failure: without a record of the update, the next run would post it again.
 */
export async function settleLost(
  remembered: ResourceState,
  inputs: Inputs,
  context: Context,
): Promise<Properties> {
  try {
    const state = readState(remembered.outputs);
    if (!state) throw new Error("The unconfirmed update has no readable state.");
    const connection = connectionOf(inputs, context);
    const publishDeclared = await withTurn(connection, state.incidentId, context, (sentPosts) =>
      settle(remembered, state, inputs, connection, context, sentPosts),
    );
    const outputs = await publishDeclared();
    lostPosts.delete(context.resource);
    return outputs;
  } catch (error) {
    if (error instanceof PartialFailureError) throw error;
    throw new PartialFailureError(messageOf(error), remembered);
  }
}

/**
 * Searches for the update and decides what follows. For a declaration on another incident, the returned function
 * publishes it, because that needs the turn of that incident.
 */
async function settle(
  remembered: ResourceState,
  state: State,
  inputs: Inputs,
  connection: Connection,
  context: Context,
  sentPosts: SentPosts,
): Promise<() => Promise<Properties>> {
  const found = await search(state, snapshotFrom(state), connection, context);
  const changed = replacingFields(
    fields,
    changedFields(fields, state, { known: inputs, unknown: noUnknowns }),
  );
  if (found.update) {
    claim(connection, state.incidentId, found.update.id, context.resource);
    sentPosts.noteNotApplied(sentKey(state));
    context.notice(
      `IncidentUpdate: update ${found.update.id} was published on incident ${state.incidentId} by a previous run, whose ` +
        "response was lost. It was not posted again.",
    );
    if (changed.length === 0) {
      const outputs = outputsOf(declaredOutputs(inputs), found.update, connection.origin);
      return () => Promise.resolve(outputs);
    }
  } else if (!declaresLookalike(inputs, state, found)) {
    if (inputs.onUnconfirmed === "fail" || preventsResend(found, inputs, state)) {
      throw new PartialFailureError(
        `IncidentUpdate on incident ${state.incidentId}: ${unconfirmedMessage(state, found)}`,
        remembered,
      );
    }
    // With "resend", the next post must not wait for the lost one.
    sentPosts.noteNotApplied(sentKey(state));
    context.notice(
      `IncidentUpdate: the update that a previous run sent to incident ${state.incidentId} was not found, and onUnconfirmed is "resend", so the declared update is published now.`,
    );
  }
  forgetUnconfirmed(connection, state);
  const replaced = found.update?.id;
  const publishNow = (posts: SentPosts): Promise<ResourceState> =>
    publishOrRecord(inputs, connection, context, posts, replaced);
  if (inputs.incidentId !== state.incidentId) {
    return async () => (await withTurn(connection, inputs.incidentId, context, publishNow)).outputs;
  }
  const { outputs } = await publishNow(sentPosts);
  return () => Promise.resolve(outputs);
}

/** Whether the program now declares the lookalike, as the error message proposed. It is then adopted. */
function declaresLookalike(inputs: Inputs, { incidentId }: State, { lookalike }: SearchResult): boolean {
  return lookalike !== undefined && inputs.incidentId === incidentId && matches(inputs, lookalike);
}

/** Whether the search result forbids publishing, even with "resend". */
function preventsResend(
  { incidentMissing, lookalike, readError }: SearchResult,
  inputs: Inputs,
  state: State,
): boolean {
  if (incidentMissing) return inputs.incidentId === state.incidentId;
  return lookalike !== undefined || readError !== undefined;
}

function unconfirmedMessage(state: State, found: SearchResult): string {
  return `a previous run sent this update and received no response. ${describe(state, found)} This run posted nothing. ${nextStep(state, found)}`;
}

/** No step sends a second email, unless the user verified on the public page that the first post failed. */
function nextStep(state: State, { incidentMissing, lookalike, readError }: SearchResult): string {
  if (readError !== undefined) return "Run `pulumi up` again when the incident can be read.";
  if (incidentMissing) {
    return (
      "If the incident exists in another account, point the stack back to that account. If it was deleted, the update is no " +
      "longer public: remove this resource from the state with `pulumi state delete`, then remove it from the program " +
      "or declare another incidentId, where the next `pulumi up` publishes it."
    );
  }
  if (lookalike) {
    const adopt = descriptionDiffers(state, lookalike)
      ? "declare its description"
      : "declare its publicIncidentUpdateDate or omit yours";
    return (
      `If that is this update, changed by the service, ${adopt}; \`pulumi up\` then adopts it and posts nothing. ` +
      "If it belongs to another resource of this stack, run `pulumi up` without --target. Otherwise, check the public " +
      "status page: only if this update is not there, remove this resource from the state with `pulumi state delete`; " +
      "the next `pulumi up` then publishes it."
    );
  }
  return 'When you are sure that it was not published, set onUnconfirmed to "resend"; or run `pulumi up` again later.';
}

export async function readUnconfirmed(
  id: string,
  old: Properties,
  state: State,
  connection: Connection,
  context: Context,
): Promise<ResourceState> {
  const found = await inTurn(connection, state.incidentId, context, async () => {
    const result = await look(state, snapshotFrom(state), connection, context);
    if (result.update) confirm(connection, state.incidentId, result.update.id);
    return result;
  });
  if (!found.update) {
    context.notice(`IncidentUpdate ${id}: still unconfirmed. ${describe(state, found)}`);
    return { id, outputs: old };
  }
  const { unconfirmed, ...declared } = old;
  return {
    id: joinId(state.incidentId, found.update.id),
    outputs: outputsOf(declared, found.update, connection.origin),
  };
}

function snapshotFrom({ unconfirmed = { ids: [] } }: State): HistorySnapshot {
  return unconfirmed;
}

/** The notice of a preview about an unconfirmed update. */
export function announceSettling(
  id: string,
  contentChanged: boolean,
  declared: Declared,
  context: Context,
): void {
  const published = settlingOutcome(contentChanged, declared.known["onUnconfirmed"] === "resend");
  const next = published ? `${published}; ${emailNotice(declared)}` : "and publishes nothing";
  context.notice(
    `IncidentUpdate ${id}: it is unknown whether it was published. \`pulumi up\` searches for it, ${next}.`,
  );
}

function settlingOutcome(contentChanged: boolean, resend: boolean): string | undefined {
  if (!contentChanged) return resend ? "and, when not found, publishes it again" : undefined;
  return resend
    ? "then publishes the current declaration"
    : "and, when found, publishes the current declaration";
}

export function emailNotice({ known, unknown }: Declared): string {
  if (unknown.has("notifySubscribers")) return "it is not known yet whether subscribers are emailed";
  return known["notifySubscribers"] === true ? "every subscriber is emailed" : "no subscriber is emailed";
}
