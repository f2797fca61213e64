/** The JSON file that outlives the process: whole and durable at every moment, whenever the process is killed. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { type SandboxData, sandboxData } from "./data";
import { checked, reasonOf, SandboxError } from "./errors";

/** What the file holds, checked against the contract; when it is missing, it is made from the seed. */
export function openDataFile(file: string, seed: () => SandboxData): SandboxData {
  if (!existsSync(file)) {
    const data = seed();
    writeDataFile(file, data);
    return data;
  }
  const content = attempt(`The data file ${file} can't be read; mend or delete it`, (): unknown => {
    accessSync(dirname(file), constants.W_OK);
    return JSON.parse(readFileSync(file, "utf8"));
  });
  return checked(sandboxData, content, `The data file ${file} isn't sandbox data; mend or delete it`);
}

/** Replaces the file's content. Returns once the new one would survive a power cut. */
export function writeDataFile(file: string, data: SandboxData): void {
  attempt(`The data file ${file} can't be written`, () => {
    const next = `${file}.new`;
    durably(next, "w", (descriptor) => writeFileSync(descriptor, JSON.stringify(data, null, 1)));
    renameSync(next, file);
    // The new name must last too. Windows can't open a folder, and keeps a journal of names by itself.
    if (process.platform !== "win32") durably(dirname(file), "r", () => {});
  });
}

function durably(path: string, flags: "r" | "w", write: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags);
  try {
    write(descriptor);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function attempt<Result>(complaint: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw new SandboxError(`${complaint}: ${reasonOf(error)}`);
  }
}
