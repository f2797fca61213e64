/**
 * Tests the content of the plugin's release archives, and the plugin's launcher. docs/guides/plugin.md installs an archive with the
 * engine.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { credentials } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { parse } from "acorn";
import * as tar from "tar";
import { version } from "../../provider/packageManifest";
import { respond } from "../driver/call";
import { archiveFor, archiveForHere, type Archives, makeArchives } from "./archives";

const isWindows = process.platform === "win32";
const launcher = isWindows ? "pulumi-resource-monitoring.cmd" : "pulumi-resource-monitoring";
const checksums = `pulumi-monitoring_${version}_checksums.txt`;

let archives: Archives;
let installed: string;

beforeAll(async () => {
  archives = await makeArchives();
  installed = mkdtempSync(join(archives.folder, "installed-"));
  await tar.extract({ file: join(archives.folder, archiveForHere), cwd: installed });
});
afterAll(() => archives.remove());

/** Starts the launcher as the engine does. */
function launch(env: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
  const options = { env: { ...process.env, ...env }, shell: isWindows };
  return spawn(join(installed, launcher), ["127.0.0.1:1"], options);
}

/** Returns the launcher's output after it has ended. */
async function failure(env: NodeJS.ProcessEnv): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const child = launch(env);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr: stderr.trimEnd() };
}

it("the archives, one for each platform, have the names that the engine requests, and contain the plugin and its licenses", async () => {
  const expected = ["darwin", "linux", "windows"].flatMap((system) =>
    ["amd64", "arm64"].map((processor) => archiveFor(system, processor)),
  );
  expect(archives.names).toEqual([...expected, checksums]);
  for (const name of expected) {
    const entries: string[] = [];
    const file = join(archives.folder, name);
    await tar.list({ file, onReadEntry: ({ path }) => entries.push(path) });
    const starts = `pulumi-resource-monitoring${name.includes("-windows-") ? ".cmd" : ""}`;
    expect(entries).toEqual([
      ...["LICENSE", "THIRD-PARTY-LICENSES", "main.js"],
      ...[starts, "schema.json", "start.js"],
    ]);
  }
});

it("the archives contain the license of each package in the bundle", () => {
  const licences = readFileSync(join(installed, "THIRD-PARTY-LICENSES"), "utf8").split(/^-{80}$/m);
  const names = licences.map((licence) => licence.trimStart().split(" ")[0]);
  expect(names).toEqual(expect.arrayContaining(["@grpc/grpc-js", "axios", "google-protobuf", "zod"]));
  expect(licences.filter((licence) => !/copyright/i.test(licence))).toEqual([]);
});

it.each<[string, (child: ChildProcessWithoutNullStreams) => unknown]>([
  ["its stdin", ({ stdin }) => stdin.end()],
  // A shell would be ended by the signal.
  ["a signal, which reaches the plugin", (child) => child.kill("SIGTERM")],
])("the launcher starts this version's plugin, writes nothing else, and ends with %s", async (_, end) => {
  const before = readdirSync(installed, { recursive: true });
  const child = launch();
  const port = parseInt(String(await once(child.stdout, "data")), 10);
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const info = await respond<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
  client.close();
  expect(info.getVersion()).toBe(version);
  end(child);
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readdirSync(installed, { recursive: true })).toEqual(before);
});

const pretend = () => join(archives.folder, "pretend.js");
it.each<[string, () => NodeJS.ProcessEnv, string]>([
  [
    "there is no Node",
    () => ({ PATH: join(process.env["SystemRoot"] ?? installed, "System32") }),
    "pulumi-resource-monitoring needs Node 20 or newer, and there is no node on the PATH. Get it: https://nodejs.org",
  ],
  [
    "Node is too old",
    () => ({ NODE_OPTIONS: `--require ${JSON.stringify(pretend())}` }),
    "pulumi-monitoring-service needs Node 20 or newer; this is Node 14.21.3. Install a newer version from https://nodejs.org",
  ],
])("the launcher reports that %s, in a file that an old Node can parse", async (_, env, stderr) => {
  writeFileSync(pretend(), 'Object.defineProperty(process, "versions", { value: { node: "14.21.3" } });');
  expect(await failure(env())).toEqual({ code: 1, stdout: "", stderr });
  const start = readFileSync(join(installed, "start.js"), "utf8");
  expect(() => parse(start, { ecmaVersion: 2018 })).not.toThrow();
});
