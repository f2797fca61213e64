/** What all formats say alike. */
import { auditAlertChannels } from "../../audit";
import { channelLabel, openQuestions, verdict } from "../../audit/formats/reportText";
import { channel, now } from "./channels";

test.each([
  [0, 0, "nothing found"],
  [1, 0, "1 error, 0 warnings"],
  [0, 1, "0 errors, 1 warning"],
  [2, 2, "2 errors, 2 warnings"],
])("%i errors and %i warnings are %s", (errors, warnings, words) => {
  const { counts } = auditAlertChannels([], { extends: "recommended" }, { now });
  expect(verdict({ ...counts, errors, warnings })).toBe(words);
});

test.each([
  [undefined, "all channels"],
  [{ id: 7 }, "7"],
  [{ id: 7, name: "ops" }, "7 ops"],
])("the channel %j is %s", (reference, words) => {
  expect(channelLabel(reference)).toBe(words);
});

test.each([
  [1, "0"],
  [10, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9"],
  [11, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 1 other"],
  [12, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 others"],
])("an open question about %i channels names the first ten", (count, channels) => {
  const untold = Array.from({ length: count }, (_, id) => channel({ id, sendFailure: null }));
  const report = auditAlertChannels(untold, { rules: { "send-failure": "error" } }, { now });
  expect(openQuestions(report)).toEqual([
    { rule: "send-failure", field: "sendFailure", reason: "the service doesn't say", channels },
  ]);
});
