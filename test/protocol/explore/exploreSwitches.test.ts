import { isCaught } from "../../../tools/soak/explore";
import { switches } from "../../../tools/soak/explore/switches";

it.each(switches)("the explorer notices: $name", (off) => {
  expect(isCaught(off)).toBe(true);
});
