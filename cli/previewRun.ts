/** Runs `monitoring preview`. */
import { text as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { AuditError } from "../audit/sources/auditError";
import { checkWritable, readText, writeFile } from "../audit/sources/files";
import { withoutCommands } from "../provider/texts/printable";
import { rejectDuplicates, rejectEmpty } from "./command/commandArguments";
import { type CommandContext, UsageError } from "./command/command";
import { comment, headline } from "./previewComment";
import { type Digest, previewOf, readDigest } from "./previewDigest";
import { exitCodes } from "./command/exitCodes";
import { print } from "./command/print";

interface PreviewContext extends Pick<CommandContext, "stdout" | "stderr"> {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

/** @throws UsageError, or an error of `parseArgs`, for invalid arguments */
export async function runPreview(args: readonly string[], context: PreviewContext): Promise<number> {
  const { file, output, log, exitCode } = readArguments(args, context);
  try {
    if (output !== undefined) checkWritable([output]);
    const text = file === undefined ? await readAll(context.stdin) : readText(file);
    // Pulumi prints nothing when it fails before the preview.
    const digest = text.trim() === "" && exitCode !== 0 ? {} : parsed(file ?? "Standard input", text);
    const described = previewOf(digest);
    // Pulumi may fail for a reason that the digest lacks, such as a policy.
    const preview = { ...described, failed: described.failed || exitCode !== 0 };
    const markdown = comment(preview, log);
    if (output === undefined) await print(markdown, context.stdout);
    else {
      writeFile(output, markdown);
      await print(`${wholeText(digest)}${headline(preview)}\n`, context.stdout);
    }
    return preview.failed ? exitCodes.failed : exitCodes.success;
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    context.stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

function parsed(name: string, text: string): Digest {
  const digest = readDigest(text);
  if (typeof digest !== "string") return digest;
  throw new AuditError(
    `${name} isn't what \`pulumi preview --json\` prints: ${digest}. Run \`pulumi preview --json > preview.json\`, then ` +
      "`monitoring preview preview.json`.",
  );
}

/** For the log of a job, which otherwise wouldn't have what the comment leaves out. */
function wholeText({ steps, diagnostics }: Digest): string {
  const lines = (steps ?? []).map(({ op, urn }) => `${op}  ${urn}`);
  const messages = (diagnostics ?? []).map(({ message }) => message.trimEnd());
  return [...lines, ...messages, ""]
    .map((line) => `${withoutCommands(line.replace(/[^\P{C}\n\u200c\u200d]+/gu, " "))}\n`)
    .join("");
}

function readArguments(args: readonly string[], { stdin }: PreviewContext) {
  const options = {
    output: { type: "string" },
    log: { type: "string" },
    "exit-code": { type: "string", default: "0" },
  } as const;
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    tokens: true,
    allowPositionals: true,
  });
  rejectEmpty(tokens);
  rejectDuplicates(tokens);
  const [given, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`One FILE can be given, not ${positionals.length}.`);
  const file = given === "-" ? undefined : given;
  if (file === undefined && stdin.isTTY === true)
    throw new UsageError(
      "Give the FILE that `pulumi preview --json > FILE` writes, or its text on standard input.",
    );
  const { output, log, "exit-code": exitCode } = values;
  if (log !== undefined && !isAddress(log))
    throw new UsageError(`--log must be an address that begins with https://, not ${JSON.stringify(log)}.`);
  if (!/^\d{1,3}$/.test(exitCode))
    throw new UsageError(`--exit-code must be a number, not ${JSON.stringify(exitCode)}.`);
  return { file, output, log, exitCode: Number(exitCode) };
}

/** Without a character that would end a link. */
function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>\\]+$/.test(text) && URL.canParse(text);
}
