const fs = require("node:fs");
const path = require("node:path");
const { filesUnder } = require("../../setup");
const { description } = require("../../../package.json");

/** Hides the helper types, because users write dictionaries and only need one of these classes. */
const dir = `

def __dir__():
    """Resources, functions and enums. The helper types can still be imported by their names."""
    from types import ModuleType

    from . import _inputs

    helpers = set(_inputs.__all__) - {"IncidentTimelineEntryArgs"}
    return sorted(
        name
        for name, value in globals().items()
        if name not in helpers
        and not name.startswith("Awaitable")
        and (name.startswith("__") or not name.startswith("_"))
        and (name in ("config", "outputs") or not isinstance(value, ModuleType))
    )
`;

/**
 * Returns the schema with Python's names of arguments and options. The API's operations and the code of the examples keep their names.
 * @param {string} schema
 */
function inPython(schema) {
  return schema.replace(/```[^]*?```|(operation )?`([a-z]+[A-Z][A-Za-z]*)`/g, (text, isOperation, name) =>
    isOperation || name === undefined ? text : `\`${name.replace(/[A-Z]/g, "_$&").toLowerCase()}\``,
  );
}

const resource =
  /(\nclass \w+\(pulumi\.(?:Custom|Component|Provider)Resource\):\n)([^]*?\n {8}"""\n {8}([^]*?)\n {8}""")/g;

/** Completes the documentation of the generated SDK. @param {string} folder */
function documentPython(folder) {
  const readme = path.join(__dirname, "README.python.md");
  // pyproject.toml expects README.md in these folders.
  for (const place of [folder, path.join(folder, "pulumi_monitoring")])
    fs.copyFileSync(readme, path.join(place, "README.md"));
  const project = fs.readFileSync(path.join(folder, "pyproject.toml"), "utf8");
  fs.writeFileSync(path.join(folder, "PKG-INFO"), packageInfo(project, fs.readFileSync(readme, "utf8")));
  // Without this, `pulumi new` and `pulumi install` download the plugin, even if Pulumi.yaml contains its path.
  change(path.join(folder, "pulumi_monitoring", "pulumi-plugin.json"), (text) =>
    text.replace('"resource": true', '"resource": false'),
  );
  for (const file of filesUnder(folder).filter((name) => name.endsWith(".py")))
    // At run time, Python shows the documentation of a class, but not of an overload, where the generator writes it.
    change(file, (text) =>
      text.replace(resource, (_, head, body, docs) => {
        const ofClass = docs.replace(/\n+ {8}:param[^]*/, "").replaceAll("\n        ", "\n    ");
        return `${head}    """\n    ${ofClass}\n    """\n${body}`;
      }),
    );
  change(
    path.join(folder, "pulumi_monitoring", "__init__.py"),
    (text) => `${text.replace("\nimport ", `\n"""${description}"""\n\nimport `).trimEnd()}\n${dir}`,
  );
}

/**
 * Returns the metadata of a source distribution. Package indexes reject archives without it.
 * @param {string} project content of the generated pyproject.toml
 * @param {string} readme
 */
function packageInfo(project, readme) {
  const valueOf = (/** @type {string} */ name) => {
    const [, value = ""] = new RegExp(`^\\s*${name} = (.*)$`, "m").exec(project) ?? [];
    return JSON.parse(value);
  };
  const fields = {
    "Metadata-Version": "2.1",
    Name: valueOf("name"),
    Version: valueOf("version"),
    Summary: valueOf("description"),
    License: valueOf("text"),
    "Requires-Python": valueOf("requires-python"),
    "Requires-Dist": valueOf("dependencies"),
    "Description-Content-Type": "text/markdown",
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\n`),
  );
  return `${lines.join("")}\n${readme}`;
}

/** @param {string} file @param {(text: string) => string} edit */
function change(file, edit) {
  fs.writeFileSync(file, edit(fs.readFileSync(file, "utf8")));
}

module.exports = { change, documentPython, inPython };
