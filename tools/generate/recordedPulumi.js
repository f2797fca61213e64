/** Stands for Pulumi: prints the recorded preview of the quick start, and writes its facts as the provider does. */
const fs = require("node:fs");
const path = require("node:path");

const recorded = path.resolve(__dirname, "../../docs/pictures/preview.json");
/** @type {{events: object[], facts: object[]}} */
const { events, facts } = JSON.parse(fs.readFileSync(recorded, "utf8"));
/** @param {object[]} objects */
const lines = (objects) => objects.map((each) => `${JSON.stringify(each)}\n`).join("");
fs.appendFileSync(process.env["MONITORING_PREVIEW_FACTS"] ?? "", lines(facts));
process.stdout.write(lines(events));
