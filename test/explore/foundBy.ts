/** What the explorer finds, by name: in a process of its own, as its users run it, and faster than within Jest. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export type Found = Readonly<Record<string, object>>;

export async function foundBy(...kinds: ("configurations" | "drawn" | "switches")[]): Promise<Found> {
  const explorer = require.resolve("./found");
  const { stdout } = await run(process.execPath, [explorer, ...kinds]);
  const found: Found = JSON.parse(stdout);
  return found;
}
