import { oneLine } from "../api/printable";
import { type DeprecationEvent } from "../client";

/** The operations that this process has given a notice of: several clients may call one. */
const announced = new Set<string>();

/** A notice for the user; undefined when this process has given it. */
export function deprecationNotice({ operation, deprecation, sunset }: DeprecationEvent): string | undefined {
  if (announced.has(operation)) return undefined;
  announced.add(operation);
  const headers = [
    ...(deprecation === undefined ? [] : [`Deprecation: ${deprecation}`]),
    ...(sunset === undefined ? [] : [`Sunset: ${sunset}`]),
  ];
  return oneLine(
    `The service announces that its operation ${operation} is deprecated (${headers.join("; ")}). ` +
      "Ask the service what replaces it, and look for a release of pulumi-monitoring-service that uses the replacement.",
  );
}
