/** Which resources can be imported, and what one that can't says. */
import type * as pulumi from "@pulumi/pulumi";
import type { ResourceType } from "../../provider/engine/resourceTypes";
import { declarationError } from "../program/declarationError";
import type { ResourceClass } from "../program/registration";

type Options = Pick<pulumi.CustomResourceOptions, "id" | "import">;

const native = 'import it with the class from "pulumi-monitoring-service/native".';

/** @throws RunError for an import by the dynamic provider, which the engine doesn't ask to read what is imported. */
export function assertUpdateImportable(name: string, options: Options, { isNative }: ResourceClass): void {
  if (options.import === undefined || isNative) return;
  throw declarationError(
    "IncidentUpdate",
    name,
    `can't be imported by the dynamic provider. Declare an identical update to adopt it, or ${native}`,
  );
}

/** @throws RunError also for an id: declaring an observed resource reads the object. */
export function assertObservedImportable(
  type: ResourceType,
  name: string,
  options: Options,
  { isNative }: ResourceClass,
): void {
  if (options.id === undefined && (options.import === undefined || isNative)) return;
  throw declarationError(
    type,
    name,
    "can't be imported or read by id: declaring it reads the existing object. Remove the option" +
      (isNative ? "." : `, or ${native}`),
  );
}
