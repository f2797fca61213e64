import { removeMachines } from "../../soak/driver/machines";
import { runModel } from "../../soak/model";

afterAll(removeMachines);

it("whatever users, networks and people on the service do, the public sees what the model says, and no mail is sent twice", async () => {
  const tally = await runModel({ runs: 25, most: 10, seed: 1 });
  expect(tally).toMatchObject({ sequences: 25, secondMails: 0, mistakes: [] });
  expect(tally.steps).toBeGreaterThan(250);
  expect(tally.struck).toBeGreaterThan(25);
  expect(tally.mails).toBeGreaterThan(25);
});
