import { guards } from "../../provider/protocol/decide";
import { guards as configurations, switches } from "./switches";
import { type Found, foundBy } from "./foundBy";

let found: Found;
beforeAll(async () => (found = await foundBy("switches")));

it.each(switches)("the explorer notices: $name", ({ name }) => {
  expect(found[name]).toEqual({ isCaught: true });
});

it("each guard has a switch", () => {
  expect(Object.keys(configurations)).toEqual(Object.keys(guards));
});
