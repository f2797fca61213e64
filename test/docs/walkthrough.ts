/**
 * Follows a guide or an example's README as a reader would, in a separate folder: writes the files that it shows, runs its commands, and
 * compares their output with the page. On a page,
 *
 * - a block after `<!-- NAME -->`, where NAME is a file name, is the content of that file;
 * - a block of `sh` is run line by line in one shell; after `<!-- fails -->`, its last line must fail;
 * - a block of `text` contains lines that the commands before it print, in this order; `…` stands for any other lines;
 * - a block of `console` isn't run, because it requires input, runs indefinitely or reaches a real service;
 * - the code cf3a1c20 stands for the code that a command has printed for the reader;
 * - `<!-- event: NAME -->` is an event outside the guide, which the test causes.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { engineEnvironment, prepareEngine } from "../../tools/setup/engine";
import { run } from "../../tools/setup/run";
import { Clock } from "../driver/clock";
import { repository } from "../engine/stack";
import { installPacked } from "../release/unpackedPackage";
import { temporaryFolder } from "../temporaryFolder";
import { Page, withoutIdsAndTimes } from "./markdown";

export interface Surroundings {
  /** The sandbox's URL, which replaces `http://127.0.0.1:4010` on pages. */
  readonly url: string;
  /** External events by name. Called with the reader's folder. */
  readonly events?: Readonly<Record<string, (folder: string) => unknown>>;
  /** Text that replaces text on the page, such as the address of a server. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Environment variables for the reader's commands. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Step {
  readonly comment?: string;
  readonly language?: string;
  readonly text?: string;
}

const stepPattern = /<!-- (?<comment>.*?) -->|^```(?<language>\w+)\n(?<text>.*?)^```$/gms;

/**
 * Makes the commands of the installed packages available, as `npx` finds them. `npm`, which `pulumi new` also runs, does nothing, because
 * the packed package is already in the reader's folder. No registry is used.
 */
const shell = `
set -eo pipefail
export PATH="$FOLDER_OF_READER/.bin-of-reader:$PATH"
[ -f .env-of-reader ] && source .env-of-reader
npx() {
  case "$*" in
    "--no monitoring "*)
      shift 2; node "$FOLDER_OF_READER/node_modules/pulumi-monitoring-service/dist/cli/monitoring.js" "$@" ;;
    "pulumi up"*) "$@" $UP_OPTIONS ;;
    *" --preview-only"*) PULUMI_SKIP_CONFIRMATIONS=false "$@" ;;
    *) PATH="$PATH:${join(repository, "node_modules", ".bin")}" "$@" ;;
  esac
}
export -f npx
trap 'unset NODE_OPTIONS REPLAY_CLOCK; export -p > "$FOLDER_OF_READER/.env-of-reader"' EXIT
`;

/**
 * Matches a preview's line about an update. If the output contains one, `up` runs with its preview. Otherwise it runs without, which
 * takes half as long.
 */
const ofPreview = /^ *IncidentUpdate "\S+"(?: \(\d+ of \d+\))? (?:posts|adopts|replaces) /m;

type Language = "TypeScript" | "Python" | "YAML";

const quickStartPage = () => new Page("docs/guides/quick-start.md");

/** Makes the quick start's values the defaults of a template's prompts, because no user can enter them. */
function answerQuestions(template: string, url: string): void {
  const file = join(template, "Pulumi.yaml");
  const project = parseDocument(readFileSync(file, "utf8"));
  const answers = quickStartPage().text.replaceAll("http://127.0.0.1:4010", url);
  for (const [, key, answer] of answers.matchAll(/^- .*\(`(monitoring:\w+)`\).*: `(.*)`$/gm))
    project.setIn(["template", "config", key, "default"], answer);
  writeFileSync(file, String(project));
}

/** Follows the quick start in one language. */
export function followQuickStart(language: Language, surroundings: Surroundings): Promise<void> {
  return readInFolder(surroundings, (reader) => reader.follow(quickStart(language)));
}

/**
 * Returns the quick start in one language. The TypeScript version ends before the sections on other languages, which continue with its
 * preview.
 */
function quickStart(language: Language): string {
  const [typescript = "", ...others] = quickStartPage().text.split(/^(?=## In )/m);
  if (language === "TypeScript") return typescript;
  const [, fromPreviewOn = ""] = typescript.split(/^(?=## Preview and publish$)/m);
  const section = others.find((each) => each.startsWith(`## In ${language}\n`));
  if (section === undefined || fromPreviewOn === "") throw new Error(`The quick start isn't in ${language}.`);
  return section + fromPreviewOn;
}

/** Follows a guide that starts with the stack of the quick start. */
export function followGuideWithStack(name: string, surroundings: Surroundings): Promise<void> {
  const [untilTheStack = "", ...rest] = quickStart("TypeScript").split("See what would be");
  expect(rest).toHaveLength(1);
  return readInFolder(surroundings, async (reader) => {
    await reader.follow(untilTheStack);
    await reader.follow(new Page(name).text);
  });
}

/** Follows an example's README in a copy of the example. examples.test.ts tests that a second `up` changes nothing. */
export function followExample(name: string, surroundings: Surroundings): Promise<void> {
  const [enter, ...setUp] = new Page("examples/README.md").blockAfter("In another terminal").split("\n");
  expect(enter).toMatch(/^cd examples\//);
  return readInFolder(surroundings, async (reader) => {
    reader.copy(join("examples", name));
    const project = readFileSync(join(repository, "examples", name, "Pulumi.yaml"), "utf8");
    // The README describes this change for a copy.
    reader.write(
      "Pulumi.yaml",
      project.replace("../../plugin", "node_modules/pulumi-monitoring-service/plugin"),
    );
    await reader.run(setUp.join("\n"));
    const { text } = new Page(`examples/${name}/README.md`);
    await reader.follow(
      text.replaceAll("../../sdks/", "node_modules/pulumi-monitoring-service/plugin/sdks/"),
    );
  });
}

/** Follows the README of an example without a stack, in a copy of the example. */
export function followExampleWithoutStack(name: string, surroundings: Surroundings): Promise<void> {
  return readInFolder(surroundings, async (reader) => {
    reader.copy(join("examples", name));
    await reader.follow(new Page(`examples/${name}/README.md`).text);
  });
}

/** Runs the README's commands for the quick start, which are for a clone, in a copy of the files that they use. */
export function followReadme(surroundings: Surroundings): Promise<void> {
  return readInFolder(surroundings, async (reader) => {
    for (const part of ["Pulumi.yaml", "examples/quickstart"]) reader.copy(part, part);
    await reader.run(new Page("README.md").blockAfter("In another terminal"));
  });
}

/** Creates a project from a template in a new folder, as the README does, and runs it. */
export function followTemplate(
  surroundings: Surroundings,
  ran: string,
  template = "template",
): Promise<void> {
  return readInFolder(surroundings, async (reader) => {
    const commands = new Page("README.md").blockAfter("In the new folder");
    await reader.run(commands.replace("/template ", `/${template} `));
    await reader.follow(ran);
  });
}

async function readInFolder(
  surroundings: Surroundings,
  read: (reader: Reader) => Promise<void>,
): Promise<void> {
  const folder = join(temporaryFolder(), "status");
  installPacked(folder);
  for (const template of ["template", "template-python", "template-yaml"])
    answerQuestions(join(folder, "node_modules", "pulumi-monitoring-service", template), surroundings.url);
  mkdirSync(join(folder, ".bin-of-reader"));
  writeFileSync(join(folder, ".bin-of-reader", "npm"), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  const env = engineEnvironment(await prepareEngine(), {
    PULUMI_SKIP_CONFIRMATIONS: "true",
    // The types are checked elsewhere, because checking them in each run would take seconds.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    FOLDER_OF_READER: folder,
    // The reader doesn't use a code host's job, whose commit a comment would mention.
    GITHUB_ACTIONS: "",
    GITLAB_CI: "",
    GIT_COMMIT: "",
    // A separate folder is required, because the default folder may contain records of other services that used the same port.
    PULUMI_HOME: join(folder, ".home-of-reader"),
    ...surroundings.env,
  });
  await read(new Reader(folder, surroundings, env));
}

/** The value of `monitoring:resend` that pages show. */
const shownCode = "cf3a1c20";

class Reader {
  readonly #folder: string;
  readonly #surroundings: Surroundings;
  readonly #env: NodeJS.ProcessEnv;
  #printed = "";
  #code = shownCode;

  constructor(folder: string, surroundings: Surroundings, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#surroundings = surroundings;
    this.#env = env;
  }

  async follow(page: string): Promise<void> {
    let comment = "";
    const steps = [...page.matchAll(stepPattern)].map(({ groups = {} }): Step => groups);
    for (const [index, { comment: said, language, text = "" }] of steps.entries()) {
      if (said?.startsWith("event: ") === true) {
        await this.#bringAbout(said.slice("event: ".length));
      } else if (said !== undefined) {
        comment = said;
      } else {
        if (language === "sh" && !comment.includes(".")) {
          const upOptions = ofPreview.test(steps[index + 1]?.text ?? "") ? "" : "--skip-preview";
          await this.run(`export UP_OPTIONS=${upOptions}\n${text}`, comment === "fails");
        } else if (language === "text") expectLines(text.replaceAll(shownCode, this.#code), this.#printed);
        else if (comment.includes(".")) this.write(comment, text);
        comment = "";
      }
    }
  }

  async run(text: string, fails = false): Promise<void> {
    const options = { cwd: this.#folder, env: { ...this.#env, ...this.#later(text) } };
    const { ok, output } = await run("bash", ["-c", shell + this.#here(text)], options);
    expect({ text, output, failed: !ok }).toEqual({ text, output, failed: fails });
    this.#printed = output;
    this.#code = /monitoring:resend ([0-9a-f]{8})/.exec(output)?.[1] ?? this.#code;
  }

  /**
   * Sets the clock forward, because a reader checks the page before setting a resend code, and a run would wait until the code takes
   * effect.
   */
  #later(text: string): NodeJS.ProcessEnv {
    if (!text.includes("monitoring:resend")) return {};
    const clock = new Clock(mkdtempSync(join(this.#folder, ".clock-")));
    clock.skip(120_000);
    return clock.env;
  }

  /** Copies a file or folder of the repository to a place in the reader's folder, or into the folder itself. */
  copy(from: string, to = ""): void {
    cpSync(join(repository, from), join(this.#folder, to), { recursive: true });
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, file)), { recursive: true });
    writeFileSync(join(this.#folder, file), this.#here(text));
  }

  async #bringAbout(name: string): Promise<void> {
    const event = this.#surroundings.events?.[name];
    if (!event) throw new Error(`The test knows no event "${name}".`);
    await event(this.#folder);
  }

  #here(text: string): string {
    const { url, replaced = {} } = this.#surroundings;
    const all = Object.entries({ "http://127.0.0.1:4010": url, [shownCode]: this.#code, ...replaced });
    return all.reduce((changed, [shown, actual]) => changed.replaceAll(shown, actual), text);
  }
}

/** Expects the lines in this order, regardless of the widths of columns. */
function expectLines(shown: string, output: string): void {
  let rest = squeezed(withoutIdsAndTimes(output));
  const wanted = squeezed(withoutIdsAndTimes(shown))
    .split(/\n|…/)
    .map((part) => part.trim());
  for (const part of wanted.filter((part) => part !== "")) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
}

function squeezed(text: string): string {
  return text.replace(/[^\S\n]+/g, " ");
}
