/** How time, memory and state grow with what there is: once each, because a big stack takes minutes. */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { adapters } = require("../../test/driver/adapters");
const { ProviderProcess } = require("../../test/driver/provider");
const { Stack } = require("../../test/driver/stack");
const { monitoring, node } = require("./audit");
const { serveChannels } = require("./client");
const { markdownTable, peakOf, thisRun } = require("./compare");
const { byPackage, byPlugin, stackOf } = require("./engine");

/** @typedef {{what: string, size: number, seconds?: number, mb?: number | undefined, bytes?: number}} Row bytes: of the state */

/** The table of all, in Markdown. @param {readonly number[]} [sizes] how many updates a stack has */
async function table(sizes = [100, 1_000, 5_000]) {
  /** @type {Row[]} */
  const rows = [];
  for (const size of sizes) rows.push(...(await ofStack(size)));
  for (const count of [1_000, 10_000, 100_000]) rows.push(await ofChannels(count));
  rows.push(await ofEdits(300), await ofPlan(60));
  const cells = rows.map(({ what, size, seconds, mb, bytes }) => [
    ...[what, size, seconds?.toFixed(1) ?? "", seconds ? ((1000 * seconds) / size).toFixed(2) : ""],
    ...[bytes?.toFixed(0) ?? "", bytes ? (bytes / size).toFixed(0) : "", mb?.toFixed(0) ?? ""],
  ]);
  const titles = ["what", "size", "s", "ms each", "bytes of state", "bytes each", "MB"];
  const load = (os.loadavg()[0] ?? 0).toFixed(1);
  return markdownTable([
    [...titles, "load", "date", "commit"],
    ...cells.map((row) => [...row, load, ...thisRun()]),
  ]);
}

/** @param {string} what @param {number} size @param {RegExp} command whose memory counts @param {() => Promise<unknown>} work @returns {Promise<Row>} */
async function measured(what, size, command, work) {
  // The figures come at the end.
  console.error(`  ${what} of ${size}`);
  const began = performance.now();
  let seconds = 0;
  const mb = await peakOf(command, async () => {
    await work();
    seconds = (performance.now() - began) / 1000;
  });
  return { what, size, seconds, mb };
}

/** A stack of incident updates, by each adapter. @param {number} size */
async function ofStack(size) {
  const rows = [];
  for (const [name, declared] of /** @type {const} */ ([
    ["plugin", byPlugin],
    ["package", byPackage],
  ])) {
    const { project, sandbox } = await stackOf(name, declared, size);
    const run = (/** @type {string} */ what, /** @type {string[]} */ ...args) =>
      measured(`${what} by the ${name}`, size, declared.process, () => project.mustRun(...args));
    try {
      const created = await run("new updates, up", "up", "--yes", "--skip-preview");
      rows.push({ ...created, bytes: project.stateText.length });
      rows.push(await run("unchanged, up", "up", "--yes", "--skip-preview", "--expect-no-changes"));
      rows.push(await run("unchanged, preview", "preview", "--expect-no-changes"));
    } finally {
      project.remove();
      await sandbox.close();
    }
  }
  return rows;
}

/** @param {number} count */
async function ofChannels(count) {
  const server = await serveChannels(count);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const rules = path.join(folder, "audit.yaml");
  fs.writeFileSync(rules, "extends: recommended\n");
  try {
    return await measured("channels, audit --all", count, /\bmonitoring\.js audit\b/, () =>
      node(server.url, monitoring, "audit", "--rules", rules, "--all"),
    );
  } finally {
    server.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Each edit of a resource posts another update, and its state has those before. @param {number} count @returns {Promise<Row>} */
async function ofEdits(count) {
  const { sandbox } = await stackOf("edits", byPlugin, 1);
  const [, adapter] = adapters;
  const [incident] = sandbox.data.accounts[0].statusPageIncidents;
  const stack = new Stack();
  const config = { "monitoring:baseUrl": sandbox.url, "monitoring:apiKey": sandbox.apiKey };
  const provider = await ProviderProcess.start(config, { adapter });
  try {
    return {
      ...(await measured("edits of one update", count, byPlugin.process, async () => {
        for (let edit = 0; edit <= count; edit++) {
          const update = { incidentId: incident?.id, status: "MONITORING", description: `Edit ${edit}.` };
          const failures = await stack.up(provider, { update });
          if (failures.length > 0) throw new Error(failures.join("\n"));
        }
      })),
      bytes: JSON.stringify(stack.resources.get("update")).length,
    };
  } finally {
    await provider.end();
    await sandbox.close();
  }
}

/** A preview whose plan has one line of so many megabytes. @param {number} megabytes @returns {Promise<Row>} */
async function ofPlan(megabytes) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const program = path.join(folder, "plan.js");
  const urn = "urn:pulumi:bench::bench::other:index:Resource::big";
  const text = `"x".repeat(${megabytes} * 2 ** 20)`;
  fs.writeFileSync(
    program,
    `const step = (sequence, urn, inputs) => console.log(JSON.stringify(
  { sequence, resourcePreEvent: { metadata: { op: "create", urn, new: { inputs } } } }));
step(1, ${JSON.stringify(urn)}, { text: ${text} });
console.log(JSON.stringify({ sequence: 2, summaryEvent: {} }));`,
  );
  try {
    return await measured(
      "megabytes in one line of a plan, monitoring preview",
      megabytes,
      /\bmonitoring\.js preview\b/,
      () => node("http://127.0.0.1:9", monitoring, "preview", "--pulumi", `${process.execPath} ${program}`),
    );
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

module.exports = { table };
