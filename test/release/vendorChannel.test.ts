/** The example beside the vendor's package: compiled against it, and run with its resources as mocks, whose channel the sandbox has. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { run } from "../../tools/setup/run";
import { environmentOf, expectSuccess, repository } from "../engine/stack";
import { sandboxWith } from "../sandbox/sandboxes";
import { folder, install, packed, write } from "./packedPackage";

const runner = (id: number): string => `
  const pulumi = require("@pulumi/pulumi");
  const declared = [];
  const newResource = ({ type, inputs }) => {
    declared.push(type);
    return { id: type.endsWith(":AlertChannel") ? "${id}" : "made", state: inputs };
  };
  process.on("unhandledRejection", () => undefined);
  process.once("exit", () => console.log(JSON.stringify(declared)));
  pulumi.runtime.setAllConfig({ "project:ticketsUrl": "https://tickets.example.com" });
  pulumi.runtime.setMocks({ newResource, call: () => ({}) }).then(() => require("./index.js"));`;

it("compiles, and subscribes a channel only after it has passed the audit", async () => {
  const sandbox = await sandboxWith();
  const where = folder();
  cpSync(join(repository, "examples/vendor-channel"), where, { recursive: true });
  const { dependencies, ...manifest } = JSON.parse(readFileSync(join(where, "package.json"), "utf8")) as {
    dependencies: object;
  };
  write(where, {
    "package.json": { ...manifest, dependencies: { ...dependencies, "pulumi-monitoring-service": packed } },
  });
  // The vendor's install script looks for an engine.
  await install(where, "--ignore-scripts");
  const tsc = join(where, "node_modules", "typescript", "bin", "tsc");
  expectSuccess(await run(process.execPath, [tsc, "--noEmit", "false"], { cwd: where }));
  const env = { ...process.env, ...environmentOf(sandbox) };
  const declaredWith = async (id: number): Promise<unknown> => {
    const { stdout } = await run(process.execPath, ["-e", runner(id)], { cwd: where, env });
    const types = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as string[];
    return types.sort();
  };
  const declared = ["checkly:index/alertChannel:AlertChannel", "monitoring:index:AlertChannelAudit"];
  expect(await declaredWith(wellKnown.alertChannels.legacyHook)).toEqual(declared);
  expect(await declaredWith(wellKnown.alertChannels.onCall)).toEqual(
    [...declared, "checkly:index/checkGroup:CheckGroup"].sort(),
  );
});
