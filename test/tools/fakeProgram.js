// Preloaded by NODE_OPTIONS into a copy of Node that stands for another program, such as `pulumi` or `go`: prints what the
// test has written beside the copy, and exits. In any other Node it does nothing.
const fs = require("node:fs");
const path = require("node:path");

const outputs = `${process.execPath}.outputs.json`;

if (fs.existsSync(outputs)) {
  const subcommand = path.basename(process.argv[1] ?? "");
  const unknown = { stderr: `unknown: ${subcommand}`, exitCode: 2 };
  const known = JSON.parse(fs.readFileSync(outputs, "utf8"));
  const { stdout = "", stderr = "", exitCode = 0 } = known[subcommand] ?? unknown;
  fs.writeSync(1, stdout);
  fs.writeSync(2, stderr);
  process.exit(exitCode);
}
