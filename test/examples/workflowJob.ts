/** Runs the scripts of a GitHub workflow in order, with a local server instead of the host. */
import { existsSync, readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import type { Sandbox } from "../../sandbox";
import { Checkout, type Ended, type Step } from "./checkout";
import { type CodeHost, sha } from "./codeHost";

type Variables = Readonly<Record<string, string>>;

export class WorkflowJob extends Checkout {
  readonly #host: CodeHost;
  readonly #env: Variables;
  readonly #steps: readonly Step[];

  /** @param workflow A workflow file whose first job is for pull requests. */
  constructor(workflow: string, host: CodeHost, sandbox: Sandbox, files: string) {
    super(sandbox, files);
    this.#host = host;
    const { jobs } = parse(readFileSync(workflow, "utf8")) as {
      jobs: Record<string, { env?: Variables; steps: Step[] }>;
    };
    const [job] = Object.values(jobs);
    this.#env = job?.env ?? {};
    this.#steps = job?.steps ?? [];
  }

  /** Runs the scripts that GitHub would run for a pull request. */
  async do(): Promise<Ended> {
    let [code, output]: [unknown, string] = [0, ""];
    for (const { run, if: condition = "true", env } of this.#steps) {
      const isGoingOn = code === 0 || /\b(always|cancelled)\(\)/.test(condition);
      if (run === undefined || !isGoingOn || this.#evaluate(condition) !== "true") continue;
      const ended = await this.run(run, this.#environment({ ...this.#env, ...env }));
      output += ended.output;
      if (ended.code !== 0) code = ended.code;
    }
    return { code, output };
  }

  #environment(env: Variables): Variables {
    const filled = Object.entries(env).map(([name, text]): [string, string] => [
      name,
      text.replace(/\$\{\{ .+? \}\}/g, (expression) => this.#evaluate(expression)),
    ]);
    return {
      ...this.#host.githubJob(),
      GITHUB_OUTPUT: this.path("outputs"),
      GITHUB_SHA: sha,
      GITHUB_STEP_SUMMARY: this.path("summary.md"),
      RUNNER_TEMP: this.folder,
      ...Object.fromEntries(filled),
    };
  }

  /** Evaluates the expression as JavaScript, because these workflows only use the common subset of both languages. */
  #evaluate(expression: string): string {
    const { url, accountId, apiKey } = this.sandbox;
    const value = runInNewContext(expression.replace(/^\$\{\{ (.*) \}\}$/, "$1"), {
      always: () => true,
      cancelled: () => false,
      github: { event_name: "pull_request", ref: "refs/pull/7/merge", token: "token" },
      inputs: {},
      secrets: { MONITORING_API_KEY: apiKey },
      steps: { audit: { outputs: { reports: this.output("reports") } } },
      vars: { MONITORING_BASE_URL: url, MONITORING_ACCOUNT_ID: accountId },
    }) as string | boolean | undefined;
    return String(value ?? "");
  }

  /** Returns an output of the steps. Empty if there is none. */
  output(name: string): string {
    const text = existsSync(this.path("outputs")) ? this.read("outputs") : "";
    return new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "";
  }
}
