/** The rules in the terminal: all of them, and the page of one. */
import { z } from "zod";
import { presets } from "../../audit";
import { didYouMean } from "../../provider/texts/didYouMean";
import { documentedRules } from "../../audit/documentedRules";
import { metaRules } from "../../audit/rules";
import type { Rule, RuleText } from "../../audit/definition/rule";
import type { Severity } from "../../audit/definition/severity";
import { rulePage } from "../../audit/definition/rulePage";
import { UsageError } from "../command/command";

interface Explained extends RuleText {
  readonly severity: Severity;
  readonly options?: Rule["options"];
}

const documented: readonly Explained[] = documentedRules;

/** One line for each rule. */
export function ruleList(): string {
  const width = Math.max(...documented.map(({ id }) => id.length));
  const lines = documented.map(
    ({ id, title, severity }) =>
      `${id.padEnd(width)}  ${severity.padEnd(7)}  ${presetsWith(id).padEnd(19)}  ${title}\n`,
  );
  return `${lines.join("")}\n\`monitoring audit --explain RULE\` explains one.\n`;
}

function presetsWith(id: string): string {
  if (metaRules.some((rule) => rule.id === id)) return "always";
  const names = Object.entries(presets).flatMap(([name, { rules }]) => (rules.includes(id) ? [name] : []));
  return names.join(", ") || "in no preset";
}

/**
 * The page of a rule.
 *
 * @param others Rules of the rule file.
 * @throws UsageError when there is no such rule
 */
/** @param own The rules of the rule file, which may have mistakes: a built-in rule is explained without it. */
export function explanationOf(id: string, own: () => readonly Explained[]): string {
  const rules = documented.some((one) => one.id === id) ? documented : [...documented, ...own()];
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined)
    throw new UsageError(
      `There is no rule ${id}${didYouMean(
        id,
        rules.map((one) => one.id),
      )}.`,
    );
  const { title, why, fix, asCode, offWhen, severity, options } = rule;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ["Cost of ignoring it", why],
    ["Fix in the service", fix],
    ["Fix as code", asCode],
    ["When to turn it off", offWhen],
    ["Severity", `${severity} by default; ${presetsWith(id)}`],
    ["Options", options && optionList(options)],
    ["Documentation", rulePage(id)],
  ];
  const shown = parts.flatMap(([name, text]) => (text ? `${name}:\n${wrapped(text)}` : []));
  return `${[`${id}: ${title}.`, ...shown].join("\n\n")}\n`;
}

function optionList(options: Rule["options"]): string {
  if (!(options instanceof z.ZodObject)) return "";
  return Object.entries(options.shape)
    .map(([name, schema]) => `${name}: ${schema instanceof z.ZodType ? (schema.description ?? "") : ""}`)
    .join("\n");
}

const lineWidth = 96;

function wrapped(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const lines = [""];
      for (const word of line.split(" ")) {
        const last = lines.pop() ?? "";
        if (last !== "" && last.length + word.length >= lineWidth) lines.push(last, word);
        else lines.push(last === "" ? word : `${last} ${word}`);
      }
      return lines.map((one) => `  ${one}`).join("\n");
    })
    .join("\n");
}
