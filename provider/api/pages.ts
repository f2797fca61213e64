/** Describes the status pages of an account, which are of two kinds, and maps each kind to outputs by its own fields. */
import { z } from "zod";
import { named } from "../problems";
import {
  type Component,
  component,
  type ComponentPage,
  componentPage,
  type StatusPage,
  statusPage,
} from "./objects";
import { documented } from "./outputs";

export type AnyPage = PageWithCards | PageWithComponents;

interface PageWithCards extends StatusPage {
  readonly version: 2;
}

interface PageWithComponents extends ComponentPage {
  readonly version: 3;
  /** The same page in the list of pages with cards, which may have it while it is migrated. */
  readonly migratedFrom: StatusPage | undefined;
}

/** The outputs that a page of either kind may have. */
export const pageOutputs = z
  .object({
    ...statusPage.shape,
    ...componentPage.shape,
    version: z.number(),
    components: z.array(named<Component>(component)).nullish(),
  })
  .omit({ id: true });

/** Maps a page to outputs. Those that its kind doesn't have are missing. @param components Default: not among the outputs. */
export function documentedPage(page: AnyPage, components?: readonly Component[]) {
  if (page.version === 2) return { ...documented(statusPage, page), version: page.version };
  return {
    ...documented(componentPage, page),
    version: page.version,
    ...(components && { components: components.map((each) => documented(component, each)) }),
  };
}
