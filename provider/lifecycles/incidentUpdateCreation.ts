/** Publishes a declared update, and records it in the state when the result is unknown. */
import { type Connection } from "../connection";
import { noteUnconfirmed, serviceKey } from "./claims";
import { type SentPosts, withLock } from "./incidentLock";
import { type Inputs } from "./incidentUpdateFields";
import { joinId, unconfirmedId } from "./incidentUpdateId";
import { declaredOutputs, outputsOf } from "./incidentUpdateOutputs";
import { type ResourceState, PartialFailureError, type Context } from "./lifecycle";
import { publish } from "./publish";
import { lostPosts } from "./resourceMemory";
import { inTurn } from "./turns";
import { Unconfirmed } from "./unconfirmed";

/** Runs the work while no other declaration on this incident is processed, in this process or another one on the machine. */
export async function withTurn<T>(
  connection: Connection,
  incidentId: string,
  context: Context,
  work: (sentPosts: SentPosts) => Promise<T>,
): Promise<T> {
  return inTurn(connection, incidentId, context, () =>
    withLock(
      connection.lockDirectory,
      serviceKey(connection, incidentId),
      { notice: (text) => context.notice(`IncidentUpdate: ${text}`), signal: context.signal },
      work,
    ),
  );
}

/** Publishes the declared update. When the result is unknown, throws what the state must record. */
export async function publishOrRecord(
  inputs: Inputs,
  connection: Connection,
  context: Context,
  sentPosts: SentPosts,
  replaced: string | undefined,
): Promise<ResourceState> {
  const { incidentId } = inputs;
  const { origin } = connection;
  try {
    const update = await publish({ declared: inputs, connection, context, sentPosts, replaced });
    return { id: joinId(incidentId, update.id), outputs: outputsOf(declaredOutputs(inputs), update, origin) };
  } catch (error) {
    if (!(error instanceof Unconfirmed)) throw error;
    const outputs = { ...declaredOutputs(inputs), missing: false, origin, unconfirmed: error.seen };
    const remembered = { id: unconfirmedId(incidentId), outputs };
    lostPosts.set(context.resource, remembered);
    noteUnconfirmed(connection, inputs);
    throw new PartialFailureError(
      `${error.message} The state records it: run \`pulumi up\` again to search for it; nothing is posted until its result is known.`,
      remembered,
    );
  }
}
