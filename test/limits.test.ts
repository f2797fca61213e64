/** Tests the limits that guides state. Each sentence is built from its constant in the code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { historyLimit } from "../provider/api";
import { defaults } from "../provider/client/options";
import {
  maxDelayMs,
  maxPostMs,
  retentionMs,
  searchDelaysMs,
  settleMs,
  updateMs,
} from "../provider/publishing/time";

const inWords = ["no", "one", "two", "three", "four", "five", "six", "seven"];
const seconds = (ms: number): string => `${Math.round(ms / 1_000)}`;
const live = `${inWords[(maxPostMs + maxDelayMs) / 60_000]} minutes`;
const days: number = retentionMs / 86_400_000;
const kept = days === 1 ? "a day" : `${days} days`;
const looks = (within: number) => {
  let ms = 0;
  const count = searchDelaysMs.filter((delay) => (ms += delay) <= within).length;
  return {
    times: inWords[count + 1] ?? "",
    within: seconds(searchDelaysMs.slice(0, count).reduce((sum, delay) => sum + delay, 0)),
  };
};
const post = looks(Infinity);
const search = looks(settleMs);
const protocol = "provider/protocol/README.md";

it.each([
  [
    "docs/guides/interrupted-runs.md",
    `waits for the response to the request in progress, for up to ${seconds(updateMs)} seconds`,
  ],
  ["docs/guides/interrupted-runs.md", `isn't found within ${search.within} seconds`],
  [
    "docs/reference/MonitoringClient.md",
    `One attempt takes at most ${seconds(defaults.timeoutMs)} s (\`timeoutMs\`)`,
  ],
  [
    "docs/reference/MonitoringClient.md",
    `with its retries and waits ${seconds(defaults.deadlineMs)} s (\`deadlineMs\`)`,
  ],
  ["docs/guides/exactly-once.md", `After ${post.within} seconds without it, the run fails`],
  ["docs/guides/exactly-once.md", `**${historyLimit} updates on an incident.**`],
  [
    "docs/guides/interrupted-runs.md",
    `at most ${seconds(updateMs)} seconds, or ${seconds(updateMs + settleMs)} if a previous run`,
  ],
  ["docs/guides/interrupted-runs.md", `up to ${live} longer after a killed run`],
  ["docs/guides/interrupted-runs.md", `Wait ${live} after the run was killed`],
  ["docs/guides/exactly-once.md", `Wait ${live} after a killed run`],
  ["docs/guides/plugin.md", `an \`IncidentUpdate\` takes at most ${seconds(updateMs)} s`],
  ["sdk/Provider.ts", `otherwise ${defaults.timeoutMs.toLocaleString("en")}.`],
  ["sdk/Provider.ts", `otherwise ${defaults.deadlineMs.toLocaleString("en")}.`],
  ["sdk/Provider.ts", `otherwise \`${defaults.accountHeader}\``],
  [protocol, `a run waits, at most ${live} after the post`],
  [protocol, `waits for a killed run's update for ${live}, and recognizes it for ${kept}`],
  [protocol, `returns at most ${historyLimit} updates, so a history of ${historyLimit} may be cut`],
  [
    protocol,
    `${post.times} times within ${post.within} seconds, and ${search.times} times within ${search.within} seconds in the`,
  ],
  [
    protocol,
    `A run waits for a killed run's update for ${live}. For ${kept}, the note identifies that update, so that a correction is an edit or is rejected.`,
  ],
])("%s: %s", (page, sentence) => {
  const text = readFileSync(join(__dirname, "..", page), "utf8").replace(/\s+(\* )?/g, " ");
  expect(text).toContain(sentence);
});
