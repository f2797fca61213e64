// Loaded by NODE_OPTIONS into a copy of Node that stands for another program, such as `pulumi` or `go`: gives the
// answer that the test has written beside it, and ends. In any other Node it does nothing.
const fs = require("node:fs");
const path = require("node:path");

const answers = `${process.execPath}.answers.json`;

if (fs.existsSync(answers)) {
  const subcommand = path.basename(process.argv[1] ?? "");
  const {
    stdout = "",
    stderr = "",
    exitCode = 0,
    hangs = false,
  } = JSON.parse(fs.readFileSync(answers, "utf8"))[subcommand] ?? {
    stderr: `unknown: ${subcommand}`,
    exitCode: 2,
  };
  fs.writeSync(1, stdout);
  fs.writeSync(2, stderr);
  if (hangs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  process.exit(exitCode);
}
