/** What `npm run rehearse` has published: a reader of the quick start installs it by its name, and the engine its plugin from a server. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { prepareEngine } from "../../tools/setup/engine";
import { run } from "../../tools/setup/run";
import { serve } from "../client/services";
import { followQuickStart } from "../docs/walkthrough";
import { Service } from "../engine/service";
import { expectSuccess } from "../engine/stack";
import { version } from "../../provider/packageManifest";
import { temporaryFolder } from "../temporaryFolder";

const { REHEARSED_REGISTRY: registry = "", REHEARSED_RELEASE: release = "" } = process.env;
const service = new Service();

it("the quick start, in an empty folder with an empty home", async () => {
  const home = temporaryFolder();
  const env = { HOME: home, NPM_CONFIG_REGISTRY: registry, NPM_CONFIG_USERCONFIG: join(home, ".npmrc") };
  await followQuickStart("TypeScript", {
    url: service.sandbox.url,
    env,
    events: { "the service is configured": () => undefined },
    installs: true,
  });
  expect(service.applied).toBe(1);
});

it("the plugin, from a server of the release's files", async () => {
  const { url } = await serve((response, { url }) =>
    response.end(readFileSync(join(release, basename(url)))),
  );
  const home = temporaryFolder();
  const args = ["plugin", "install", "resource", "monitoring", version, "--server", url];
  const env = { ...process.env, HOME: home, PULUMI_HOME: join(home, ".pulumi") };
  expectSuccess(await run((await prepareEngine()).pulumi, args, { env }));
  expect(existsSync(join(home, ".pulumi", "plugins", `resource-monitoring-v${version}`))).toBe(true);
});
