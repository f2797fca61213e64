"use strict";

const { goPackage } = require("../schema/languages/goProgram");
const { goFunction, pascalCase, snakeCase } = require("../schema/languages/languageNames");
const { code, table } = require("./markdown");

/**
 * How the languages name what the reference describes.
 * @param {import("../schema/pulumi").PackageSpec} specs
 * @param {readonly string[]} components
 */
function languagesSection({ resources }, components) {
  const [resource, reader, field] = ["IncidentUpdate", "getIncident", "incidentId"];
  const only = components.filter((name) => !(`monitoring:index:${name}` in resources)).map(code);
  return [
    "## Languages",
    "Pages use the names of TypeScript. In Python, Go and YAML, resources and data sources are served by the " +
      "native plugin and have these names:",
    table(
      ["Language", "Package", "Resource", "Data source", "Field"],
      [
        ["TypeScript, JavaScript", "pulumi-monitoring-service", resource, `${reader}Output`, field],
        ["Python", "pulumi_monitoring", resource, `${snakeCase(reader)}_output`, snakeCase(field)],
        ["Go", goPackage, `New${resource}`, `${goFunction(reader)}Output`, pascalCase(field)],
        ["YAML", "", `monitoring:${resource}`, `monitoring:${reader}`, field],
      ].map(([language = "", ...names]) => [
        language,
        ...names.map((name) => (name === "" ? "" : code(name))),
      ]),
    ),
    "Keys that are data, such as those of a channel's `config`, are the same in every language.",
    only.length === 0 ? "" : `The components ${only.join(", ")} exist only in TypeScript and JavaScript.`,
  ];
}

module.exports = { languagesSection };
