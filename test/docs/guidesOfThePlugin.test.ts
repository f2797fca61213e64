/** The guides of the native plugin work as they are written, step by step, on the real engine. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { descendantsOf, signalIfThere } from "../../scripts/processes";
import { until } from "../client/services";
import { makeArchives } from "../release/archives";
import { currentSandbox, posted, posts, replaceKey, useSandbox } from "./guideSandbox";
import { followGuideWithStack } from "./walkthrough";

useSandbox();

it("several accounts: each is used by its name, and by its provider", async () => {
  await followGuideWithStack("docs/guides/several-accounts.md", {
    url: currentSandbox().url,
    events: { "the key is replaced at the service": replaceKey },
  });
  const [incident] = currentSandbox().data.accounts[1]?.statusPageIncidents ?? [];
  expect(incident?.incidentUpdates.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^All prev/),
    expect.stringMatching(/^New prev.* again/),
    expect.anything(),
  ]);
});

it("dynamic or native: what the plugin shows, and what a missing entry in Pulumi.yaml says", async () => {
  await followGuideWithStack("docs/guides/dynamic-or-native.md", currentSandbox());
});

it("installing the plugin: from an archive, on a machine without plugins", async () => {
  const archives = await makeArchives();
  const copy = (folder: string): void => {
    for (const name of archives.names) copyFileSync(join(archives.folder, name), join(folder, name));
  };
  try {
    await followGuideWithStack("docs/guides/installing-the-plugin.md", {
      url: currentSandbox().url,
      env: { PULUMI_HOME: join(archives.folder, "home") },
      events: { "the archive and the checksums are copied": copy },
    });
  } finally {
    archives.remove();
  }
});

it("importing: nothing is posted, whatever is declared", async () => {
  await followGuideWithStack("docs/guides/importing.md", currentSandbox());
  expect(posts()).toEqual([]);
});

it("moving to the plugin and back: one post, by the first run", async () => {
  await followGuideWithStack("docs/guides/moving-to-the-plugin.md", currentSandbox());
  expect(posted()).toBe(1);
});

it("cancelling: Ctrl-C during a slow post, and the next run posts the rest", async () => {
  await followGuideWithStack("docs/guides/cancelling.md", {
    url: currentSandbox().url,
    events: { "Ctrl-C is pressed while the update is posted": () => void pressCtrlC() },
  });
  expect(posted()).toBe(2);
});

/** Sends the engine that runs what Ctrl-C sends, as soon as an update is being posted. */
async function pressCtrlC(): Promise<void> {
  await until(() => posts().length > 0);
  for (const { pid, command } of descendantsOf(process.pid))
    if (/^\S*pulumi up /.test(command)) signalIfThere(pid, "SIGINT");
}
