import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../types";
import type { Expectations } from "./expectationTypes";
import { type ObservedArgs, ObservedResource, type OutputsOf } from "./ObservedResource";

type Shown = Omit<types.StatusPage, "id">;

/** What may be expected of a status page's outputs. */
export type StatusPageExpectations = Expectations<Shown>;

/** Which status page to observe, and what to expect of it. */
export interface StatusPageArgs extends ObservedArgs<StatusPageExpectations> {
  /** Id of the page. Another id is another resource. */
  statusPageId: pulumi.Input<string>;
}

/**
 * Observes a status page that exists (operation `listStatusPages`). Declaring it reads it, and fails
 * when the account has no such page; a refresh shows what changed; removing it forgets it. Nothing on the service is
 * ever changed. However many are observed, the list of status pages is read once.
 *
 * @throws InvalidInputError for arguments that can't be right, all mistakes at once; for a stack that is pointed at
 * another account or service.
 * @throws MonitoringError when the account has no such page, or it isn't as `expect` says.
 */
export class StatusPage extends ObservedResource<StatusPageExpectations> implements OutputsOf<Shown> {
  /** Id of the page. */
  declare readonly statusPageId: pulumi.Output<string>;
  /** Name. */
  declare readonly name: pulumi.Output<Shown["name"]>;
  /** Slug of the page, such as `acme-status`; not a URL. */
  declare readonly url: pulumi.Output<Shown["url"]>;
  /** Account that owns the page. */
  declare readonly accountId: pulumi.Output<Shown["accountId"]>;
  /** Host name of its own, if it has one. */
  declare readonly customDomain: pulumi.Output<Shown["customDomain"]>;
  /** Address of the logo. */
  declare readonly logo: pulumi.Output<Shown["logo"]>;
  /** Address of the icon. */
  declare readonly favicon: pulumi.Output<Shown["favicon"]>;
  /** Where a click on the logo leads. */
  declare readonly redirectTo: pulumi.Output<Shown["redirectTo"]>;
  /** Theme that a visitor sees first, such as `AUTO`. */
  declare readonly defaultTheme: pulumi.Output<Shown["defaultTheme"]>;
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
  expect: undefined,
  favicon: undefined,
  incidents: undefined,
  logo: undefined,
  missing: undefined,
  name: undefined,
  redirectTo: undefined,
  statusPageId: undefined,
  themeColors: undefined,
  updatedAt: undefined,
  url: undefined,
} satisfies Record<Exclude<keyof StatusPage, keyof pulumi.CustomResource>, undefined>;
