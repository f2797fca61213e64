import { configurations, unguarded } from "./configurations";
import { drawn } from "./configurations/drawn";
import { type Found, foundBy } from "./foundBy";

describe("every interleaving of the protocol", () => {
  let found: Found;
  beforeAll(async () => (found = await foundBy("configurations", "unguarded", "drawn")));

  it.each(configurations)("no interleaving violates a property: $name", ({ name }) => {
    expect(found[name]).toEqual({ states: expect.any(Number), trace: [], isComplete: true });
  });

  it.each(drawn(1, 20))("no interleaving with a drawn service violates a property: $name", ({ name }) => {
    expect(found[name]).toMatchObject({ trace: [] });
  });

  it.each(unguarded)("$name is outside the guarantee", ({ name, fails }) => {
    expect(found[name]).toMatchObject({ violation: expect.stringMatching(new RegExp(`^${fails}:`)) });
  });
});
