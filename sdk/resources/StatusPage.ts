import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../dataSources/returnedObjects";
import type { Expectations } from "./expectationTypes";
import { type ObservedArgs, ObservedResource, type OutputsOf } from "./ObservedResource";

type Shown = Omit<types.StatusPage, "id">;

/** Expectations for the outputs of a status page. */
export type StatusPageExpectations = Expectations<Shown>;

/** The status page to observe, and its expectations. */
export interface StatusPageArgs extends ObservedArgs<StatusPageExpectations> {
  /** Id of the page. A change replaces the resource. */
  statusPageId: pulumi.Input<string>;
}

/**
 * Observes an existing status page (operation `listStatusPages`), and never changes it. A preview and `pulumi up` read a page
 * that is new or changed in the program, and fail when the account has no such page. A refresh shows drift. Deleting the resource
 * only removes it from the state. The list of status pages is read once for all observed pages.
 *
 * @throws InvalidInputError for invalid arguments, with all problems; for a stack that now points to another account or
 * service.
 * @throws MonitoringError when the account has no such page, or when the page violates `expect`.
 */
export class StatusPage extends ObservedResource<StatusPageExpectations> {
  /** Id of the page. */
  declare readonly statusPageId: pulumi.Output<string>;

  constructor(name: string, args: StatusPageArgs, options?: pulumi.CustomResourceOptions) {
    super("StatusPage", name, args, options);
  }
}

export interface StatusPage extends OutputsOf<Shown> {}
