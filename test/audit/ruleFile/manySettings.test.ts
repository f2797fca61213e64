/** Rules with very many overrides and custom rules: the work grows as they do. */
import { auditAlertChannels, type Rules } from "../../../audit";
import { callsIn } from "../../countedWork";
import { channel } from "../channels";

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

const custom = (index: number) => ({
  ...{ id: `own-${index}`, title: "Own", why: "Own.", fix: "Own." },
  ...{ severity: "warning" as const, expect: { sendFailure: true } },
});
const override = (index: number, id = "stale") => ({
  select: { ids: [index] },
  rules: { [id]: "warning" as const },
});

test.each<[string, (count: number) => Rules]>([
  [
    "overrides of one rule",
    (count) => ({ extends: "recommended", overrides: times(count, (index) => override(index)) }),
  ],
  [
    "overrides that all select the same channel",
    (count) => ({ rules: { stale: "error" }, overrides: times(count, () => override(1)) }),
  ],
  [
    "custom rules, each with an override",
    (count) => ({
      customRules: times(count, custom),
      overrides: times(count, (index) => override(index, `own-${index}`)),
    }),
  ],
])("%s", (_, rulesOf) => {
  const channels = times(3, (id) => channel({ id, name: `channel-${id}` }));
  const [few = 0, many] = [100, 400].map((count) =>
    callsIn(() => auditAlertChannels(channels, rulesOf(count))),
  );
  expect(many).toBeLessThan(5 * few);
});
