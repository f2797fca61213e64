/** What an editor shows of a field: its doc comment, however its type was derived. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repository } from "../engine/stack";

/** Each marked name is hovered over. */
const program = `
import * as sdk from "./index";
import * as native from "./native";
import type * as audit from "./audit";
declare const found: sdk.GetStatusPageResult;
declare const args: sdk.StatusPageArgs;
declare const served: native.AlertChannel;
declare const declared: sdk.IncidentUpdateArgs;
declare const sought: sdk.GetStatusPageArgs;
declare const waiver: audit.Waiver;
void [found.redirectTo, found.incidents[0]?.severity, args.statusPageId, served.sslExpiry];
void [declared.onChange, sought.url, waiver.owner];
`;

const file = join(repository, "sdk", "hovers.ts");
// Other packages have no part in it, and would take most of the time.
const isRead = (name: string) => !/node_modules\/(?!zod)/.test(name);
const host: ts.LanguageServiceHost = {
  getCompilationSettings: () => ({
    strict: true,
    lib: ["lib.es5.d.ts"],
    types: [],
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }),
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) =>
    ts.ScriptSnapshot.fromString(name === file ? program : readFileSync(name, "utf8")),
  getCurrentDirectory: () => repository,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === file || (isRead(name) && ts.sys.fileExists(name)),
  readFile: (name) => ts.sys.readFile(name),
  directoryExists: (name) => isRead(name) && ts.sys.directoryExists(name),
};
const service = ts.createLanguageService(host);

test.each([
  ["found.redirectTo", "Target of the link on the logo."],
  ["?.severity", "Severity."],
  ["args.statusPageId", "Id of the page. A change replaces the resource."],
  ["served.sslExpiry", "Whether expiring certificates are reported."],
  ["declared.onChange", "Whether changed content is posted as a new update or rejected. Default: `post`."],
  ["sought.url", "Slug of the page, such as `acme-status`."],
  ["waiver.owner", "The person or team who is responsible for it."],
])("an editor that shows %s says: %s", (expression, comment) => {
  const end = program.indexOf(expression) + expression.length - 1;
  const hover = service.getQuickInfoAtPosition(file, end);
  expect(ts.displayPartsToString(hover?.documentation)).toBe(comment);
});
