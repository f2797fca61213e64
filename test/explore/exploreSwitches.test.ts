import { switches } from "./switches";
import { type Found, foundBy } from "./foundBy";

let found: Found;
beforeAll(async () => (found = await foundBy("switches")));

it.each(switches)("the explorer notices: $name", ({ name }) => {
  expect(found[name]).toHaveProperty("violation");
});
