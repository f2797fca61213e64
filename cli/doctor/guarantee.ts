/** Which rows of the guarantee hold for a service, from what it did with ids. */
import type { IdTest } from "./idTest";

const once =
  "A declared update exists once, also with two machines, two stacks, killed runs, renames, and more than 100 updates on an incident.";
const limited =
  "A declared update exists once, with the limitations of a service that ignores ids: a killed run, then another machine; two stacks " +
  "on two machines; more than 100 updates on an incident; two addresses of one service.";
const page = 'They are under "Limitations" in docs/guides/exactly-once.md.';

/** Sentences for users. */
export function guaranteeOf(test: IdTest): string[] {
  if (test.ids === "used" && test.second?.result !== "created another") return [once, ...inDoubt(test)];
  return [`${limited} ${page}`, ...whyLimited(test), ...waits(test)];
}

/** Such a response to a second post is also that of a service that rejects ids. */
function inDoubt({ second }: IdTest): string[] {
  if (second?.httpStatus !== 400 && second?.httpStatus !== 422) return [];
  return [
    `HTTP ${second.httpStatus} to a second post reads as a service that rejects ids: keep \`monitoring:clientIds\`, whatever the message ` +
      "of a run suggests, until you have looked at the public page.",
  ];
}

function whyLimited({ ids, second }: IdTest): string[] {
  if (ids === "rejected") return ["Set `monitoring:clientIds` to `false`: otherwise every post fails."];
  if (ids === "used" && second?.result === "created another")
    return ["The service creates several updates with one id, so ids prevent nothing."];
  return [];
}

function waits({ shownMs, hiddenMs = 0 }: IdTest): string[] {
  if (shownMs === undefined)
    return [
      "Reads lack an update for more than a minute: a run whose response is lost fails, and records it as unconfirmed.",
    ];
  if (hiddenMs < 1_000) return [];
  const seconds = Math.ceil(shownMs / 1_000);
  return [
    `Reads lack a new update for up to ${seconds} s: wait longer after a killed run, before another machine runs.`,
  ];
}
