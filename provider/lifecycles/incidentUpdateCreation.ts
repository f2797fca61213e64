/** Publishing a declared update, and what the stack remembers when it is unknown whether that was done. */
import { type Connection } from "../connection";
import { placeOf } from "./claims";
import { type SentPosts, withLock } from "./incidentLock";
import { type Inputs } from "./incidentUpdateFields";
import { joinId, unconfirmedId } from "./incidentUpdateId";
import { declaredOutputs, outputsOf } from "./incidentUpdateOutputs";
import { type ResourceState, PartialFailureError, type Context } from "./lifecycle";
import { publish } from "./publish";
import { inTurn } from "./turns";
import { Unconfirmed } from "./unconfirmed";

/** Runs the work when no other declaration on this incident is worked on, by this process or another of the machine. */
export async function withTurn<T>(
  connection: Connection,
  incidentId: string,
  context: Context,
  work: (sentPosts: SentPosts) => Promise<T>,
): Promise<T> {
  return inTurn(connection, incidentId, context, () =>
    withLock(
      connection.lockDirectory,
      placeOf(connection, incidentId),
      { notice: (text) => context.notice(`IncidentUpdate: ${text}`), signal: context.signal },
      work,
    ),
  );
}

/** Publishes what is declared; when it can't be told whether that was done, the stack is to remember so much. */
export async function publishAndRemember(
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
    throw new PartialFailureError(
      `${error.message} The stack remembers it: run \`pulumi up\` again to look for it; nothing is posted before that is settled.`,
      { id: unconfirmedId(incidentId), outputs },
    );
  }
}
