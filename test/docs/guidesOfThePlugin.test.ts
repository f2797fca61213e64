/** The guides of the native plugin work as they are written, step by step, on the real engine. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { descendantsOf, signalIfThere } from "../../tools/pulumi";
import { until } from "../client/services";
import { Service } from "../engine/service";
import { makeArchives } from "../release/archives";
import { followGuideWithStack } from "./walkthrough";

const service = new Service();

it("the guide several-accounts uses each by its name, and by its provider", async () => {
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

it("the guide plugin moves a stack to it and back with one post", async () => {
  await followGuideWithStack("docs/guides/plugin.md", service.sandbox);
  expect(service.applied).toBe(1);
});

it("the page on releases installs the plugin from an archive", async () => {
  const archives = await makeArchives();
  const copy = (folder: string): void => {
    for (const name of archives.names) copyFileSync(join(archives.folder, name), join(folder, name));
  };
  try {
    await followGuideWithStack("docs/releases.md", {
      url: service.sandbox.url,
      env: { PULUMI_HOME: join(archives.folder, "home") },
      events: { "the archive and the checksums are copied": copy },
    });
  } finally {
    archives.remove();
  }
});

it("the guide adopting declares and imports what exists, and nothing is posted", async () => {
  await followGuideWithStack("docs/guides/adopting.md", service.sandbox);
  expect(service.posts).toEqual([]);
});

it("the guide cancelling presses Ctrl-C during a slow post, and the next run posts the rest", async () => {
  await followGuideWithStack("docs/guides/cancelling.md", {
    url: service.sandbox.url,
    events: { "Ctrl-C is pressed while the update is posted": () => void pressCtrlC() },
  });
  expect(service.applied).toBe(2);
});

/** Sends the engine that runs what Ctrl-C sends, as soon as an update is being posted. */
async function pressCtrlC(): Promise<void> {
  await until(() => service.posts.length > 0);
  for (const { pid, command } of descendantsOf(process.pid))
    if (/^\S*pulumi up /.test(command)) signalIfThere(pid, "SIGINT");
}
