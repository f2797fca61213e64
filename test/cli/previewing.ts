/** Digests of previews, the command that reads them, and what a reader sees of its comment. */
import { Readable, Writable } from "node:stream";
import { marked } from "marked";
import { runPreview } from "../../cli/preview";
import { quotation } from "../../provider/texts/printable";

export const urn = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
export const dynamicUpdate = "pulumi-nodejs:dynamic/monitoring:IncidentUpdate";
export const nativeUpdate = "monitoring:index:IncidentUpdate";

export interface Message {
  readonly urn?: string;
  readonly message: string;
  readonly severity: string;
}

/** What the dynamic provider says: a message for each line. */
export const dynamic = (...lines: readonly string[]): Message[] =>
  lines.map((line) => ({ message: `${line}\n\n`, severity: "info#err" }));

/** What the plugin says of a resource. */
export const native = (name: string, ...lines: readonly string[]): Message => ({
  urn: urn(nativeUpdate, name),
  message: `${lines.join("\n")}\n`,
  severity: "info",
});

export const posts = (name: string, text: string, emails = "no subscriber is emailed"): string[] => [
  `IncidentUpdate "${name}" posts to "Checkout" (inc_1)`,
  `  MONITORING, ${emails}:`,
  ...quotation(text),
];

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function run(input: unknown, ...args: readonly string[]): Promise<Ran> {
  const written = { stdout: "", stderr: "" };
  const into = (name: keyof typeof written) =>
    new Writable({
      write: (chunk, _, done) => {
        written[name] += String(chunk);
        done();
      },
    });
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const context = { stdin: Readable.from([text]), stdout: into("stdout"), stderr: into("stderr") };
  const code = await runPreview(args, context);
  return { code, ...written };
}

export const commentOf = async (
  diagnostics: readonly Message[],
  steps: readonly object[] = [],
): Promise<string> => (await run({ steps, diagnostics })).stdout;

/** What a reader sees of a comment, and whether it has links or other elements that a text could have made. */
export function shown(markdown: string): { readonly text: string; readonly html: string } {
  const html = marked.parse(markdown, { async: false, gfm: true });
  const text = html
    .replace(/<!--.*?-->/g, "")
    .replace(/<br>/g, "\n")
    .replace(/<\/p>\n<p>/g, "\n\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d+)|(\w+));/g, (all, code?: string, name?: string) =>
      code === undefined
        ? ({ amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " }[name ?? ""] ?? all)
        : String.fromCodePoint(Number(code)),
    );
  return { text, html };
}
