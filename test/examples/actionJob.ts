/** A job of GitHub that runs the steps of an action or a workflow, in order, with a local server in place of the host. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Sandbox } from "../../sandbox";
import { repository } from "../engine/stack";
import { Checkout, type Ended, type Step } from "./checkout";
import { type CodeHost, sha } from "./codeHost";

export interface Action {
  readonly file: string;
  readonly folder: string;
  readonly inputs: Readonly<Record<string, { readonly default: string; readonly description: string }>>;
  readonly steps: readonly Step[];
}

/** The only job of a workflow, whose steps are as those of an action without inputs. */
export function jobIn(file: string): Action {
  const { jobs } = parse(readFileSync(file, "utf8")) as { jobs: Record<string, Pick<Action, "steps">> };
  const [job] = Object.values(jobs);
  return { file, folder: "", inputs: {}, steps: job?.steps ?? [] };
}

export function actionOf(name: string): Action {
  const folder = join(repository, ".github/actions", name);
  const file = join(folder, "action.yml");
  const { inputs, runs } = parse(readFileSync(file, "utf8")) as {
    inputs: Action["inputs"];
    runs: { steps: Step[] };
  };
  return { file, folder, inputs, steps: runs.steps };
}

/** What started a job, and the repository of the pull request, which is missing if its fork was deleted. */
export interface Source {
  readonly event?: string;
  readonly head?: string;
  readonly actor?: string;
  /** The stack in PULUMI_STACK of the workflow. */
  readonly stack?: string;
}

export class ActionJob extends Checkout {
  readonly #action: Action;
  readonly #host: CodeHost;
  /** More values of expressions, such as `inputs.base-url || env.MONITORING_BASE_URL`. */
  settings: Readonly<Record<string, string>> = {};

  constructor(action: Action, host: CodeHost, sandbox: Sandbox, files: string) {
    super(sandbox, files);
    this.#action = action;
    this.#host = host;
    mkdirSync(this.path("node_modules/pulumi-monitoring-service"), { recursive: true });
    // Of a registry: the command that is installed is the packed one.
    this.program(
      "bin/npm",
      'printf "%s\\n" "$*" "key: $MONITORING_API_KEY" > npm.log\nbin="$RUNNER_TEMP/monitoring/node_modules/.bin"\n' +
        'mkdir -p "$bin"\nln -sf "$PWD/installed" "$bin/monitoring"',
    );
  }

  /** Runs the steps that GitHub would run. */
  async do(given: Readonly<Record<string, string>> = {}, source: Source = {}): Promise<Ended> {
    let [code, output]: [unknown, string] = [0, ""];
    for (const step of this.#action.steps) {
      if (step.run === undefined || !this.#runs(step, given, code === 0)) continue;
      const ended = await this.#step(step, given, source);
      output += ended.output;
      if (ended.code !== 0) code = ended.code;
    }
    return { code, output };
  }

  /** Of `if`, what these steps use. */
  #runs({ if: condition = "" }: Step, given: Readonly<Record<string, string>>, isWell: boolean): boolean {
    const terms = condition
      .replace(/^\$\{\{ (.*) \}\}$/, "$1")
      .split(" && ")
      .filter((term) => term !== "");
    const isAlways = /^(always|!cancelled)\(\)$/.test(terms[0] ?? "");
    return (
      (isWell || isAlways) &&
      terms.slice(isAlways ? 1 : 0).every((term) => {
        const [, expression = "", equality, value] = /^(\S+) ([!=]=) '(.*)'$/.exec(term) ?? [];
        if (equality === undefined) throw new Error(`a term of a condition isn't known: ${term}`);
        return (this.#valueOf(expression, given) === value) === (equality === "==");
      })
    );
  }

  #valueOf(expression: string, given: Readonly<Record<string, string>>): string {
    const [, input] = /^inputs\.(.*)$/.exec(expression) ?? [];
    if (input !== undefined) return given[input] ?? this.#action.inputs[input]?.default ?? "";
    return this.output(expression.split(".").at(-1) ?? "");
  }

  #step(
    { run = "", env = {} }: Step,
    given: Readonly<Record<string, string>>,
    source: Source,
  ): Promise<Ended> {
    const { event = "pull_request", head = "shop/alerts", actor = "ana", stack = "" } = source;
    const isOfPullRequest = event.startsWith("pull_request");
    const { url, accountId, apiKey } = this.sandbox;
    const known: Readonly<Record<string, string>> = {
      "vars.MONITORING_BASE_URL": url,
      "vars.MONITORING_ACCOUNT_ID": accountId,
      "vars.MONITORING_ACCOUNT_HEADER": "",
      "secrets.MONITORING_API_KEY": apiKey,
      "github.token": "token",
      "github.event.pull_request.head.repo.full_name": isOfPullRequest ? head : "",
      ...this.settings,
    };
    const valueOf = (expression: string): string => {
      const isOfJob = !(expression in known) && /^(inputs|steps)\./.test(expression);
      const value = isOfJob ? this.#valueOf(expression, given) : known[expression];
      if (value === undefined) throw new Error(`nothing is known of ${expression}`);
      return value;
    };
    const filled = Object.entries(env).map(([name, text]): [string, string] => [
      name,
      text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => valueOf(expression)),
    ]);
    return this.run(run, {
      ...this.#host.githubJob(isOfPullRequest ? undefined : {}),
      GITHUB_ACTION_PATH: this.#action.folder,
      GITHUB_EVENT_NAME: event,
      GITHUB_OUTPUT: this.path("outputs"),
      GITHUB_SHA: sha,
      GITHUB_STEP_SUMMARY: this.path("summary.md"),
      GITHUB_WORKSPACE: this.folder,
      RUNNER_TEMP: this.folder,
      GITHUB_ACTOR: actor,
      PULUMI_STACK: stack,
      MONITORING_API_KEY: actor === dependabot ? "" : apiKey,
      ...Object.fromEntries(filled),
    });
  }

  /** An output of the steps; empty when there is none. */
  output(name: string): string {
    const text = existsSync(this.path("outputs")) ? this.read("outputs") : "";
    return new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "";
  }

  /** The comments that were written, the first at first. */
  get comments(): { readonly to: string; readonly body: string }[] {
    return this.#host.requests
      .filter(({ method, url }) => method !== "GET" && url !== "/graphql")
      .map(({ method, url, body }) => ({
        to: `${method} ${url}`,
        body: (JSON.parse(body) as { body: string }).body,
      }));
  }
}

const dependabot = "dependabot[bot]";

/** Code of others, that doesn't get the secrets of a job. */
export const untrusted: [string, Source][] = [
  ["a pull request of Dependabot", { actor: dependabot }],
  ["a pull request from a fork", { head: "somebody/alerts" }],
  ["a pull request from a fork that was deleted", { head: "" }],
  ["pull_request_target", { event: "pull_request_target" }],
  ["issue_comment", { event: "issue_comment" }],
];
