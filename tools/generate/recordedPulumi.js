/** Stands for Pulumi: prints the recorded preview of the quick start, and writes its facts as the provider does. */
const fs = require("node:fs");
const path = require("node:path");

const recorded = path.resolve(__dirname, "../../docs/pictures/preview.json");
/** @type {{plan: object, facts: object[]}} */
const { plan, facts } = JSON.parse(fs.readFileSync(recorded, "utf8"));
const lines = facts.map((fact) => `${JSON.stringify(fact)}\n`).join("");
fs.appendFileSync(process.env["MONITORING_PREVIEW_FACTS"] ?? "", lines);
console.log(JSON.stringify(plan));
