import { notice } from "../../provider/engine/process";
import { noticesDuring } from "../lifecycles/phases";

it("prints one line without control characters", async () => {
  const printed = await noticesDuring(() => {
    notice(" Update \u001b[2J\u009bx:\r\n\tadopted.\0 ");
    return Promise.resolve();
  });
  expect(printed).toEqual(["Update [2J x: adopted."]);
});

it("prints the lines of a preview together, as they are", async () => {
  const lines = ["IncidentUpdate posts", "  MONITORING:", "  | a  "];
  const printed = await noticesDuring(() => {
    notice(lines);
    return Promise.resolve();
  });
  expect(printed).toEqual([lines.join("\n").trim()]);
});
