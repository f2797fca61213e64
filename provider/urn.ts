/** Reads the names by which the engine knows resources. */

/** Splits a URN: `urn:pulumi:STACK::PROJECT::TYPES::NAME`, where the types of the parents precede that of the resource. */
export function partsOf(urn: string) {
  const [start = "", project = "", types = "", ...name] = urn.split("::");
  return {
    stack: start.replace("urn:pulumi:", ""),
    project,
    type: types.split("$").at(-1) ?? "",
    name: name.join("::"),
  };
}

/** Names a resource in a sentence, such as `IncidentUpdate "found"`. */
export function titleOf(urn: string): string {
  const { type, name } = partsOf(urn);
  return `${type.split(":").at(-1)} ${JSON.stringify(name)}`;
}
