/**
 * Preloaded into the processes of a run. Logs each call that opens, reads or changes a file of the lock directory. At the call with the
 * given number, the process logs "stopped" and waits forever before the call has an effect, so that the run can be killed there.
 */
const fs = require("node:fs");

const stopAt = Number(process.env["STOP_AT_FILE_CALL"]);
const log = process.env["FILE_CALLS"] ?? "";
const folder = process.env["MONITORING_LOCK_DIRECTORY"] ?? "";
/** The descriptors of open files in the folder. @type {Set<unknown>} */
const descriptors = new Set();
const { appendFileSync } = fs;
let count = 0;

for (const name of /** @type {const} */ ([
  ...["openSync", "writeSync", "writeFileSync", "fsync", "ftruncateSync", "closeSync", "readFileSync"],
  ...["renameSync", "rmSync", "mkdirSync", "rmdirSync"],
  // The library for locks calls these functions.
  ...["mkdir", "rmdir"],
])) {
  const original = Reflect.get(fs, name);
  Reflect.set(fs, name, (/** @type {unknown[]} */ ...given) => {
    const [file] = given;
    const isOurs = typeof file === "string" ? file.startsWith(folder) : descriptors.has(file);
    if (isOurs) {
      appendFileSync(log, `${name}\n`);
      if ((count += 1) === stopAt) {
        appendFileSync(log, "stopped\n");
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }
    }
    const result = Reflect.apply(original, fs, given);
    if (isOurs && name === "openSync") descriptors.add(result);
    if (name === "closeSync") descriptors.delete(file);
    return result;
  });
}
