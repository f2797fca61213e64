/** The serialized provider in existing stacks. A change would leave them without a provider. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { repository } from "../engine/stack";
import {
  dynamicToken,
  type ResourceType,
  resourceTypes as all,
  serializedProvider,
} from "../../provider/engine";
import * as kinds from "../../provider/dynamic";

const frozen: Record<ResourceType, string> = {
  AlertChannel: 'exports.handler=()=>require("pulumi-monitoring-service/provider").AlertChannel',
  IncidentUpdate: 'exports.handler=()=>require("pulumi-monitoring-service/provider").IncidentUpdate',
  StatusPage: 'exports.handler=()=>require("pulumi-monitoring-service/provider").StatusPage',
};

it("is what it was in the first release, short, and of every kind that there is", () => {
  expect(Object.fromEntries(all.map((kind) => [kind, serializedProvider(kind)]))).toEqual(frozen);
  expect(all.map(dynamicToken)).toEqual(all.map((kind) => `pulumi-nodejs:dynamic/monitoring:${kind}`));
  expect(Object.keys(kinds).sort()).toEqual(Object.keys(frozen));
});

/** Resolves each serialized provider in a folder, as the engine's provider process does. */
const asTheEngineDoes = `
  const texts = require(require.resolve("pulumi-monitoring-service/package.json").replace("package.json", "dist/provider/engine.js"));
  const verbs = ["configure", "check", "diff", "create", "read", "update", "delete"];
  const found = {};
  for (const kind of ${JSON.stringify(all)}) {
    const text = texts.serializedProvider(kind);
    const loaded = {};
    new Function("exports", "require", text)(loaded, require);
    const provider = loaded.handler();
    found[kind] = { text, verbs: verbs.filter((verb) => typeof provider[verb] === "function").length };
  }
  process.stdout.write(JSON.stringify(found));`;

// test/release/packed.test.ts runs one from an installed package.
it("is unchanged and resolves to a provider in this repository's examples", () => {
  const cwd = join(repository, "examples", "quickstart");
  const output = execFileSync(process.execPath, ["-e", asTheEngineDoes], { cwd, encoding: "utf8" });
  const expected = Object.fromEntries(all.map((kind) => [kind, { text: frozen[kind], verbs: 7 }]));
  expect(JSON.parse(output)).toEqual(expected);
});
