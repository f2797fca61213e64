/** Preloaded into a provider process. Kills the process before its n-th call that uses a file in the lock directory. */
const fs = require("node:fs");

const at = Number(process.env["KILL_AT"]);
const folder = process.env["MONITORING_LOCK_DIRECTORY"] ?? "";
/** The descriptors of open files in the folder. @type {Set<unknown>} */
const descriptors = new Set();
let count = 0;

for (const name of /** @type {const} */ ([
  ...["openSync", "writeSync", "writeFileSync", "fsync", "ftruncateSync", "closeSync", "fstatSync"],
  ...["renameSync", "linkSync", "rmSync", "unlinkSync", "mkdirSync", "rmdirSync", "readFileSync"],
])) {
  const original = Reflect.get(fs, name);
  Reflect.set(fs, name, (/** @type {unknown[]} */ ...given) => {
    const [file] = given;
    const isOurs = typeof file === "string" ? file.startsWith(folder) : descriptors.has(file);
    if (isOurs && (count += 1) === at) process.kill(process.pid, "SIGKILL");
    const result = Reflect.apply(original, fs, given);
    if (isOurs && name === "openSync") descriptors.add(result);
    return result;
  });
}
