/** Formats a trace of the explorer as the example of `provider/protocol/README.md`: the user's actions, the commands and their results. */
import { inspect } from "node:util";
import * as protocol from "../../provider/protocol";
import { computeContentVersion, computeEntryKey } from "../../provider/protocol/identity";
import * as wording from "../../provider/wording";
import { onlyA } from "./configurations/programs";
import { type WorldStep } from "./engine";
import { createModel, takeSteps } from "./search";
import { type Configuration, type Running, type World } from "./world";

const config: Omit<Configuration, "name"> = { programs: [onlyA], bounds: { runs: 2, faults: 1 } };

/** The user's commands and the endings of the labels of failures. At any other step, the first possible event happens. */
const chosen = ["up {a: A}", "RESPONSE LOST", "reads without A (u1)", "stops searching", "up {a: A}"];

/** Returns the example. A response is lost, and the service shows the update late. */
export function transcript(): string {
  const model = {
    ...createModel({ name: "a transcript", ...config }),
    core: { ...protocol, ...wording, computeContentVersion, computeEntryKey },
  };
  const open = [...chosen];
  let isRunning = false;
  const steps = takeSteps(model, (all) => {
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
  return steps.flatMap((step) => ("world" in step ? formatStep(step) : [])).join("\n");
}

function formatStep(step: WorldStep): string[] {
  const { before, world, label } = step;
  const [was] = before.runs;
  if (!was) return ["", label];
  const { running } = was;
  const task = running && world.runs[0]?.running?.task;
  const newNotices = task?.notices.slice(running?.task.notices.length) ?? [];
  const lines = [
    ...(running ? formatResult(step, running) : [label.replace(/^\S+ starts$| \(.*/, "")]),
    ...newNotices.map(
      (notice) => `> ${task ? extractFirstSentence(wording.formatNotice(notice, task.declared)) : ""}`,
    ),
    ...(world.runs.length === 0 ? formatWorld(world, was.stack) : []),
  ];
  return lines.filter((line) => line !== "").map((line) => `  ${line}`);
}

/** Formats a command and its result. */
function formatResult({ before, world, label, event }: WorldStep, { urn, command, task }: Running): string[] {
  switch (command.kind) {
    case "read": {
      if (event?.kind !== "history") return [label];
      const late = / without (.*)/.exec(label)?.[1];
      const noteTexts = event.notes.map(formatNote);
      return [
        [
          `${label.replace(/ without .*/, "")}: ${event.shown.map(formatUpdate).join(", ") || "nothing"}`,
          ...(late === undefined ? [] : [`not yet ${late}`]),
          ...(noteTexts.length > 0 ? [`noted: ${noteTexts.join(", ")}`] : []),
        ].join("; "),
      ];
    }
    case "post": {
      const created = world.updates
        .slice(before.updates.length)
        .map((each) => `${formatUpdate(each)} is public`);
      const how = event?.kind === "posted" ? [] : ["NO RESPONSE"];
      return [`${label.split(", ", 1).join("")}: ${[...how, ...created].join(", ")}`];
    }
    case "finish":
      return formatTaskResult(command.result, urn, task);
    default:
      return [];
  }
}

function formatTaskResult(result: protocol.TaskResult, urn: string, { declared }: Running["task"]): string[] {
  const { kind, recorded } = result;
  const id = recorded?.kind === "posted" ? `, ${recorded.id}` : "";
  if (!("rejection" in result)) return [`${urn} is ${kind}${id}`];
  const { rejection } = result;
  const text = wording.formatRejection(rejection, declared);
  const problem = "problem" in rejection && rejection.problem !== undefined ? `${rejection.problem} ` : "";
  return [
    `${urn} is ${kind}, ${rejection.kind}: ${extractFirstSentence(text.slice(problem.length))}`,
    ...("codes" in rejection ? [`the code is ${rejection.codes.join(" ")}`] : []),
  ];
}

/** Formats the content of the page, the state and the notes after a run. */
function formatWorld({ updates, stacks, notes }: World, stack: string): string[] {
  const state = Object.entries(stacks[stack]?.state ?? {}).map(([urn, recorded]) =>
    recorded.kind === "posted" ? `${urn} has ${recorded.id}` : `${urn} sent ${recorded.declared.description}`,
  );
  return [
    `page: ${updates.map(formatUpdate).join(", ")}`,
    `state: ${state.join(", ")}`,
    ...Object.entries(notes).flatMap(([file, fileNotes]) =>
      fileNotes.length > 0
        ? [`notes of ${file.replace(/ .*/, "")}: ${fileNotes.map(formatNote).join(", ")}`]
        : [],
    ),
  ];
}

/** Formats a note. The text is always A, because the program declares only this text. */
function formatNote({ id, isReported }: protocol.NotedPost): string {
  return `A (${id ?? (isReported ? "unknown" : "sent")})`;
}

function formatUpdate(update: { id: string } & ({ description: string } | { text: string })): string {
  return `${"text" in update ? update.text : update.description} (${update.id})`;
}

/** Returns the first sentence of a message. Another snapshot contains the complete messages. */
function extractFirstSentence(text: string): string {
  const [sentence = text] = /^.*?[.:;](?= |$)/.exec(text.replace(/^IncidentUpdate[^:]*: /, "")) ?? [];
  return sentence.replace(/ at \d{4}-\S+Z/, "").replace(/[.:;]$/, "");
}
