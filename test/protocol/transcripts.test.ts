/** Whole conversations for people to read, in __snapshots__. */
import fs from "node:fs";
import path from "node:path";
import { conversations, transcriptOf } from "../explore/transcripts";

expect.addSnapshotSerializer({ test: (value) => typeof value === "string", serialize: String });

it.each(Object.entries(conversations))("%s", (_, [config, chosen]) => {
  expect(transcriptOf(config, chosen)).toMatchSnapshot();
});

it("the protocol's page shows the first one", () => {
  const [shown = ""] = Object.values(conversations).map((given) => transcriptOf(...given));
  const page = path.join(__dirname, "../../provider/protocol/README.md");
  expect(fs.readFileSync(page, "utf8").replaceAll("\r\n", "\n")).toContain(`\`\`\`text${shown}\n\`\`\``);
});
