import { runModel } from "../../soak/model";

it("whatever users, networks and people on the service do, the public sees what the model says", async () => {
  const { sequences, steps, struck, mistakes } = await runModel({ runs: 25, most: 12, seed: 1 });
  expect(mistakes).toEqual([]);
  expect(sequences).toBe(25);
  expect(steps).toBeGreaterThan(250);
  expect(struck).toBeGreaterThan(15);
});
