/** `monitoring doctor` in this process. */
import { PassThrough } from "node:stream";
import { runDoctor } from "../../cli/doctor";
import type { Sandbox } from "../../sandbox";
import { type Ended, environmentOf, run } from "./audit/auditing";

interface Given {
  readonly variables?: Readonly<Record<string, string>>;
  /** What the user types on a terminal; null closes it. Undefined: there is no terminal. */
  readonly typed?: string | null;
}

/** Examines a sandbox. */
export async function doctor(
  service: Pick<Sandbox, "url" | "apiKey" | "accountId">,
  args = "",
  { variables, typed }: Given = {},
): Promise<Ended & { lines: string[] }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  if (typed === null) stdin.end();
  else if (typed !== undefined) stdin.write(`${typed}\n`);
  const ended = await run(
    (given, context) => runDoctor(given, { ...context, stdin }),
    args.split(" ").filter(Boolean),
    { ...environmentOf(service), ...variables },
  );
  return { ...ended, lines: ended.stdout.split("\n").map((line) => line.replace(/ {2,}/g, "  ")) };
}
