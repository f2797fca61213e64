/** The parts of the set-up: its lock, the packages and the build. */
import fs from "node:fs";
import path from "node:path";
import { withLock } from "../../tools/setup/engine/lock";
import { node, writeIn } from "./fakePrograms";
import { temporaryFolder } from "../temporaryFolder";

let root: string;
let printed: jest.SpyInstance;
const write = (name: string, text: string): void => writeIn(root, name, text);

beforeEach(() => {
  printed = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  root = temporaryFolder();
});
afterEach(() => jest.restoreAllMocks());

describe("the lock", () => {
  const quick = { pollMs: 5 };
  const done = () => Promise.resolve("done");
  let file: string;
  beforeEach(() => {
    file = path.join(root, "versions", "lock");
  });
  const hold = (): void => write("versions/lock", "another process");

  it("runs one action at a time, and says that the others wait", async () => {
    const events: string[] = [];
    const first = withLock(file, async () => {
      events.push("first begins");
      await new Promise((resolve) => setImmediate(resolve));
      events.push("first ends");
    });
    await Promise.all([first, withLock(file, () => Promise.resolve(events.push("second")), quick)]);

    expect(events).toEqual(["first begins", "first ends", "second"]);
    expect(printed).toHaveBeenCalledTimes(1);
    expect(printed).toHaveBeenCalledWith("Waiting for another set-up to finish.\n");
  });

  it("is taken over when its owner no longer touches it", async () => {
    hold();
    fs.utimesSync(file, new Date(0), new Date(0));
    await expect(withLock(file, done, quick)).resolves.toBe("done");
  });
});

describe("the packages", () => {
  /** The message when they can't be installed. */
  function install(env: NodeJS.ProcessEnv): string {
    const script = `require("./tools/setup/command").command(() => require("./tools/setup/packages").install(process.argv[1]))`;
    const { stderr } = node(["-e", script, root], { SystemRoot: process.env["SystemRoot"], ...env });
    return stderr.replace("Installing the npm packages (about half a minute)\n", "");
  }

  it("that can't be installed give npm's own message, and the way to check the connection", () => {
    write("npm-cli.js", 'console.error("npm error code ECONNREFUSED"); process.exit(1);');
    expect(install({ npm_execpath: path.join(root, "npm-cli.js") })).toBe(
      [
        "npm could not install the packages:",
        "  npm error code ECONNREFUSED",
        "`npm ping` shows whether npm reaches its registry. Once it does, run the same command again.\n",
      ].join("\n"),
    );
  });
});
