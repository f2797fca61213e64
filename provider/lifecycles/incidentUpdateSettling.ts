/** An update of which it is unknown whether it was published: what became of it, and what happens then. */
import { type Connection } from "../connection";
import { claim, confirm, forgetUnconfirmed } from "./claims";
import { changedFields, replacingFields } from "./fields";
import { type HistorySnapshot } from "./history";
import { type SentPosts } from "./incidentLock";
import { publishAndRemember, withTurn } from "./incidentUpdateCreation";
import { incidentUpdateFields as fields, type Inputs, type State } from "./incidentUpdateFields";
import { joinId } from "./incidentUpdateId";
import { declaredOutputs, outputsOf } from "./incidentUpdateOutputs";
import {
  type Declared,
  type Properties,
  type ResourceState,
  PartialFailureError,
  type Context,
} from "./lifecycle";
import { describe, type SearchResult, hasOtherText, look, search } from "./search";
import { inTurn } from "./turns";
import { matches, sentKey } from "./updateContent";

const everythingKnown: ReadonlySet<string> = new Set();

/**
 * Finds out what became of the update that the stack remembers as unconfirmed, then does what is declared now. What is
 * declared on another incident is left to the function that it gives: it needs the turn of that incident.
 */
export async function settle(
  remembered: ResourceState,
  state: State,
  inputs: Inputs,
  connection: Connection,
  context: Context,
  sentPosts: SentPosts,
): Promise<() => Promise<Properties>> {
  const finding = await search(state, snapshotIn(state), connection, context);
  const changed = replacingFields(
    fields,
    changedFields(fields, state, { known: inputs, unknown: everythingKnown }),
  );
  if (finding.update) {
    claim(connection, state.incidentId, finding.update.id);
    sentPosts.noteNotApplied(sentKey(state));
    context.notice(
      `IncidentUpdate: ${finding.update.id} of incident ${state.incidentId} is the update whose response was lost: it was published.`,
    );
    if (changed.length === 0) {
      const outputs = outputsOf(declaredOutputs(inputs), finding.update, connection.origin);
      return () => Promise.resolve(outputs);
    }
  } else if (!declaresLookalike(inputs, state, finding)) {
    if (inputs.onUnconfirmed === "fail" || isInTheWay(finding, inputs, state)) {
      throw new PartialFailureError(
        `IncidentUpdate on incident ${state.incidentId}: ${wayOut(state, finding)}`,
        remembered,
      );
    }
    // Whoever says "resend" doesn't want to wait for it any longer.
    sentPosts.noteNotApplied(sentKey(state));
    context.notice(
      `IncidentUpdate: the update that a previous run sent to incident ${state.incidentId} is not found, and onUnconfirmed is "resend", so what is declared is published now.`,
    );
  }
  forgetUnconfirmed(connection, state);
  const replaced = finding.update?.id;
  const publishNow = (posts: SentPosts): Promise<ResourceState> =>
    publishAndRemember(inputs, connection, context, posts, replaced);
  if (inputs.incidentId !== state.incidentId) {
    return async () => (await withTurn(connection, inputs.incidentId, context, publishNow)).outputs;
  }
  const { outputs } = await publishNow(sentPosts);
  return () => Promise.resolve(outputs);
}

/** Whether what the service made of a lost post is declared now, as its message proposed: it is adopted. */
function declaresLookalike(inputs: Inputs, { incidentId }: State, { lookalike }: SearchResult): boolean {
  return lookalike !== undefined && inputs.incidentId === incidentId && matches(inputs, lookalike);
}

/** What "resend" doesn't go past. */
function isInTheWay({ gone, lookalike, unread }: SearchResult, inputs: Inputs, state: State): boolean {
  if (gone) return inputs.incidentId === state.incidentId;
  return lookalike !== undefined || unread !== undefined;
}

function wayOut(state: State, finding: SearchResult): string {
  return `a previous run sent this update and received no response. ${describe(state, finding)} Nothing was posted now. ${nextStep(state, finding)}`;
}

/** None of these leads to a second mail, unless the user finds on the public page that there was no first. */
function nextStep(state: State, { gone, lookalike, unread }: SearchResult): string {
  if (unread !== undefined) return "Run `pulumi up` again when it can be read.";
  if (gone) {
    return (
      "If it exists in another account, point the stack back at that account. If it was deleted, the update is no " +
      "longer public: forget this resource with `pulumi state delete`, and remove it from the program, or declare " +
      "another incidentId: what is declared after that is published there."
    );
  }
  if (lookalike) {
    const adopt = hasOtherText(state, lookalike)
      ? "declare its description"
      : "declare its publicIncidentUpdateDate, or none";
    return (
      `If that is this update, as the service changed it, ${adopt}; it is then adopted, and nothing is posted. ` +
      "If it belongs to another resource of this stack, run `pulumi up` without --target. If it is neither, look at " +
      "the public status page: only if this update is not there, forget this resource with `pulumi state delete`; " +
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
  const finding = await inTurn(connection, state.incidentId, context, async () => {
    const found = await look(state, snapshotIn(state), connection, context);
    if (found.update) confirm(connection, state.incidentId, found.update.id);
    return found;
  });
  if (!finding.update) {
    context.notice(`IncidentUpdate ${id}: still unconfirmed. ${describe(state, finding)}`);
    return { id, outputs: old };
  }
  const { unconfirmed, ...declared } = old;
  return {
    id: joinId(state.incidentId, finding.update.id),
    outputs: outputsOf(declared, finding.update, connection.origin),
  };
}

function snapshotIn({ unconfirmed = { ids: [] } }: State): HistorySnapshot {
  return unconfirmed;
}

/** What becomes of an update of which nothing tells whether it was published, told in the preview. */
export function announceSettling(
  id: string,
  otherWords: boolean,
  declared: Declared,
  context: Context,
): void {
  const published = publishedBySettling(otherWords, declared.known["onUnconfirmed"] === "resend");
  const next = published ? `${published}; ${whoIsMailed(declared)}` : "and publishes nothing";
  context.notice(
    `IncidentUpdate ${id}: it is unknown whether it was published. \`pulumi up\` looks for it, ${next}.`,
  );
}

function publishedBySettling(otherWords: boolean, resend: boolean): string | undefined {
  if (!otherWords) return resend ? "and when it isn't found publishes it again" : undefined;
  return resend
    ? "then publishes what is declared now"
    : "and when it is found publishes what is declared now";
}

export function whoIsMailed({ known, unknown }: Declared): string {
  if (unknown.has("notifySubscribers")) return "it isn't known yet whether subscribers are mailed";
  return known["notifySubscribers"] === true ? "every subscriber is mailed" : "nobody is mailed";
}
