/** The order in which a program declares the updates of an incident, in which they are posted. */
import type * as pulumi from "@pulumi/pulumi";
import { explicitProviderOf } from "../program/explicitProvider";
import { perRun } from "../program/run";

/** A key for the incident, or undefined while its id is an output. An explicit provider or account may use another service. */
export function declaredIncident(
  { account, incidentId }: { readonly account?: unknown; readonly incidentId?: unknown },
  options: pulumi.CustomResourceOptions,
): string | undefined {
  if (typeof incidentId !== "string" || (account !== undefined && typeof account !== "string"))
    return undefined;
  const provider = explicitProviderOf(options);
  return JSON.stringify([provider === undefined ? account : numberOf(provider), incidentId]);
}

const numbers = perRun(() => new Map<object, number>());

function numberOf(provider: object): number {
  const number = numbers().get(provider) ?? numbers().size;
  numbers().set(provider, number);
  return number;
}

/**
 * The last update that this run declared in each chain. The engine requests all creates whose dependencies are met, in any
 * order, and can't cancel a request: each update depends on the one before it, which keeps the declaration order, and after
 * Ctrl-C no further create is requested.
 */
export const latest = perRun(() => new Map<string, pulumi.Resource>());

/** Of one parent only: what a component waits for may itself wait for an update of another one. */
export function chainOf(incident: string, parent: pulumi.Resource | undefined): string {
  return JSON.stringify([incident, parent === undefined ? undefined : numberOf(parent)]);
}
