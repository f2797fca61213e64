/** The examples do what their READMEs say, and leave nothing to do. */
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { Example } from "./example";

const { labsPreview, searchLag, webhookDelays } = wellKnown.statusPageIncidents;

let sandbox: Sandbox;
let example: Example;

jest.setTimeout(180_000);
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(async () => {
  example.remove();
  await sandbox.close();
});

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
  example = await Example.create("announce-deployment", sandbox);
  await example.nextStep("succeeds");
  expect(posted(webhookDelays)).toEqual(["IDENTIFIED", "RESOLVED"]);

  await example.nextStep("fails");
  expect(posted(webhookDelays)).toEqual(["IDENTIFIED", "RESOLVED", "IDENTIFIED"]);

  await example.nextStep("succeeds");
  expect(posted(webhookDelays)).toEqual(["IDENTIFIED", "RESOLVED", "IDENTIFIED", "RESOLVED"]);
  await example.expectNothingLeft();
});

it("gate-deployment deploys only what no grave incident touches", async () => {
  example = await Example.create("gate-deployment", sandbox);
  await example.nextStep("fails");
  await example.nextStep("succeeds");
  await example.expectNothingLeft();
});

it("observe-status-page tells what changed once, and what must not be until it is mended", async () => {
  const page = (edit: (page: Sandbox["data"]["accounts"][0]["statusPages"][0]) => void): void =>
    sandbox.byHand.change(({ accounts: [{ statusPages }] }) => {
      for (const each of statusPages) if (each.url === "quillmarket-checkout-europe") edit(each);
    });
  example = await Example.create("observe-status-page", sandbox);
  await example.nextStep("succeeds");
  await example.nextStep("succeeds");

  page(({ cards: [buying] }) => {
    const [cart] = buying?.services ?? [];
    if (cart) cart.name = "Basket";
  });
  await example.nextStep("fails");
  page((each) => (each.customDomain = ""));
  await example.nextStep("fails");
  page((each) => (each.customDomain = "checkout-europe.status.quillmarket.example"));
  await example.nextStep("succeeds");
  await example.expectNothingLeft();
});

it("several-accounts reads each account with its own key, and announces in the one that is meant", async () => {
  example = await Example.create("several-accounts", sandbox);
  await example.nextStep("succeeds");
  expect(posted(labsPreview)).toEqual(["MONITORING"]);
  await example.expectNothingLeft();
});

it("javascript posts the story in its order, and what is added to it", async () => {
  example = await Example.create("javascript", sandbox);
  await example.nextStep("succeeds");
  expect(posted(searchLag)).toEqual(["IDENTIFIED", "MONITORING"]);
  await example.expectNothingLeft();
});
