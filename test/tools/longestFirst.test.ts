/** In which order the tests are begun. */
import path from "node:path";
import LongestFirst from "../longestFirst";
import { filesUnder } from "../../tools/setup";

const { longest } = LongestFirst;
const root = path.resolve(__dirname, "../..");
const files = filesUnder(path.join(root, "test")).filter((file) => file.endsWith(".test.ts"));

type Tests = Parameters<InstanceType<typeof LongestFirst>["sort"]>[0];

/** As Jest sorts them where no run has left its times. */
async function sorted(...paths: string[]): Promise<string[]> {
  const context = { config: { cache: false }, hasteFS: { getSize: () => 1 } } as unknown;
  const tests = paths.map((file) => ({ context, path: path.join(root, file) })) as Tests;
  const options = {} as ConstructorParameters<typeof LongestFirst>[0];
  const order = await new LongestFirst(options).sort(tests);
  return order.map((test) => path.relative(root, test.path));
}

it.each(longest)("%s is the beginning of a test's path", (start) => {
  expect(files.filter((file) => file.startsWith(path.join(root, start)))).not.toEqual([]);
});

it("what takes longest is begun first, where no time is known yet", async () => {
  const quick = "test/client/paging.test.ts";
  const slow = ["test/driver/replay.test.ts", "test/explore/explore.test.ts"];
  expect(await sorted(quick, ...slow)).toEqual([...slow.reverse(), quick]);
});
