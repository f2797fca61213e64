/**
 * Loads `main` of the bundle with a cache of its compiled code, which saves a third of the start. Node's own compile cache
 * came with Node 22, and saves half as much: it holds fewer functions. The cache is beside the bundle: who can write it
 * there could as well write the code.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire, wrap } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

const main = join(__dirname, "main.js");
const folder = join(__dirname, ".cache");

// Only to ask for it, axios makes Node load its fetch, which nothing here uses.
Reflect.deleteProperty(globalThis, "FormData");

run(compiled());

function run(code: unknown): void {
  const module = { exports: {} };
  if (typeof code === "function")
    Reflect.apply(code, undefined, [module.exports, createRequire(main), module, main, __dirname]);
}

/** The function that Node makes of a module. V8 rejects a cache of another version. */
function compiled(): unknown {
  const file = join(folder, `${process.version}-${process.arch}-${statSync(main).mtimeMs}`);
  const cachedData = read(file);
  // The bundle is ASCII, which V8 takes as it is.
  const source = wrap(readFileSync(main, "latin1"));
  const script = new Script(source, { filename: main, ...(cachedData && { cachedData }) });
  // At the end, it also has the functions that are compiled when they are called.
  if (cachedData === undefined || script.cachedDataRejected)
    process.once("exit", () => write(file, script.createCachedData()));
  return script.runInThisContext();
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Atomically. Without the permission to write there, each start takes longer. */
function write(file: string, data: Buffer): void {
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const complete = `${file}.${process.pid}`;
    writeFileSync(complete, data);
    renameSync(complete, file);
  } catch {
    return;
  }
}
