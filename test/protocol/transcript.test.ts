import fs from "node:fs";
import path from "node:path";
import { transcript } from "../explore/transcript";

it("the protocol's page shows the transcript of a lost response", () => {
  const page = path.join(__dirname, "../../provider/protocol/README.md");
  const text = fs.readFileSync(page, "utf8").replaceAll("\r\n", "\n");
  expect(text).toContain(`\`\`\`text${transcript()}\n\`\`\``);
});
