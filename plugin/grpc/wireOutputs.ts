/** What a lifecycle says about the outputs that go to the engine. */
import { unknownValue } from "../../provider/engine/unknown";
import type { Lifecycle, Properties } from "../../provider/lifecycles/lifecycle";
import type { Wire } from "./values";

/** The names of the outputs that are secrets. */
export function secretOutputsOf(lifecycle: Lifecycle, { secrets }: Wire): ReadonlySet<string> {
  return new Set([...secrets, ...lifecycle.secretOutputs(secrets)]);
}

/** The outputs that only an `up` knows. */
export function unknownOutputs({ computed }: Lifecycle): Properties {
  return Object.fromEntries(computed.map((name) => [name, unknownValue]));
}
