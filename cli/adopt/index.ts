/** Runs `monitoring adopt`: reads an incident, and prints a program that declares its updates or writes a file for each update. */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  ConfigurationError,
  InvalidInputError,
  isMonitoringError,
  NotFoundError,
} from "../../provider/client";
import { Connections, type Containers } from "../../provider/connection";
import { createFolder } from "../../provider/files";
import { normalizeUpdate, type ShownUpdate } from "../../provider/protocol/identity";
import { formatCount, getErrorReason, toOneLine } from "../../provider/texts";
import { type Adoption, createAdoption, renderMarkdownFiles, programs } from "./adoption";
import {
  type Arguments,
  type CommandContext,
  CommandError,
  replaceArgumentNames,
  print,
  UsageError,
} from "../command";
import type * as definitions from "../definitions";
import { exitCodes } from "../exitCodes";
import { readStackConfig } from "../stackConfig";

type Args = Arguments<typeof definitions.adopt>;

/** @throws UsageError if `--output` is given for a format other than markdown, or is missing for markdown */
export async function runAdopt(
  { values, operand }: Args,
  { environment, stdout, stderr }: CommandContext,
): Promise<number> {
  const {
    format,
    output,
    stack,
    pulumi,
    account,
    "status-page": page,
    "with-incident": withIncident,
  } = values;
  if ((output === undefined) === (format === "markdown"))
    throw new UsageError("--format markdown and --output FOLDER must be used together.");
  if (withIncident && (page === undefined || format === "markdown"))
    throw new UsageError("--with-incident needs --status-page PAGE, and a --format other than markdown.");
  try {
    const config = stack === undefined ? undefined : await readStackConfig({ stack, pulumi }, environment);
    const connection = new Connections(config, environment).connect(account);
    const read = await connection.getIncidents(page).get(operand);
    const openings =
      withIncident && page !== undefined
        ? await listOpenings(connection.openingsOn(page, read.name, []), page)
        : undefined;
    const adoption = createAdoption(read, { account, statusPageId: page, openings });
    const { entries, leftOut, incidentId, name, opening } = adoption;
    const incident = `${JSON.stringify(toOneLine(name))} (${toOneLine(incidentId)})`;
    const named = [
      ...(account === undefined ? [] : ["the account (set it in index.ts)"]),
      ...(page === undefined ? [] : [`the status page (run \`npx pulumi config set statusPageId ${page}\`)`]),
    ];
    const inFiles = format === "markdown" ? named : [];
    const omitted = [...leftOut, ...inFiles].map((each) => `Omitted: ${each}.\n`).join("");
    if (entries.length === 0 && !opening) {
      stderr.write(`${incident} contains no update that a program can declare.\n${omitted}`);
      return exitCodes.failed;
    }
    if (format === "markdown") await writeFiles(join(output ?? "", incidentId), adoption);
    else await print(programs[format](adoption, isModuleHere()), stdout);
    const [subject, also] = opening
      ? [`The incident and ${formatCount(entries.length, "later update")}`, "the incident and "]
      : [formatCount(entries.length, "update"), ""];
    stderr.write(
      `${subject} of ${incident}, oldest first. The first \`pulumi up\` adopts ${also}the updates and ` +
        `posts nothing. To be sure, set MONITORING_READ_ONLY=1 for that run.\n${omitted}`,
    );
    return exitCodes.success;
  } catch (error) {
    if (!isMonitoringError(error) || error instanceof CommandError) throw error;
    stderr.write(`${replaceArgumentNames(error.message)}\n`);
    if (error instanceof NotFoundError) return exitCodes.failed;
    const isOfUser = error instanceof ConfigurationError || error instanceof InvalidInputError;
    return isOfUser ? exitCodes.invalid : exitCodes.unread;
  }
}

async function listOpenings({ uncached }: Containers, page: string): Promise<ShownUpdate[]> {
  const { incidentUpdates } = await uncached.read(page);
  return (incidentUpdates ?? []).map((entry) => normalizeUpdate(entry));
}

/** Returns true if Node treats this project's JavaScript files as ES modules, where `require` isn't available. */
function isModuleHere(): boolean {
  try {
    return /"type"\s*:\s*"module"/.test(readFileSync("package.json", "utf8"));
  } catch {
    // If package.json doesn't exist or can't be read, Node uses the default, CommonJS.
    return false;
  }
}

/** @throws CommandError if the folder exists, because its files may have been edited */
async function writeFiles(folder: string, adoption: Adoption): Promise<void> {
  try {
    createFolder(dirname(folder));
    await mkdir(folder);
    for (const [name, content] of renderMarkdownFiles(adoption)) await writeFile(join(folder, name), content);
  } catch (error) {
    const choose = "Existing files are never replaced. Choose a different folder with --output";
    throw new CommandError(`${folder} can't be written: ${getErrorReason(error)}. ${choose}.`);
  }
}
