import fs from "node:fs";
import path from "node:path";
import { packages } from "../../scripts/setup/packages";
import { temporaryFolder } from "./fakePrograms";

let root: string;

beforeEach(() => (root = temporaryFolder()));
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const zod = { version: "4.0.0", integrity: "sha512-a" };

it("are current when npm's own record of what it installed is what the lockfile says", () => {
  locked({ "": { version: "1.0.0" }, "node_modules/zod": zod });
  installed({ "node_modules/zod": zod });

  expect(packages.isCurrent(root)).toBe(true);
});

it("may lack what is optional, such as the binaries for other machines", () => {
  locked({ "node_modules/zod": zod, "node_modules/fsevents": { ...zod, optional: true } });
  installed({ "node_modules/zod": zod });

  expect(packages.isCurrent(root)).toBe(true);
});

it.each([
  ["nothing is installed, or npm was stopped", undefined],
  ["one is missing", {}],
  ["one has another version", { "node_modules/zod": { ...zod, version: "4.0.1" } }],
  ["one has other contents", { "node_modules/zod": { ...zod, integrity: "sha512-b" } }],
])("are not current when %s", (_, record) => {
  locked({ "node_modules/zod": zod });
  if (record) installed(record);

  expect(packages.isCurrent(root)).toBe(false);
});

function locked(entries: object): void {
  fs.writeFileSync(path.join(root, "package-lock.json"), JSON.stringify({ packages: entries }));
}

function installed(entries: object): void {
  fs.mkdirSync(path.join(root, "node_modules"));
  fs.writeFileSync(
    path.join(root, "node_modules", ".package-lock.json"),
    JSON.stringify({ packages: entries }),
  );
}
