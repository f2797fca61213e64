/** The oldest Node that runs this package; `engines` in package.json says the same to npm, which only warns. */
const oldest = 20;

/** What is wrong with a Node of this version, and what to do; undefined when nothing is. Default: the one that runs. */
export function nodeProblem(node: string = process.versions.node): string | undefined {
  if (parseInt(node, 10) >= oldest) return undefined;
  return `pulumi-monitoring-service needs Node ${oldest} or newer; this is Node ${node}. Get one: https://nodejs.org`;
}
