const { goPackage } = require("../examples/goProgram");
const { pascalCase, snakeCase } = require("../examples/languageNames");
const { code, table } = require("../model/markdown");

/** How the languages name what the reference describes. */
function languagesSection() {
  const [resource, reader, field] = ["IncidentUpdate", "getIncident", "incidentId"];
  return [
    "## Languages",
    "Pages use the names of TypeScript. For Python, Go and YAML, [install the plugin](../guides/plugin.md#in-python-go-and-yaml); " +
      "the [quick start](../guides/quick-start.md) also has programs in Python and YAML. Names by language:",
    table(
      ["Language", "Package", "Resource, component", "Data source", "Field"],
      [
        ["TypeScript, JavaScript", "pulumi-monitoring-service", resource, `${reader}Output`, field],
        ["Python", "pulumi_monitoring", resource, `${snakeCase(reader)}_output`, snakeCase(field)],
        ["Go", goPackage, `New${resource}`, `${pascalCase(reader)}Output`, pascalCase(field)],
        ["YAML", "", `monitoring:${resource}`, `monitoring:${reader}`, field],
      ].map(([language = "", ...names]) => [
        language,
        ...names.map((name) => (name === "" ? "" : code(name))),
      ]),
    ),
    "In Go, a function is called `Lookup…` where the package has a resource of that name: `LookupStatusPageOutput`.",
    "Keys that are data, such as those of a channel's `config`, are the same in every language.",
    "See also [components in YAML, Python and Go](../guides/components-in-other-languages.md).",
  ];
}

module.exports = { languagesSection };
