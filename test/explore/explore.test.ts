/**
 * Visits the states near the start of each configuration. The pipeline visits all states, in larger bounds. It also switches off each rule of
 * the protocol and checks that a configuration then fails.
 */
import { configurations, unguarded } from "./configurations";
import { drawn } from "./configurations/drawn";
import { type JobResults, runJobs } from "./runJobs";

const holds = { states: expect.any(Number), trace: [], isComplete: expect.any(Boolean) };

let results: JobResults;
beforeAll(async () => (results = await runJobs("configurations", "unguarded", "drawn")));

it.each(configurations)("no interleaving violates a property: $name", ({ name }) => {
  expect(results[name]).toEqual(holds);
});

it.each(drawn(1, 20))("no interleaving with a random service violates a property: $name", ({ name }) => {
  expect(results[name]).toEqual(holds);
});

it.each(unguarded)("outside the guarantee, a property is violated: $name", ({ name, fails }) => {
  expect(results[name]).toMatchObject({ violation: expect.stringMatching(new RegExp(`^${fails}:`)) });
});
