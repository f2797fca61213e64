/**
 * Follows a guide as a reader would, in a folder of its own: writes the files that it shows, runs its commands, and
 * holds what they print against what the guide says. In a guide
 *
 * - a block after `<!-- NAME -->`, where NAME is a file's, is that file;
 * - a block of `sh` is run line by line in one shell; with `<!-- fails -->` before it, its last line must fail;
 * - a block of `text` after it is among what it printed: these lines in this order, `…` standing for any others;
 * - a block of `console` is for the reader alone: it asks for input, runs for ever or reaches a real service;
 * - `<!-- event: NAME -->` is something that happens elsewhere, which the test brings about.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { engineEnvironment, prepareEngine } from "../../scripts/engine";
import { repository } from "../engine/stack";
import { Page, withoutIdsAndTimes } from "./markdown";

export interface Surroundings {
  /** Address of the sandbox, which guides call `http://127.0.0.1:4010`. */
  readonly url: string;
  /** What happens elsewhere, by name. Called with the reader's folder. */
  readonly events?: Readonly<Record<string, (folder: string) => unknown>>;
}

interface Step {
  readonly comment?: string;
  readonly language?: string;
  readonly text?: string;
}

const stepPattern = /<!-- (?<comment>.*?) -->|^```(?<language>\w+)\n(?<text>.*?)^```$/gms;

/**
 * The installed commands, as `npx` finds them, and `npm` without its registry. An `up` goes without its preview, which
 * would cost as much again: where a guide speaks of previews it has one of its own.
 */
const shell = (folder: string): string => `
set -eo pipefail
[ -f .env-of-guide ] && source .env-of-guide
npx() {
  case "$1 $2" in
    "monitoring "*) shift; node "${join(repository, "dist", "cli", "monitoring.js")}" "$@" ;;
    "pulumi up") "$@" --skip-preview ;;
    *) "$@" ;;
  esac
}
npm() { echo "npm $*"; }
export -f npx npm
trap 'export -p > "${folder}/.env-of-guide"' EXIT
`;

/** Follows a guide from its beginning to its end. */
export async function follow(name: string, { url, events = {} }: Surroundings): Promise<void> {
  const reader = await Reader.create(url);
  try {
    await reader.follow(new Page(name).text, events);
  } finally {
    reader.leave();
  }
}

/** Follows a guide that begins where the quick start has made a stack. */
export async function followWithStack(name: string, { url, events = {} }: Surroundings): Promise<void> {
  const [untilTheStack = "", ...rest] = new Page("docs/guides/quick-start.md").text.split(
    "See what would be",
  );
  expect(rest).toHaveLength(1);
  const reader = await Reader.create(url);
  try {
    await reader.follow(untilTheStack, {});
    await reader.follow(new Page(name).text, events);
  } finally {
    reader.leave();
  }
}

class Reader {
  readonly #folder: string;
  readonly #url: string;
  readonly #env: NodeJS.ProcessEnv;
  #printed = "";

  static async create(url: string): Promise<Reader> {
    const engine = await prepareEngine();
    // Types are checked elsewhere: doing it in each run costs seconds.
    const settings = { PULUMI_SKIP_CONFIRMATIONS: "true", PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    return new Reader(url, engineEnvironment(engine, settings));
  }

  private constructor(url: string, env: NodeJS.ProcessEnv) {
    const parent = join(repository, ".engine-tests");
    mkdirSync(parent, { recursive: true });
    this.#folder = mkdtempSync(join(parent, "guide-"));
    this.#url = url;
    this.#env = env;
  }

  async follow(guide: string, events: Readonly<Record<string, (folder: string) => unknown>>): Promise<void> {
    let comment = "";
    for (const { groups = {} } of guide.matchAll(stepPattern)) {
      const { comment: said, language, text = "" }: Step = groups;
      if (said?.startsWith("event: ") === true) {
        await eventIn(events, said.slice("event: ".length))(this.#folder);
      } else if (said !== undefined) {
        comment = said;
      } else {
        if (language === "sh" && !comment.includes(".")) await this.#run(text, comment === "fails");
        else if (language === "text") expectLines(text, this.#printed);
        else if (comment.includes(".")) this.#write(comment, text);
        comment = "";
      }
    }
  }

  leave(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(text: string, fails: boolean): Promise<void> {
    const { output, code } = await runIn(this.#folder, this.#here(text), this.#env);
    expect({ text, output, failed: code !== 0 }).toEqual({ text, output, failed: fails });
    this.#printed = output;
  }

  #write(file: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, file)), { recursive: true });
    writeFileSync(join(this.#folder, file), this.#here(text));
  }

  #here(text: string): string {
    return text.replaceAll("http://127.0.0.1:4010", this.#url);
  }
}

function eventIn<Event>(events: Readonly<Record<string, Event>>, name: string): Event {
  const event = events[name];
  if (!event) throw new Error(`The test knows no event "${name}".`);
  return event;
}

async function runIn(
  folder: string,
  script: string,
  env: NodeJS.ProcessEnv,
): Promise<{ output: string; code: number | null }> {
  const child = spawn("bash", ["-c", shell(folder) + script], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { output, code };
}

function expectLines(shown: string, output: string): void {
  let rest = withoutIdsAndTimes(output);
  const wanted = withoutIdsAndTimes(shown)
    .split(/\n|…/)
    .map((part) => part.trim());
  for (const part of wanted.filter((part) => part !== "")) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
}
