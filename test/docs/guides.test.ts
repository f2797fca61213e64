/** Follows the guides as written, step by step, on the real engine. guidesOfThePlugin.test.ts follows the guides on the plugin. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageName, version } from "../../provider/packageManifest";
import { wellKnown } from "../../sandbox";
import { incidentId, Service } from "../engine/service";
import { Page } from "./markdown";
import {
  followGuideWithStack,
  followQuickStart,
  followReadme,
  followTemplate,
  type Surroundings,
} from "./walkthrough";

const service = new Service();

it("README: commands typed by hand publish one update", async () => {
  await followReadme(service.sandbox);
  expect(service.applied).toBe(1);
});

it.each(["README.md", "docs/guides/quick-start.md", "docs/guides/auditing.md"])(
  "%s installs the archive of this version",
  (name) => {
    const archives = new Page(name).text.match(/\S+\.tgz/g) ?? [];
    expect([...new Set(archives)]).toEqual([`./vendor/${packageName}-${version}.tgz`]);
  },
);

it("README: the template creates a complete project of this version, which reads the account and publishes nothing", async () => {
  const ran =
    "```sh\nnpx pulumi up\ncat Pulumi.dev.yaml package.json\nls -A\n```\n```text\n" +
    '"incidentId inc_checkout_latency: Checkout is slow for shoppers in Europe"\n…\nmonitoring:apiKey:\n secure: \n' +
    `"${packageName}": "file:vendor/${packageName}-${version}.tgz"\n.github\n.gitignore\n` +
    "```\n```sh\ngit init --quiet\ngit check-ignore node_modules .pulumi preview.md\n```\n```text\n" +
    "node_modules\n.pulumi\npreview.md\n```\n```sh\nnpx pulumi config set statusPageId page_shop\nnpx pulumi up\n```\n```text\n" +
    '=> "statusPageId page_shop, incidentId inc_checkout_outage: Orders can\'t be placed"\n- [6]: "statusPageId page_developers, incidentId inc_api_maintenance\n' +
    "```\n";
  await followTemplate({ url: service.sandbox.url }, ran);
  expect(service.applied).toBe(0);
});

it("the quick start leads from an empty folder to one posted update, and to another stack for the user's service", async () => {
  const urls: unknown[] = [];
  const look = (folder: string): void => {
    for (const stack of ["dev", "production"])
      urls.push(/baseUrl: (.*)/.exec(readFileSync(join(folder, `Pulumi.${stack}.yaml`), "utf8"))?.[1]);
  };
  const { url } = service.sandbox;
  await followQuickStart("TypeScript", { url, events: { "the service is configured": look } });
  expect(service.applied).toBe(1);
  // The stack whose update is on the sandbox can't move to a service without that update.
  expect(urls).toEqual([url, "https://api.example.com"]);
});

const url = "http://hooks.quillmarket.dev/in";

/** The output of `terraform show -json` for a new channel in a module. Blocks are lists, and keys are in snake case. */
const planOfTerraform = JSON.stringify({
  planned_values: {
    root_module: {
      child_modules: [
        {
          resources: [
            {
              address: "module.shop.checkly_alert_channel.tickets",
              type: "checkly_alert_channel",
              values: {
                ...{ call: [], email: [], send_failure: true, send_recovery: true, ssl_expiry: false },
                webhook: [{ name: "tickets", method: "POST", url, headers: null, webhook_secret: null }],
              },
            },
          ],
        },
      ],
    },
  },
});

/** The output of `pulumi preview --json` for a new channel. */
const previewOfPulumi = JSON.stringify({
  steps: [
    { op: "create", newState: { type: "pulumi:pulumi:Stack" } },
    {
      op: "create",
      urn: "urn:pulumi:dev::alerts::checkly:index/alertChannel:AlertChannel::tickets",
      newState: {
        type: "checkly:index/alertChannel:AlertChannel",
        inputs: {
          ...{ __defaults: [], sendFailure: true, sendRecovery: true },
          webhook: { __defaults: ["method"], name: "tickets", method: "POST", url },
        },
      },
    },
  ],
});

it.each<[guide: string, shows: string, applied: number, events?: Surroundings["events"]]>([
  ["publish-from-pull-requests", "a preview, and the update that it announced", 1],
  ["secure-the-workflow", "a job that must not post, and the next run, which posts", 1],
  [
    "rotate-an-api-key",
    "the operations that each key allows",
    0,
    { "the key is replaced at the service": () => service.replaceKey() },
  ],
  [
    "announce-a-deployment",
    "an incident that is opened once and resolved, in one program and around a deployment",
    4,
  ],
  ["checks-and-previews", "text that is rejected before any request", 0],
  ["drift", "a changed channel, which a nightly command detects and a refresh accepts", 1],
  ["exactly-once", "a lost post, which is sent again with a resend code", 1],
  [
    "auditing",
    "a rule file, its exceptions and accepted findings, also for planned channels",
    0,
    {
      "Terraform plans a channel": (folder) => writeFileSync(join(folder, "plan.json"), planOfTerraform),
      "Pulumi previews a channel": (folder) => writeFileSync(join(folder, "preview.json"), previewOfPulumi),
    },
  ],
  // The default is required, because Jest would use a missing argument for its callback and wait for the call.
])("the guide %s shows %s", async (guide, _, applied, events = {}) => {
  await followGuideWithStack(`docs/guides/${guide}.md`, { url: service.sandbox.url, events });
  expect(service.applied).toBe(applied);
});

it("the guide migrating-a-page moves a stack to a migrated page, and posts nothing", async () => {
  const replaced: Record<string, string> = {};
  const migrate = (): void => {
    const { statusPages } = service.sandbox.data.accounts[0];
    const page = statusPages.find(({ name }) => name === "Checkout Europe")?.id ?? "";
    const ids = service.sandbox.dashboard.migratePage(page, { incidentIds: "new", updateIds: "new" });
    replaced["1f0a6c3e-52d8-4b97-8e41-6c7d9a2b3f50"] = String(ids.incidents[incidentId]);
  };
  const { url } = service.sandbox;
  const events = { "the page is migrated in the app of the service": migrate };
  await followGuideWithStack("docs/guides/migrating-a-page.md", { url, events, replaced });
  expect(service.applied).toBe(2);
});

it("the guide correcting-an-update edits entries, declares a colleague's text, and posts no correction", async () => {
  const right = "Orders go through at once.";
  const correct = (folder: string) => {
    const file = join(folder, "index.ts");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("trough", "through"));
  };
  const events = {
    "program corrected": correct,
    "dashboard corrected": () =>
      service.sandbox.dashboard.editUpdate(incidentId, service.newestId, { description: right }),
  };
  await followGuideWithStack("docs/guides/correcting-an-update.md", { url: service.sandbox.url, events });
  const { shop } = wellKnown.componentPages;
  const { checkoutOutage } = wellKnown.componentPageIncidents;
  const texts = (id: string, page?: string) => service.published(id, page).map((each) => each.description);
  expect(texts(checkoutOutage, shop).sort()).toEqual(["Fixed since 10:40.", "Refunds go through, too."]);
  expect(texts(incidentId)).toEqual([right]);
  expect(service.posts.map(({ method }) => method)).toEqual([
    ...["POST", "POST", "PUT", "PUT"],
    ...["PUT", "PUT", "POST"],
  ]);
});

it("the guide testing-your-program runs tests with Jest, with node:test, and on the engine, without the service", async () => {
  await followGuideWithStack("docs/guides/testing-your-program.md", service.sandbox);
  expect(service.sandbox.requests).toEqual([]);
});
