/** Replaces Pulumi for pictures: prints the recorded preview that its first argument names, and writes the facts like the provider. */
const fs = require("node:fs");
const path = require("node:path");

const recorded = path.resolve(__dirname, "../../docs/pictures", `${process.argv[2]}.json`);
/** @type {{events: object[], facts: object[]}} */
const { events, facts } = JSON.parse(fs.readFileSync(recorded, "utf8"));
/** @param {object[]} objects */
const lines = (objects) => objects.map((each) => `${JSON.stringify(each)}\n`).join("");
const timed = lines(facts).replace(/<(\d+) minutes ago>/g, (_, minutes) =>
  new Date(Date.now() - minutes * 60_000).toISOString(),
);
fs.appendFileSync(process.env["MONITORING_PREVIEW_FACTS"] ?? "", timed);
process.stdout.write(lines(events));
