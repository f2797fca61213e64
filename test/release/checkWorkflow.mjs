// Prints the problems that GitHub's own parser finds in workflows, as a JSON list. The parser is an ES module, which Jest can't load.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { basename } from "node:path";
import { argv, stdout } from "node:process";

// The parser imports JSON without the import attribute that Node requires.
const hook = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);`;

/** @param {string[]} files */
async function check(files) {
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
    await import("@actions/workflow-parser");
  const mistakes = [];
  for (const file of files) {
    const source = { name: basename(file), content: readFileSync(file, "utf8") };
    const { context, value } = parseWorkflow(source, new NoOperationTraceWriter());
    if (value) await convertWorkflowTemplate(context, value);
    mistakes.push(...context.errors.getErrors().map(({ message }) => `${source.name}: ${message}`));
  }
  stdout.write(JSON.stringify(mistakes));
}

void check(argv.slice(2));
