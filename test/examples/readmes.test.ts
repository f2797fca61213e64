/** The examples do what their READMEs say, and leave nothing to do. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { followExample } from "../docs/walkthrough";

const { labsPreview, searchLag, webhookDelays } = wellKnown.statusPageIncidents;

const repository = resolve(__dirname, "../..");
const examples = join(repository, "examples");

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

/** What the public reads of an incident since the sandbox started, oldest first. */
const posted = (incidentId: string): string[] => {
  const posts = sandbox.requests.filter(({ method, path }) => method === "POST" && path.includes(incidentId));
  return sandbox
    .incident(incidentId)
    .incidentUpdates.slice(0, posts.length)
    .map(({ status }) => status)
    .reverse();
};

it("announce-deployment announces, deploys and resolves, and resolves nothing that isn't deployed", async () => {
  const stages: string[][] = [];
  const look = (): unknown => stages.push(posted(webhookDelays));
  await followExample("announce-deployment", {
    url: sandbox.url,
    events: { "the release is deployed": look, "the release fails": look },
  });
  look();
  expect(stages).toEqual([
    ["IDENTIFIED", "RESOLVED"],
    ["IDENTIFIED", "RESOLVED", "IDENTIFIED"],
    ["IDENTIFIED", "RESOLVED", "IDENTIFIED", "RESOLVED"],
  ]);
});

it("gate-deployment deploys only what no grave incident touches", async () => {
  await followExample("gate-deployment", sandbox);
});

it("observe-status-page tells what changed once, and what must not be until it is mended", async () => {
  const edit = (change: (page: Sandbox["data"]["accounts"][0]["statusPages"][0]) => void): void =>
    sandbox.byHand.change(({ accounts: [{ statusPages }] }) => {
      for (const page of statusPages) if (page.url === "quillmarket-checkout-europe") change(page);
    });
  await followExample("observe-status-page", {
    url: sandbox.url,
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

it("several-accounts reads each account with its own key, and announces in the one that is meant", async () => {
  await followExample("several-accounts", sandbox);
  expect(posted(labsPreview)).toEqual(["MONITORING"]);
});

it("import-existing posts the update that isn't there yet, and none that is", async () => {
  await followExample("import-existing", sandbox);
  expect(posted(searchLag)).toEqual(["RESOLVED"]);
});

it("javascript posts the story in its order, and what is added to it", async () => {
  await followExample("javascript", sandbox);
  expect(posted(searchLag)).toEqual(["IDENTIFIED", "MONITORING"]);
});

it.each(readdirSync(examples).filter((name) => existsSync(join(examples, name, "package.json"))))(
  "%s asks for this version of the package",
  (name) => {
    const { dependencies } = manifestOf(join(examples, name));
    expect(dependencies["pulumi-monitoring-service"]).toBe(`^${manifestOf(repository).version}`);
  },
);

function manifestOf(folder: string): { version: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as ReturnType<typeof manifestOf>;
}
