import { noticeText } from "../../provider/protocol/messages";
import { declaration, update } from "./steps";

it.each([
  ["A", "an identical update (u)"],
  [" A\r\n", "an identical update (u)"],
  ["edited", "this update (u), edited since,"],
])("says of an adopted update that shows %j what it is", (description, what) => {
  const text = noticeText({ tell: "adopted", update: update("u", description) }, declaration());
  expect(text).toBe(
    `IncidentUpdate: ${what} has existed in incident i since 2026-01-01T12:00:00.000Z; adopted, nothing posted.`,
  );
});
