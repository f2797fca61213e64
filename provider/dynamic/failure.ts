/** Errors as the engine is to get them: a message for the user, and nothing else. */
import { type dynamic } from "@pulumi/pulumi";
import { isMonitoringError, type Problem } from "../client";
import { type Lifecycle, type Properties, PartialFailureError } from "../lifecycles/lifecycle";
import { plainObject } from "../engine/plain";

/**
 * Runs one verb. Pulumi prints the stack of what it rejects with, and hangs or says "undefined" when that is no
 * error, so it always rejects with a bare one.
 *
 * @param inputs The raw inputs of a create or update: the engine wants its text of the provider back from there.
 */
export async function toEngineError<T>(
  verb: () => T | Promise<T>,
  inputs?: Record<string, unknown>,
): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    throw error instanceof PartialFailureError
      ? new BarePartialFailure(error, inputs?.["__provider"])
      : new Bare(messageOf(error));
  }
}

class Bare extends Error {
  override readonly name = "";
  override readonly stack = "";
}

/** With an id, the engine records the resource although the run fails, and calls `update` in the next one. */
class BarePartialFailure extends Bare {
  readonly id: string;
  readonly properties: Record<string, unknown>;
  readonly reasons: readonly string[];

  constructor({ message, remembered }: PartialFailureError, providerText: unknown) {
    super(message);
    this.id = remembered.id;
    this.properties = { ...plainObject(remembered.outputs), __provider: providerText };
    this.reasons = [message];
  }
}

function messageOf(error: unknown): string {
  if (isMonitoringError(error)) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}

const longestShown = 200;

/**
 * A mistake in what is declared. The engine shows the value of the property that a failure names, a secret in clear
 * text and a megabyte at length; in these cases, and of a property that may be any other misspelt, only the reason
 * names it.
 */
export function checkFailure(
  problem: Problem,
  { [problem.property]: value }: Properties,
  { fields, secrets }: Pick<Lifecycle, "fields" | "secrets">,
): dynamic.CheckFailure {
  const isPlain = fields.has(problem.property) && !secrets.has(problem.property);
  const longest = isPlain ? longestShown : 0;
  const mayBeShown =
    typeof value === "string" ? value.trim().length <= longest : typeof value !== "object" || value === null;
  return mayBeShown ? problem : withoutValue(problem);
}

export function withoutValue({ property, reason }: Problem): dynamic.CheckFailure {
  return { property: "", reason: `${property} ${reason}` };
}
