import { z } from "zod";
import { type Shape, text } from "./shared";

/** A project that manages objects as code. */
export interface ProjectOwner {
  /** Identifier. */
  id?: string | number | null;
  /** Name. */
  name?: string | null;
}

/** Which project manages the object as code. */
export interface ProjectBindings {
  /** The project; null when none manages the object. */
  owner?: ProjectOwner | null;
}

const projectOwner = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  name: text,
} satisfies Shape<ProjectOwner>);

export const projectBindings = z.looseObject({
  owner: projectOwner.nullish(),
} satisfies Shape<ProjectBindings>);
