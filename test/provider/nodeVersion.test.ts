import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeProblem } from "../../provider/nodeVersion";

const { engines } = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as {
  engines: { node: string };
};
const oldest = Number(engines.node.replace(">=", ""));

it.each([`${oldest}.0.0`, `${oldest + 80}.1.0`])("accepts Node %s", (node) => {
  expect(nodeProblem(node)).toBeUndefined();
});

it.each([`${oldest - 1}.99.99`, "0.10.48"])("rejects Node %s with an instruction", (node) => {
  expect(nodeProblem(node)).toBe(
    `pulumi-monitoring-service needs Node ${oldest} or newer; this is Node ${node}. Get one: https://nodejs.org`,
  );
});
