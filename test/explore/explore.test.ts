import { configurations, unguarded } from "./configurations";
import { drawn } from "./configurations/drawn";
import { type Found, foundBy } from "./foundBy";

describe("every interleaving of the protocol", () => {
  let found: Found;
  beforeAll(async () => (found = await foundBy("configurations", "drawn")));

  it.each(configurations)("$name: no property is violated", ({ name }) => {
    expect(found[name]).toEqual({ trace: [], isComplete: true });
  });

  it.each(drawn(1, 20))("$name, a service that nobody thought of: no property is violated", ({ name }) => {
    expect(found[name]).toEqual({ trace: [], isComplete: expect.any(Boolean) });
  });

  it.each(unguarded)("$name: is outside the guarantee", ({ name, fails }) => {
    expect(found[name]).toMatchObject({ violation: expect.stringMatching(new RegExp(`^${fails}:`)) });
  });
});
