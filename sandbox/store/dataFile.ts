/** The JSON file that holds the data between runs. Writes are atomic, so killing the process loses nothing. */
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type SandboxData, sandboxData } from "./data";
import { errorReason } from "../../provider/texts/errorReason";
import { replaceFile } from "../../provider/machine/heldFile";
import { parseInput, SandboxError } from "./sandboxError";

/** Reads and validates the file; creates it from the seed when it doesn't exist. */
export function openDataFile(file: string, seed: () => SandboxData): SandboxData {
  if (!existsSync(file)) {
    const data = seed();
    writeDataFile(file, data);
    return data;
  }
  const content = attempt(`The data file ${file} can't be read; fix or delete it`, (): unknown => {
    accessSync(dirname(file), constants.W_OK);
    return JSON.parse(readFileSync(file, "utf8"));
  });
  return parseInput(sandboxData, content, `The data file ${file} isn't sandbox data; fix or delete it`);
}

/** Replaces the file's content. */
export function writeDataFile(file: string, data: SandboxData): void {
  const content = JSON.stringify(data, null, 1);
  attempt(`The data file ${file} can't be written`, () => replaceFile(file, `${file}.new`, content));
}

function attempt<Result>(message: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw new SandboxError(`${message}: ${errorReason(error)}`);
  }
}
