/** Follows the guides on the native plugin as written, step by step, on the real engine. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Service } from "../engine/service";
import { makeArchives } from "../release/archives";
import { interruptions } from "./interruptions";
import { followGuideWithStack } from "./walkthrough";

const service = new Service();

it("the guide several-accounts uses each account by its name and by its provider", async () => {
  await followGuideWithStack("docs/guides/several-accounts.md", {
    url: service.sandbox.url,
    events: { "the key is replaced at the service": () => service.replaceKey() },
  });
  const [incident] = service.sandbox.data.accounts[1]?.statusPageIncidents ?? [];
  expect(incident?.incidentUpdates.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^All prev/),
    expect.stringMatching(/^New prev.* again/),
    expect.anything(),
  ]);
});

it("the guide plugin moves a stack to the plugin and back with one post, and installs the plugin from an archive", async () => {
  const archives = await makeArchives();
  const copy = (folder: string): void => {
    for (const name of archives.names) copyFileSync(join(archives.folder, name), join(folder, name));
  };
  try {
    await followGuideWithStack("docs/guides/plugin.md", {
      url: service.sandbox.url,
      env: { PULUMI_HOME: join(archives.folder, "home") },
      events: { "the archive and the checksums are copied": copy },
    });
  } finally {
    archives.remove();
  }
  expect(service.applied).toBe(1);
});

it("the guide adopting declares and imports existing updates, and nothing is posted", async () => {
  await followGuideWithStack("docs/guides/adopting.md", service.sandbox);
  expect(service.posts).toEqual([]);
});

it("the guide interrupted-runs kills one run and cancels another with Ctrl-C, and each next run posts the rest", async () => {
  await followGuideWithStack("docs/guides/interrupted-runs.md", {
    url: service.sandbox.url,
    events: interruptions(service),
  });
  expect(service.published().map(({ status }) => status)).toEqual(["MONITORING", "RESOLVED"]);
  expect(service.applied).toBe(4);
});
