/** Writes down a conversation in the explorer's world: what the user does, what the protocol asks for, and what becomes of that. */
import { inspect } from "node:util";
import * as protocol from "../../provider/protocol";
import * as wording from "../../provider/wording";
import { onlyA, onlyB, timeline } from "./configurations/programs";
import { type WorldStep } from "./engine";
import { modelOf, stepsBy } from "./search";
import { type Configuration, type Running, type World } from "./world";

const changes = { after: [0] };

type Conversation = [config: Omit<Configuration, "name">, chosen: readonly string[]];

/**
 * `chosen`: in their order, what the user does, and the ends of the explorer's words for what goes wrong. Otherwise, the first thing
 * happens that may. The protocol's page shows the first conversation.
 */
export const conversations: Readonly<Record<string, Conversation>> = {
  "A lost response: the update is public, and the next run finds it.": [
    { programs: [onlyA], bounds: { runs: 2, faults: 1 } },
    ["up {a: A}", "RESPONSE LOST", "reads without A (u1)", "stops searching", "up {a: A}"],
  ],
  "A kill: the note of the post says that an update may appear, and the next run waits for it.": [
    { programs: [onlyA], bounds: { runs: 2, kills: 1 } },
    ["up {a: A}", ", KILLED", "up {a: A}", "reads without A (u1)"],
  ],
  "A kill after a lost post was found: its note has the id, so that the next run doesn't take the second post for the lost one.":
    [
      {
        programs: [onlyA, onlyB, { entries: { a: { text: "A", occurrence: 2 } } }],
        bounds: { runs: 4, edits: 3, faults: 1, kills: 1 },
      },
      [
        "up {a: A}",
        "RESPONSE LOST",
        "reads without A (u1)",
        "stops searching",
        "up {a: B}",
        "reads without A (u1)",
        "stops searching",
        "up {a: A occurrence 2}",
        ", KILLED",
        "up {a: A occurrence 2}",
        "reads without A (u1)",
      ],
    ],
  "A to B to A: the old A is not adopted, and a second one is posted only as the second occurrence.": [
    {
      programs: [onlyA, onlyB, { entries: { a: { text: "A", occurrence: 2 } } }],
      bounds: { runs: 4, edits: 3 },
    },
    ["up {a: A}", "up {a: B}", "up {a: A}", "up {a: A occurrence 2}"],
  ],
  "A late timeline: a later entry that was sent may appear, so an entry before it is not posted.": [
    {
      programs: [timeline("AB"), { ...timeline("ACB"), ...changes }],
      bounds: { runs: 2, edits: 1, kills: 1 },
    },
    [
      "up in order {t1: A occurrence 1 refuse, t2: B occurrence 1 refuse}",
      "t1 is recorded",
      ", KILLED",
      "up in order {t1: A occurrence 1 refuse, t2: C occurrence 1 refuse, t3: B occurrence 1 refuse}",
      "reads without B (u2)",
    ],
  ],
};

export function transcriptOf(...[config, chosen]: Conversation): string {
  const model = { ...modelOf({ name: "a transcript", ...config }), core: { ...protocol, ...wording } };
  const open = [...chosen];
  let isRunning = false;
  const steps = stepsBy(model, (all) => {
    const [wanted] = open;
    const next = all.find(({ label }) =>
      isRunning ? wanted !== undefined && label.endsWith(wanted) : label === wanted,
    );
    if (!next && !isRunning && wanted !== undefined)
      throw new Error(`${wanted} can't happen, but ${inspect(all.map(({ label }) => label))}`);
    if (next) open.shift();
    const taken = next ?? (isRunning ? all[0] : undefined);
    isRunning = (taken?.world.runs.length ?? 0) > 0;
    return taken;
  });
  return steps.flatMap((step) => ("world" in step ? linesOf(step) : [])).join("\n");
}

function linesOf(step: WorldStep): string[] {
  const { before, world, label, model } = step;
  const [was] = before.runs;
  if (!was) return ["", label];
  const { running } = was;
  const task = running && world.runs[0]?.running?.task;
  const told = task?.remarks.slice(running?.task.remarks.length) ?? [];
  const lines = [
    ...(running ? said(step, running) : [label.replace(/^\S+ begins$| \(.*/, "")]),
    ...told.map((notice) => `> ${task ? firstSentence(wording.noticeText(notice, task.declared)) : ""}`),
    ...(world.runs.length === 0 ? known(world, model.config, was.stack) : []),
  ];
  return lines.filter((line) => line !== "").map((line) => `  ${line}`);
}

/** A command, and what becomes of it. */
function said({ before, world, label, event, model }: WorldStep, { urn, command, task }: Running): string[] {
  const isKilled = label.includes("KILLED");
  switch (command.do) {
    case "listen":
      return [];
    case "read":
      if (event?.on !== "history") return [label];
      return [
        `${label.replace(/ without .*/, "")}: ${shownBy(event, / without (.*)/.exec(label)?.[1], model.config)}`,
      ];
    case "readUpdate":
      return [label];
    case "post": {
      const [what, ...result] = label.split(", ");
      const created = world.updates
        .slice(before.updates.length)
        .map((update) => `${nameOf(update)} is public`);
      const how = isKilled ? ["KILLED"] : event?.on === "posted" ? [] : ["NO RESPONSE"];
      return [`${what}: ${(created.length > 0 ? [...how, ...created] : result).join(", ")}`];
    }
    case "edit":
      return [label];
    case "finish":
      return isKilled ? [label] : ended(command.ending, urn, task);
  }
}

function ended(ending: protocol.Ending, urn: string, { declared }: Running["task"]): string[] {
  const { kind, recorded } = ending;
  const id = recorded?.kind === "posted" ? `, ${shortOf(recorded.id)}` : "";
  if (!("refusal" in ending)) return [`${urn} is ${kind}${id}`];
  const { refusal } = ending;
  const text = wording.refusalText(refusal, declared);
  const problem = "problem" in refusal && refusal.problem !== undefined ? `${refusal.problem} ` : "";
  const { codes, others = [] } = "codes" in refusal ? refusal : { codes: [] };
  return [
    `${urn} is ${kind}, ${refusal.why}: ${firstSentence(text.slice(problem.length))}`,
    ...others.map(({ id }) => `${shortOf(id)} is another one`),
    ...(codes.length > 0 ? [`the code is ${codes.join(" ")}`] : []),
  ];
}

type History = Extract<NonNullable<WorldStep["event"]>, { on: "history" }>;

function shownBy({ shown, noted }: History, late: string | undefined, config: Programs): string {
  const names = shown.map(nameOf).reverse();
  const all = names.length < 10 ? names : [`${names.length} updates`, ...names.slice(-1)];
  return [
    all.join(", ") || "nothing",
    ...(late === undefined ? [] : [`not yet ${late}`]),
    ...(noted.length > 0 ? [`noted: ${noted.map((note) => notedName(note, config)).join(", ")}`] : []),
  ].join("; ");
}

type Programs = Pick<Configuration, "programs">;

/** What the page, the state and the notes have after a run. */
function known({ updates, stacks, notes }: World, config: Programs, stack: string): string[] {
  const newer = updates.filter(({ order }) => order > 0).map(nameOf);
  const older = updates.length - newer.length;
  const state = Object.entries(stacks[stack]?.state ?? {}).map(([urn, recorded]) =>
    recorded.kind === "posted"
      ? `${urn} has ${shortOf(recorded.id)}`
      : `${urn} sent ${recorded.declared.description}`,
  );
  const noted = Object.entries(notes)
    .filter(([, all]) => all.length > 0)
    .map(
      ([file, all]) => `${file.replace(/ .*/, "")}: ${all.map((note) => notedName(note, config)).join(", ")}`,
    );
  return [
    `page: ${[...(older > 0 ? [`${older} older updates`] : []), ...newer].join(", ") || "nothing"}`,
    `state: ${state.join(", ") || "nothing"}`,
    ...noted.map((each) => `notes of ${each}`),
  ];
}

function notedName({ words, id, isReported }: protocol.NotedPost, { programs }: Programs): string {
  const texts = programs.flatMap(({ entries }) => Object.values(entries).map(({ text }) => text));
  const text = texts.find(
    (each) => protocol.worded({ status: "INVESTIGATING", description: each }).words === words,
  );
  const what = id === undefined ? (isReported ? "unknown" : "sent") : shortOf(id);
  return `${text ?? "other words"} (${what})`;
}

function nameOf(update: { id: string } & ({ description: string } | { text: string })): string {
  return `${"text" in update ? update.text : update.description} (${shortOf(update.id)})`;
}

function shortOf(id: string): string {
  return id.slice(0, 8);
}

/** The texts have a snapshot of their own. */
function firstSentence(text: string): string {
  const [sentence = text] = /^.*?[.:;](?= |$)/.exec(text.replace(/^IncidentUpdate[^:]*: /, "")) ?? [];
  return sentence.replace(/ at \d{4}-\S+Z/, "").replace(/[.:;]$/, "");
}
