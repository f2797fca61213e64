/** The report of `monitoring preview` as data, in one order, and its schema. */
import Ajv from "ajv/dist/2020";
import { previewJsonSchema, type PreviewReport } from "../../cli/previewReport";
import { commandIn, commentOn, factOf, fakePulumi, run, shown } from "./previewing";

const updates = [
  factOf("b", { order: 2 }),
  factOf("a-10", { timeline: { entry: 10, of: 11 } }),
  factOf("a-9", { timeline: { entry: 9, of: 11 }, warnings: ["description is odd: why?"] }),
  factOf("c", { order: 1, emails: true }),
  factOf("d", { incident: { id: "inc_2", name: "Login" } }),
  factOf("e", { posts: "refused" }),
].map((fact) => ({ incident: { id: "inc_1", name: "Checkout" }, ...fact }));
const stepsOf = (facts: typeof updates) => facts.map(({ urn: of }) => ({ op: "create", urn: of }));
const json = async (facts: typeof updates) => {
  const folder = fakePulumi({ steps: stepsOf(facts), facts });
  return (await run([...commandIn(folder), "--format", "json"])).stdout;
};

it("bots and policies read all counts and updates, in one order whatever that of the engine is", async () => {
  const [one, other] = [await json(updates), await json([...updates].reverse())];
  expect(other).toBe(one);
  const { version, result, counts, ...report } = JSON.parse(one) as PreviewReport;
  expect({ version, result }).toEqual({ version: 1, result: "failed" });
  expect(counts).toMatchObject({ willPost: 5, willEmail: 1, mayPost: 0, refused: 1, warnings: 1 });
  const names = report.updates.map(({ urn: of }) => of.split("::").at(-1));
  expect(names.join(" ")).toBe("e a-9 a-10 c b d");
});

it("the schema of the package has the report", async () => {
  const ajv = new Ajv();
  const isValid = ajv.compile(previewJsonSchema());
  expect(isValid(JSON.parse(await json(updates))) || isValid.errors).toBe(true);
  expect(isValid({ ...JSON.parse(await json([])), version: 2 })).toBe(false);
});

it("an update that wasn't compared, whose incident has no name, stands with the others of its incident", () => {
  const facts = [
    factOf("a", { order: 1, incident: { id: "inc_1", name: "Search" } }),
    factOf("b", { order: 2, incident: { id: "inc_2", name: "Login" } }),
    factOf("c", { order: 3, incident: { id: "inc_1" } }),
  ];
  const { text } = shown(commentOn(...facts));
  expect(text.match(/(?<=IncidentUpdate ")./g)).toEqual(["b", "a", "c"]);
});

it("names that differ in zeros, and incidents of one id in two accounts, have one order, too", () => {
  const facts = ["Login", "Log-in"].flatMap((name, index) => [
    factOf(`a-${index}`, { incident: { id: "inc_1", name } }),
    factOf(`a-0${index}`, { incident: { id: "inc_1", name } }),
  ]);
  expect(commentOn(...[...facts].reverse())).toBe(commentOn(...facts));
});
