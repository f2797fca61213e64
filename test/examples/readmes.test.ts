/** Tests that the examples work as their READMEs describe. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../provider/packageManifest";
import { type Sandbox, wellKnown } from "../../sandbox";
import { followExample, followExampleWithoutStack } from "../docs/walkthrough";
import { Service } from "../engine/service";
import { repository } from "../engine/stack";

const { labsPreview, searchLag, webhookDelays } = wellKnown.statusPageIncidents;

const examples = join(repository, "examples");

const service = new Service();
const posted = (incidentId: string): string[] => service.published(incidentId).map(({ status }) => status);

it("planned-maintenance opens an incident for each release, and only resolves incidents of deployed releases", async () => {
  const stages: (string | null | undefined)[][] = [];
  const look = (): unknown =>
    stages.push(
      service.sandbox.data.accounts
        .flatMap(({ componentPages }) => componentPages.flatMap(({ incidents }) => incidents))
        .filter(({ name }) => name.startsWith("Maintenance for release"))
        .map(({ incidentUpdates: [newest] }) => newest?.status),
    );
  const events = { "the release is deployed": look, "the release fails": look };
  await followExample("planned-maintenance", { url: service.sandbox.url, events });
  look();
  expect(stages.map((stage) => stage.sort())).toEqual([
    ["RESOLVED"],
    ["MONITORING", "RESOLVED"],
    ["RESOLVED", "RESOLVED"],
  ]);
});

it("audit-in-pipeline finds the problems that its page shows", async () => {
  await followExampleWithoutStack("audit-in-pipeline", service.sandbox);
});

it("incident-files posts the updates in the files once each", async () => {
  await followExample("incident-files", service.sandbox);
  expect(posted(searchLag)).toEqual(["IDENTIFIED", "MONITORING", "RESOLVED"]);
  expect(posted(webhookDelays)).toEqual(["RESOLVED"]);
});

it("gate-deployment deploys only services without a severe incident", async () => {
  await followExample("gate-deployment", service.sandbox);
});

it("observe-status-page reports a change once, and a forbidden value until it is fixed", async () => {
  const edit = (change: (page: Sandbox["data"]["accounts"][0]["statusPages"][0]) => void): void =>
    service.sandbox.dashboard.change(({ accounts: [{ statusPages }] }) => {
      for (const page of statusPages) if (page.url === "quillmarket-checkout-europe") change(page);
    });
  await followExample("observe-status-page", {
    url: service.sandbox.url,
    events: {
      "the service is renamed": () =>
        edit(({ cards: [buying] }) => {
          const [cart] = buying?.services ?? [];
          if (cart) cart.name = "Basket";
        }),
      "the address is taken away": () => edit((page) => (page.customDomain = "")),
      "the address is back": () =>
        edit((page) => (page.customDomain = "checkout-europe.status.quillmarket.example")),
    },
  });
});

it.each([
  [
    "several-accounts",
    "reads each account with its own key, and announces in one",
    labsPreview,
    ["MONITORING"],
  ],
  ["import-existing", "posts the missing update, and no existing one", searchLag, ["RESOLVED"]],
  [
    "javascript",
    "posts the story in order, including added updates",
    searchLag,
    ["IDENTIFIED", "MONITORING"],
  ],
])("%s %s", async (name, _, incidentId, statuses) => {
  await followExample(name, service.sandbox);
  expect(posted(incidentId)).toEqual(statuses);
});

const listExamples = (file: string): string[] =>
  readdirSync(examples).filter((name) => existsSync(join(examples, name, file)));

it.each(listExamples("package.json"))(
  "%s uses the archive of this version, because the package isn't on npm yet",
  (name) => {
    const { dependencies } = JSON.parse(readFileSync(join(examples, name, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies["pulumi-monitoring-service"]).toBe(
      `file:vendor/pulumi-monitoring-service-${version}.tgz`,
    );
  },
);
