/** The guides and examples for the other languages work as they are written, on the real engine. */
import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox";
import { followExample, followGuide } from "../docs/walkthrough";
import { pythonArchive } from "./pythonArchive";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const writes = () => sandbox.requests.filter(({ method }) => method !== "GET");

it("quick start in YAML: from an empty folder to one posted update", async () => {
  await followGuide("docs/guides/quick-start-yaml.md", sandbox);
  expect(writes()).toHaveLength(1);
});

it("quick start in Python: the same, with the SDK of a release", async () => {
  const archive = await pythonArchive();
  await followGuide("docs/guides/quick-start-python.md", {
    url: sandbox.url,
    events: { "the SDK is downloaded": (folder) => cpSync(archive, join(folder, basename(archive))) },
  });
  expect(writes()).toHaveLength(1);
});

it("the command line: what `pulumi do` reads without a program", async () => {
  await followGuide("docs/guides/pulumi-do.md", sandbox);
  expect(writes()).toEqual([]);
});

it.each(["python", "yaml"])("the example in %s posts its update once", async (name) => {
  await followExample(name, sandbox);
  expect(writes()).toHaveLength(1);
});
