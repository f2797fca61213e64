import { isCaught } from "../../soak/explore";
import { switches } from "../../soak/explore/switches";

it.each(switches)("the explorer notices: $name", (off) => {
  expect(isCaught(off)).toBe(true);
});
