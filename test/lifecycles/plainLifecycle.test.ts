/** What both adapters do around a lifecycle: facts for `monitoring preview`, drift of a refresh, and states that move. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Context, lifecycles, messageOf, PlainLifecycle } from "../../provider/lifecycles";
import { ConfigurationError, MonitoringError } from "../../provider/client";
import { Connections } from "../../provider/connection";
import { Publishing } from "../../provider/publishing";
import { words } from "../engine/service";
import { temporaryFolder } from "../temporaryFolder";
import { nowhere, sandboxForEachTest, unknown } from "./phases";

const urn = "urn:pulumi:test::shop::monitoring:index:IncidentUpdate::over";
const notices: unknown[] = [];

function contextOf({ url, apiKey }: typeof nowhere, more: Partial<Context> = {}): Context {
  return {
    connections: new Connections(undefined, { MONITORING_API_KEY: apiKey, MONITORING_BASE_URL: url }),
    publishing: new Publishing(),
    urn,
    notice: (text) => notices.push(text),
    warn: (text) => notices.push(text),
    assertEngineAlive: () => Promise.resolve(),
    ...more,
  };
}

const updates = () => new PlainLifecycle(lifecycles.IncidentUpdate);
const channels = () => new PlainLifecycle(lifecycles.AlertChannel);
/** The settings are read when a connection is needed. */
const withoutKey: Context = {
  ...contextOf(nowhere),
  get connections() {
    return new Connections(undefined, { MONITORING_BASE_URL: nowhere.url });
  },
};
const invalid = { ...words, status: "closed", occurrence: 0 };

describe("the facts of a preview", () => {
  let file = "";
  const before = process.env["MONITORING_PREVIEW_FACTS"];
  beforeEach(() => {
    notices.length = 0;
    file = join(temporaryFolder(), "facts");
    writeFileSync(file, "");
    process.env["MONITORING_PREVIEW_FACTS"] = file;
  });
  afterEach(() => {
    if (before === undefined) delete process.env["MONITORING_PREVIEW_FACTS"];
    else process.env["MONITORING_PREVIEW_FACTS"] = before;
  });
  const facts = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const sandbox = sandboxForEachTest();

  it("have the failures of `check`, of a declared update alone", () => {
    updates().check({}, invalid, contextOf(nowhere));
    const failure = expect.stringMatching(
      /^status must be one of .*; occurrence must be a whole number from 1$/,
    );
    expect(facts()).toEqual([expect.objectContaining({ urn, effect: "refused", failure })]);
    updates().check({}, words, contextOf(nowhere));
    updates().check({}, invalid, contextOf(nowhere, { urn: undefined }));
    channels().check({}, {}, contextOf(nowhere));
    expect(facts()).toHaveLength(1);
    const { failures } = channels().check({}, { channelId: 1 }, withoutKey);
    expect(failures).toEqual([
      { property: "", reason: expect.stringMatching(/^MONITORING_API_KEY is missing/) },
    ]);
    const ofAccount = channels().check({}, { channelId: 1, account: unknown }, withoutKey);
    expect(ofAccount.failures).toEqual([]);
  });

  it("have what a preview says, and why it fails", async () => {
    await updates().preview(words, undefined, contextOf(sandbox()));
    await updates().preview(words, undefined, contextOf(sandbox(), { urn: undefined }));
    const gone = updates().preview({ ...words, incidentId: "gone" }, undefined, contextOf(sandbox()));
    await expect(gone).rejects.toThrow(MonitoringError);
    await expect(updates().preview(words, undefined, withoutKey)).rejects.toThrow(ConfigurationError);
    expect(facts().map(({ effect, failure }) => [effect, failure])).toEqual([
      ["posts", undefined],
      ["refused", expect.stringContaining("not found")],
      ["refused", expect.stringContaining("MONITORING_API_KEY is missing")],
    ]);
    expect(notices).toHaveLength(2);
  });

  it("are written only into a file that exists", () => {
    for (const name of ["", join(temporaryFolder(), "missing")]) {
      process.env["MONITORING_PREVIEW_FACTS"] = name;
      updates().check({}, invalid, contextOf(nowhere));
      expect(existsSync(name)).toBe(false);
    }
    expect(facts()).toEqual([]);
  });
});

describe("an object that a program reads", () => {
  const sandbox = sandboxForEachTest();

  it("is read by a preview, unless its id or account isn't known", async () => {
    const preview = (inputs: object, of: typeof nowhere) =>
      channels().preview({ ...inputs }, undefined, contextOf(of));
    await preview({ channelId: unknown }, nowhere);
    await preview({ channelId: 1, account: unknown }, nowhere);
    await expect(preview({ channelId: 1 }, nowhere)).rejects.toThrow("could not be reached");
    await expect(preview({ channelId: 999 }, sandbox())).rejects.toThrow("not found");
  });

  it("whose state the other adapter wrote is written again as it is, without a read", async () => {
    const plain = channels();
    const state = { channelId: 1, origin: undefined, type: "EMAIL" };
    const inputs = { channelId: 1 };
    const diff = (moves: boolean) => plain.diff("1", state, inputs, contextOf(nowhere), moves);
    expect(diff(false)).toEqual({ changes: false, replaces: [] });
    expect(diff(true)).toEqual({ changes: true, replaces: [] });
    await plain.preview(inputs, { id: "1", outputs: state }, contextOf(nowhere));
    expect(await plain.update("1", state, inputs, contextOf(nowhere))).toEqual({
      channelId: 1,
      type: "EMAIL",
    });
    await expect(plain.update("1", state, inputs, contextOf(nowhere))).rejects.toThrow(
      "could not be reached",
    );
  });
});

it.each([
  ["of ours", new MonitoringError("Why."), "Why."],
  ["of the code", new TypeError("x is undefined"), /please report it: TypeError: x is undefined$/],
  ["that is none", "text", /^Internal error in pulumi-monitoring-service; .*: an unknown failure$/],
])("an error %s has a message for the user", (_, error, message) => {
  expect(messageOf(error)).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});
