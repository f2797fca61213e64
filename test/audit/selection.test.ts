/** The channels that a rule is for. */
import { auditAlertChannels, type Selection } from "../../audit";
import { channel, now } from "./channels";

const channels = [
  channel({ id: 1, type: "EMAIL", name: "prod-mail-eu" }),
  channel({ id: 2, type: "SMS", name: "prod-phone" }),
  channel({ id: 3, type: "EMAIL" }),
];

function selected(select: Selection, names: Record<string, string | number> = {}): unknown[] {
  const customRules = [{ id: "mine", title: "Mine", select, path: "type", equals: "none" }];
  const { findings } = auditAlertChannels(channels, { customRules, channels: names }, { now });
  return findings.map((finding) => finding.channel?.id);
}

test.each<[string, Selection, number[]]>([
  ["nothing, which is all", {}, [1, 2, 3]],
  ["a type", { types: ["EMAIL"] }, [1, 3]],
  ["types", { types: ["EMAIL", "SMS"] }, [1, 2, 3]],
  ["ids, as numbers and texts", { ids: [1, "3", 9] }, [1, 3]],
  ["a name", { names: ["prod-phone"] }, [2]],
  ["a name that is only a beginning of another", { names: ["prod"] }, []],
  ["several names", { names: ["prod-phone", "prod-mail-eu"] }, [1, 2]],
  ["anything with a name", { names: ["*"] }, [1, 2]],
  ["a beginning", { names: ["prod-*"] }, [1, 2]],
  ["an end", { names: ["*-eu"] }, [1]],
  ["a part", { names: ["*mail*"] }, [1]],
  ["parts in their order", { names: ["prod*mail*eu"] }, [1]],
  ["parts in another order", { names: ["prod*eu*mail"] }, []],
  ["a part that is there once and asked for twice", { names: ["*mail*mail*"] }, []],
  ["a beginning and an end that would overlap", { names: ["prod-ph*phone"] }, []],
  ["a beginning and an end that touch", { names: ["prod-*phone"] }, [2]],
  ["another beginning", { names: ["dev-*"] }, []],
  ["a type and a name: both", { types: ["SMS"], names: ["prod-*"] }, [2]],
])("of %s", (_, select, ids) => {
  expect(selected(select)).toEqual(ids);
});

test("a channel is known by each name that the rules give it", () => {
  const names = { "on-call": 3, oncall: "3", phone: 2 };
  expect(selected({ names: ["on-call"] }, names)).toEqual([3]);
  expect(selected({ names: ["onc*", "ph*"] }, names)).toEqual([2, 3]);
  expect(selected({ names: ["pager"] }, names)).toEqual([]);
});
