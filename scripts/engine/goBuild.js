"use strict";

const { SetupFailure } = require("../setup/failure");
const { lastWords } = require("../setup/run");

/**
 * @typedef {import("./go").Go} Go
 * @typedef {Pick<import("./source").Part, "module" | "command" | "ldflags">} Target
 */

/**
 * `go list` and `go build` need the same flags: what is up to date in Go's build cache depends on them.
 * @param {Target} target
 */
function flagsOf({ ldflags, command }) {
  return ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", ldflags, command];
}

/**
 * Downloads what isn't in Go's module cache and counts the packages that aren't in its build cache.
 * @param {Go} go
 * @param {Target} target
 * @param {number} answerMs how long a module proxy may leave a request unanswered
 * @param {(text: string) => void} detail
 */
async function loadPackages(go, target, answerMs, detail) {
  const watch = watchRequests(answerMs);
  let downloads = 0;
  /** @param {string} line */
  const onLine = (line) => {
    watch.hear(line);
    if (line.startsWith("go: downloading ")) detail(`${++downloads} modules downloaded`);
  };
  const toCompile = "{{if .Stale}}{{.ImportPath}}{{end}}";
  const args = ["list", "-x", "-deps", "-f", toCompile, ...flagsOf(target)];
  const { ok, stdout, output } = await go(args, { cwd: target.module, signal: watch.signal, onLine });
  watch.stop();
  if (watch.signal.aborted)
    throw new SetupFailure(`no answer from the Go module proxy within ${answerMs / 1000} s`);
  if (!ok) throw new SetupFailure(`Go couldn't load the modules: ${lastWords(output)}`);
  return stdout.split("\n").filter(Boolean).length;
}

/**
 * @param {Go} go
 * @param {Target} target
 * @param {string} file
 * @param {number} count how many packages are to be compiled
 * @param {(text: string) => void} detail
 */
async function compile(go, target, file, count, detail) {
  let compiled = 0;
  const onLine = () => detail(`${Math.min(++compiled, count)} of ${count} packages compiled`);
  const { ok, output } = await go(["build", "-v", "-o", file, ...flagsOf(target)], {
    cwd: target.module,
    onLine,
  });
  if (!ok) throw new SetupFailure(`go build failed: ${lastWords(output)}`);
}

/**
 * Where Go's module cache holds a module that the target requires.
 * @param {Go} go
 * @param {Target} target
 * @param {string} name
 */
async function moduleFolder(go, target, name) {
  const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", name];
  const { ok, stdout, output } = await go(args, { cwd: target.module });
  if (!ok) throw new SetupFailure(`Go doesn't find the module ${name}: ${lastWords(output)}`);
  return stdout.trim();
}

/**
 * Listens to what `go -x` says of its requests ("# get URL", and the same with ": 200 OK" when the answer begins)
 * and aborts when one stays without an answer.
 * @param {number} limitMs
 */
function watchRequests(limitMs) {
  const controller = new AbortController();
  /** @type {Map<string, number>} */
  const open = new Map();
  const timer = setInterval(() => {
    if ([...open.values()].some((asked) => Date.now() - asked > limitMs)) controller.abort();
  }, limitMs / 10);
  /** @param {string} line */
  const hear = (line) => {
    const request = /^# get ([^ ]+?)(: .*)?$/.exec(line);
    if (!request?.[1]) return;
    if (request[2]) open.delete(request[1]);
    else open.set(request[1], Date.now());
  };
  return { signal: controller.signal, hear, stop: () => clearInterval(timer) };
}

module.exports = { loadPackages, compile, moduleFolder };
