import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../types";
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
export class StatusPage extends ObservedResource<StatusPageExpectations> implements OutputsOf<Shown> {
  /** Id of the page. */
  declare readonly statusPageId: pulumi.Output<string>;
  /** Name. */
  declare readonly name: pulumi.Output<Shown["name"]>;
  /** Public description. */
  declare readonly description: pulumi.Output<Shown["description"]>;
  /** Slug of the page, such as `acme-status`; not a URL. */
  declare readonly url: pulumi.Output<Shown["url"]>;
  /** Account that owns the page. */
  declare readonly accountId: pulumi.Output<Shown["accountId"]>;
  /** Custom host name, if any. */
  declare readonly customDomain: pulumi.Output<Shown["customDomain"]>;
  /** Address of the logo. */
  declare readonly logo: pulumi.Output<Shown["logo"]>;
  /** Address of the icon. */
  declare readonly favicon: pulumi.Output<Shown["favicon"]>;
  /** Target of the link on the logo. */
  declare readonly redirectTo: pulumi.Output<Shown["redirectTo"]>;
  /** Initial theme for visitors, such as `AUTO`. */
  declare readonly defaultTheme: pulumi.Output<Shown["defaultTheme"]>;
  /** Whether only those who are allowed to can see it. */
  declare readonly isPrivate: pulumi.Output<Shown["isPrivate"]>;
  /** The project that manages it as code, or none. Missing where the service doesn't say. */
  declare readonly projectBindings: pulumi.Output<Shown["projectBindings"]>;
  /** Colours by theme (`light`, `dark`) and by part of the page. */
  declare readonly themeColors: pulumi.Output<Shown["themeColors"]>;
  /** Groups of services. */
  declare readonly cards: pulumi.Output<Shown["cards"]>;
  /** Incidents of this page. */
  declare readonly incidents: pulumi.Output<Shown["incidents"]>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<Shown["createdAt"]>;
  /** When it was last changed; null when never. */
  declare readonly updatedAt: pulumi.Output<Shown["updatedAt"]>;

  constructor(name: string, args: StatusPageArgs, options?: pulumi.CustomResourceOptions) {
    super("StatusPage", name, outputs, args, options);
  }
}

const outputs = {
  account: undefined,
  accountId: undefined,
  cards: undefined,
  createdAt: undefined,
  customDomain: undefined,
  defaultTheme: undefined,
  description: undefined,
  expect: undefined,
  favicon: undefined,
  incidents: undefined,
  isPrivate: undefined,
  logo: undefined,
  missing: undefined,
  name: undefined,
  projectBindings: undefined,
  redirectTo: undefined,
  statusPageId: undefined,
  themeColors: undefined,
  updatedAt: undefined,
  url: undefined,
} satisfies Record<Exclude<keyof StatusPage, keyof pulumi.CustomResource>, undefined>;
