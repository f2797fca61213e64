/** The pipelines of examples/audit-in-pipeline: their files are right, and their commands do what is said of them. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { CodeHost } from "./codeHost";
import { repository } from "../engine/stack";
import { Checkout, type Ended, mistakesIn, type Step } from "./checkout";

const example = join(repository, "examples/audit-in-pipeline");
const workflowFile = join(example, ".github/workflows/alert-channels.yml");

const yamlOf = (file: string): unknown => parse(readFileSync(file, "utf8"));
const workflow = yamlOf(workflowFile) as { jobs: { audit: { steps: Step[] } } };
const gitlab = yamlOf(join(example, ".gitlab-ci.yml")) as {
  "alert-channels": {
    script: string[];
    artifacts: { when: string; paths: string[]; reports: { junit: string } };
  };
};
const { steps } = workflow.jobs.audit;
const stepThat = (does: string): Step => {
  const step = steps.find(({ run, uses }) => (run ?? uses ?? "").includes(does));
  if (step === undefined) throw new Error(`no step has ${does}`);
  return step;
};

const host = new CodeHost();

const checkout = async (): Promise<Job> => new Job(await sandboxWith(), example);

/** A job on GitHub, with a temporary folder and the outputs of its steps. */
class Job extends Checkout {
  readonly temporary = temporaryFolder();

  /** The folder of the reports; empty when the audit wrote none. */
  get reports(): string {
    const text = existsSync(this.path("outputs")) ? this.read("outputs") : "";
    return /^reports=(.*)$/m.exec(text)?.[1] ?? "";
  }

  override step(step: Step, settings: Record<string, string> = {}): Promise<Ended> {
    const outputs = { "steps.audit.outputs.reports": this.reports, ...settings };
    return super.step(step, outputs, {
      ...host.githubJob(),
      GITHUB_OUTPUT: this.path("outputs"),
      RUNNER_TEMP: this.temporary,
    });
  }

  report(name: string): string {
    return readFileSync(join(this.reports, name), "utf8");
  }

  /** The report that an action is given. */
  given(path = ""): string {
    return readFileSync(path.replace("${{ steps.audit.outputs.reports }}", this.reports), "utf8");
  }
}

const expectFindings = ({ code, output }: Ended): void => {
  expect(code).toBe(1);
  expect(output).toMatch(
    /^error +4106 legacy-hook +https-hook +config\.url: http, expected https\. Use the hook/m,
  );
};

it("the rule file is one by the published schema, which the package holds where the file says", () => {
  const [, schema = ""] = /\$schema=(\S+)/.exec(readFileSync(join(example, "audit.yaml"), "utf8")) ?? [];
  const file = resolve(repository, schema);
  expect(existsSync(file)).toBe(true);
  const validate = addFormats(new Ajv({ strict: false })).compile(
    JSON.parse(readFileSync(file, "utf8")) as object,
  );
  validate(yamlOf(join(example, "audit.yaml")));
  expect(validate.errors).toBeNull();
});

describe("on GitHub", () => {
  const audit = stepThat("monitoring audit");

  it("the workflow is one, says GitHub's own parser", async () => {
    expect(await mistakesIn(workflowFile)).toEqual([]);
  });

  it("findings fail the job, and are in reports that the later steps find", async () => {
    const job = await checkout();
    expectFindings(await job.step(audit));

    const sarif = JSON.parse(job.given(stepThat("upload-sarif").with?.["sarif_file"])) as {
      version: string;
      runs: { results: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[] }[];
    };
    expect(sarif.version).toBe("2.1.0");
    const places =
      sarif.runs[0]?.results.map(({ locations: [at] }) => at?.physicalLocation.artifactLocation.uri) ?? [];
    expect(places.length).toBeGreaterThan(2);
    expect(new Set(places)).toEqual(new Set(["audit.yaml"]));
    expect(job.given(stepThat("upload-artifact").with?.["path"])).toMatch(/^<!doctype html>[^]*<\/html>\n$/);

    expect(await job.step(stepThat("GITHUB_STEP_SUMMARY"))).toMatchObject({ code: 0 });
    expect(job.read("summary.md")).toMatch(/^## Alert channel audit: \d+ errors/);
  });

  it("one comment is on a pull request: of the report or, without one, of the commit that has none", async () => {
    const job = await checkout();
    await job.step(audit);
    const comment = stepThat("monitoring comment");
    const bodies: (string | undefined)[] = [];
    for (const outputs of [job.read("outputs"), ""]) {
      job.write("outputs", outputs);
      expect(await job.step(comment)).toEqual({ code: 0, output: "" });
      expect(host.comments).toHaveLength(1);
      bodies.push(host.comments[0]?.body);
    }
    expect(bodies).toEqual([
      expect.stringMatching(/^<!-- monitoring: alert channel audit -->\n## Alert channel audit: \d+ errors/),
      expect.stringMatching(/^<!-- .* -->\n## No alert channel audit of abc1234\n/),
    ]);
  });

  it("reports that a branch brings along are not taken", async () => {
    const job = await checkout();
    for (const name of ["audit.sarif", "audit.md", "audit.html"]) job.write(name, "all is well");
    await job.step(audit);
    await job.step(stepThat("GITHUB_STEP_SUMMARY"));
    expect(job.read("summary.md")).not.toContain("all is well");
    expect(job.reports.startsWith(job.temporary)).toBe(true);
    expect(job.given(stepThat("upload-artifact").with?.["path"])).not.toContain("all is well");
  });
});

describe("on GitLab", () => {
  const { script, artifacts } = gitlab["alert-channels"];

  it("findings fail the job, and are in the reports that it keeps", async () => {
    const job = await checkout();
    const [install, ...commands] = script;
    expect(install).toBe("npm ci");
    for (const name of ["audit.xml", "audit.html"]) job.write(name, "all is well");
    const { url, apiKey, accountId } = job.sandbox;
    const settings = {
      MONITORING_BASE_URL: url,
      MONITORING_API_KEY: apiKey,
      MONITORING_ACCOUNT_ID: accountId,
    };
    expectFindings(await job.run(commands.join("\n"), settings));
    expect(artifacts.when).toBe("always");
    for (const file of artifacts.paths) expect(job.read(file)).toMatch(/^<!doctype html>/);

    expect(job.read(artifacts.reports.junit)).toMatch(
      /<failure [^>]*message="sendFailure: false, expected true"/,
    );
  });
});
