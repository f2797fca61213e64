/** Which channels an audit reads, and what it says of those that it can't read. */
import { readRules } from "../../audit";
import { auditPlanned, planAudit } from "../../audit/sources";
import { clientOf, send, serve } from "../client/services";
import { silence } from "./channels";

const rules = readRules(silence);
const unlisted = () => Promise.resolve(undefined);
const ids = Array.from({ length: 40 }, (_, index) => index + 1);

async function readWhere(firstStatus: number) {
  const service = await serve((response, { url }) => {
    const id = Number(url.split("/").at(-1));
    send(response, { id, type: "EMAIL", config: {} }, id === 1 ? firstStatus : 200);
  });
  const { client } = clientOf(service, { maxAttempts: 1 });
  const connection = { client, origin: { host: "service.example", path: "/" } };
  const list = () => Promise.resolve([]);
  const plan = await planAudit({ channels: ids }, rules, {}, unlisted);
  const { notEvaluable } = await auditPlanned(plan, { connection, list });
  const unread = notEvaluable.filter(({ rule }) => rule === "channel-read");
  return { reasons: unread.map(({ reason }) => reason), requests: service.requests.length };
}

test("a channel that can't be read doesn't affect the others", async () => {
  const { reasons, requests } = await readWhere(403);
  expect(reasons).toEqual([expect.stringContaining(`getAlertChannel 1: `)]);
  expect(requests).toBe(ids.length);
});

test("after a rejected key, no further channel is tried", async () => {
  const { reasons, requests } = await readWhere(401);
  expect(requests).toBeLessThan(ids.length);
  expect(new Set(reasons.map((reason) => reason.slice(0, 45))).size).toBe(1);
});

test.each([
  [0, "is neither an id nor a name; no channel has a name"],
  [2, "is neither an id nor a name; names are n1, n2"],
  [10, "is neither an id nor a name; names are n1, n2, n3, n4, n5, n6, n7, n8, n9, n10"],
  [12, "is neither an id nor a name; names are n1, n2, n3, n4, n5, n6, n7, n8, n9, n10 and 2 more"],
])("of %i names, a wrong one gets those that fit in a message", async (count, reason) => {
  const names = Object.fromEntries(ids.slice(0, count).map((id) => [`n${id}`, id]));
  const { unknown } = await planAudit({ channels: [7, "n1", "elsewhere"] }, rules, names, unlisted);
  expect(unknown.at(-1)).toEqual({ requested: "elsewhere", reason });
});
