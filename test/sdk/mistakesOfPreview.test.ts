/** A preview reports all errors of a program, even after two equal declarations. */
import { spawnSync } from "node:child_process";
import { packageFolder } from "../../provider/packageManifest";

/** Runs in a separate process, where only Pulumi handles the rejection that fails the preview at its end. */
const program = `
  const pulumi = require("@pulumi/pulumi");
  const { programInput } = require("./dist/provider/engine");
  const { IncidentUpdate } = require("./dist/sdk");
  process.on("unhandledRejection", ({ message }) => console.log(message));
  pulumi.log.error = (text) => Promise.resolve(console.log(text));
  const findProblem = (text) => (text.includes("toString") ? { problem: "has an unknown value" } : {});
  const newResource = ({ name, inputs }) => ({
    id: name,
    state: { ...inputs, [programInput]: findProblem(inputs.description) },
  });
  void pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "shop", "dev", true).then(() => {
    pulumi.runtime.setAllConfig({ "monitoring:apiKey": "key", "monitoring:accountId": "own" });
    for (const [index, description] of JSON.parse(process.argv[1]).entries())
      new IncidentUpdate(String(index), { incidentId: "inc", status: "MONITORING", description });
  });`;

test("each of several equal declarations causes one error, with the provider's reason if it has one", () => {
  const texts = ["We watch it.", "We watch it.", "Calling [toString]", "Calling [toString]", "We watch it."];
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", program, JSON.stringify(texts)], {
    cwd: packageFolder,
    encoding: "utf8",
  });
  const lines = stdout
    .trim()
    .replace(/ To post the same text again.*/g, "")
    .split("\n");
  const identical = (name: string) =>
    `IncidentUpdate "${name}": "0" declares an identical update on the same incident.`;
  expect([lines.sort(), stderr]).toEqual([
    [
      identical("1"),
      identical("4"),
      "The preview fails: see the errors of its resources.",
      "has an unknown value",
      "has an unknown value",
    ],
    "",
  ]);
});
