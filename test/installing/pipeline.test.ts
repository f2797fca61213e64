/** Tests `npm ci` in a pipeline, on a machine that only has the committed files. */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { archive } from "../../tools/setup";
import { npm } from "../../tools/setup/run";
import { Page } from "../docs/markdown";
import { expectSuccess, repository } from "../engine/stack";
import { folder, install, write } from "./packedPackage";

it.each(["template", "examples/quickstart", "examples/audit-in-pipeline"])(
  "npm ci installs a copy of a folder with the package.json of %s, without the clone and npm's cache",
  async (manifest) => {
    const where = folder();
    mkdirSync(join(where, "vendor"));
    cpSync(archive, join(where, "vendor", archive.replace(/.*[\\/]/, "")));
    const [, first = "", ...others] = /^npm install (\S+)(.*)$/m.exec(new Page("README.md").text) ?? [];
    await install(where, first, ...others.join(" ").split(" ").filter(Boolean));
    const text = readFileSync(join(repository, manifest, "package.json"), "utf8");
    // `pulumi new --force` replaces this placeholder in a template.
    write(where, { "package.json": text.replace("${PROJECT}", "status") });
    await install(where);

    const runner = folder();
    for (const committed of ["package.json", "package-lock.json", "vendor"])
      cpSync(join(where, committed), join(runner, committed), { recursive: true });
    expectSuccess(await npm(["ci", "--no-audit", "--no-fund", "--cache", folder()], { cwd: runner }));
    expect(existsSync(join(runner, "node_modules", "pulumi-monitoring-service", "dist"))).toBe(true);
  },
);
