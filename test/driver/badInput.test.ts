/** Mistakes in a declaration or in the configuration: each is named, and the service is asked nothing. */
import { adapters } from "./adapters";
import { DrivenProject, Service, words } from "./drivenProject";

describe.each(adapters)("by the $name adapter,", (adapter) => {
  const service = new Service();
  let project: DrivenProject;
  beforeEach(() => {
    project = new DrivenProject(adapter, service.sandbox).declare(words);
  });
  afterEach(() => expect(service.sandbox.requests).toEqual([]));

  /** What each command says that a mistake has to fail. */
  const failuresOf = async (): Promise<string[]> => {
    const runs = [await project.preview(), await project.up()];
    expect(runs.map(({ ok }) => ok)).toEqual([false, false]);
    expect(project.resources).toEqual([]);
    return runs.map(({ output }) => output);
  };

  it("every mistake in a declaration is named by its property, without a value that may be a secret", async () => {
    project.declare({
      incidentId: "a/b",
      status: "FINE",
      account: "eu",
      descripton: "typo",
      description: "Canary \ud83d",
    });
    for (const output of await failuresOf()) {
      expect(output).toMatch(/incidentId must be an id, without/);
      expect(output).toMatch(/status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED/);
      expect(output).toMatch(/description must be well-formed Unicode/);
      expect(output).toMatch(/account must be a name in monitoring:accounts, which is not set/);
      expect(output).toMatch(/descripton is not known; expected one of incidentId, status, description,/);
      expect(output).not.toContain("Canary");
    }
  });

  it("every mistake in the configuration is named, with the command that fixes it", async () => {
    delete project.config["monitoring:apiKey"];
    Object.assign(project.config, {
      "monitoring:baseUrl": "http://status.example.com",
      "monitoring:timeoutMs": "soon",
    });
    for (const output of await failuresOf()) {
      expect(output).toContain(
        "monitoring:apiKey is missing: run `pulumi config set --secret monitoring:apiKey`, or set MONITORING_API_KEY",
      );
      expect(output).toContain("monitoring:baseUrl must begin with https://");
      expect(output).toContain("monitoring:timeoutMs must be a whole number from 1 to");
    }
  });

  it("an update of an unfit key is refused, and the key is not shown", async () => {
    project.config["monitoring:apiKey"] = "canary key";
    for (const output of await failuresOf()) {
      expect(output).toContain("monitoring:apiKey must be printable ASCII");
      expect(output).not.toContain("canary");
    }
  });
});
