/** Reads and writes the files of an audit. An error names the file, and says why. */
import { isUtf8 } from "node:buffer";
import { accessSync, constants, existsSync, promises, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { errorReason } from "../../provider/texts";
import { parseRules, type RuleSet } from "..";
import { FileError } from "./auditErrors";

/**
 * Loads a rule file: YAML or JSON.
 *
 * @throws RulesError with every mistake in the rules
 * @throws FileError when the file can't be read, or is a program
 */
export function loadRules(file: string): RuleSet {
  if (/\.[cm]?[jt]s$/.test(file)) {
    throw new FileError(
      `${file} can't be loaded: rule files are YAML or JSON; a program can also pass the rules as an object, and both declare rules of their own under customRules`,
    );
  }
  return parseRules(readText(file), nameOf(file));
}

/** Returns the path relative to the working directory if the file is inside it, as pull requests show paths. */
function nameOf(file: string): string {
  const path = relative("", file);
  return path.startsWith("..") || isAbsolute(path) ? file : path;
}

/** @throws FileError when the file can't be read or isn't UTF-8 */
export function readText(file: string): string {
  try {
    const content = readFileSync(file);
    // PowerShell writes UTF-16, in which every ASCII letter has a zero byte.
    if (content.includes(0)) throw new Error("it is UTF-16; save it as UTF-8");
    if (!isUtf8(content)) throw new Error("it is not UTF-8; save it as UTF-8");
    return content.toString("utf8").replace(/^\ufeff/, "");
  } catch (error) {
    throw new FileError(`${file} can't be read: ${errorReason(error)}`);
  }
}

/**
 * Checks before the audit that all files can be written.
 *
 * @throws FileError that names all files that can't
 */
export function checkWritable(files: readonly string[]): void {
  const problems = files.flatMap((file) => {
    try {
      assertWritable(file);
      return [];
    } catch (error) {
      return unwritable(file, error);
    }
  });
  if (problems.length > 0) throw new FileError(problems.join("\n"));
}

/** @throws FileError when the file can't be written */
export async function writeFile(file: string, content: string | Iterable<string>): Promise<void> {
  try {
    await promises.writeFile(file, content);
  } catch (error) {
    throw new FileError(unwritable(file, error));
  }
}

function assertWritable(file: string): void {
  const exists = existsSync(file);
  if (exists && statSync(file).isDirectory()) throw new Error("it is a directory");
  accessSync(exists ? file : dirname(file), constants.W_OK);
}

const unwritable = (file: string, error: unknown) => `${file} can't be written: ${errorReason(error)}`;

/**
 * Returns the path from the root of the Git repository, as code hosts expect it; unchanged outside of a repository. A link outside
 * may lead into a repository.
 */
export function pathInRepository(file: string): string {
  const paths = existsSync(file) ? [resolve(file), realpathSync(file)] : [resolve(file)];
  for (const path of paths) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
      if (existsSync(join(folder, ".git"))) return relative(folder, path);
  }
  return file;
}
