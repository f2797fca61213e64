/** Tests the messages over gRPC: which values are secrets, and what the engine receives about a failure. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { status as codes } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { AnsweredFailure, readObjects, readStruct, toRpcError, writeStruct } from "../../plugin/wire";
import { MonitoringError } from "../../provider/client";
import { temporaryFolder } from "../temporaryFolder";

const text = "may have been created";
const outputs = { description: "hush", missing: false };
const keeps = { id: "inc_1/update-1", outputs, secrets: new Set(["description"]) };

it("a failure that keeps the resource contains the recorded state with its secrets", () => {
  const { code, message, metadata } = toRpcError(new AnsweredFailure({ text, stateToRecord: keeps }));
  const [bytes = ""] = metadata?.get("grpc-status-details-bin") ?? [];
  const status = Status.deserializeBinary(Buffer.from(bytes as Buffer));
  const [detail] = status.getDetailsList();
  const name = "pulumirpc.ErrorResourceInitFailed";
  const failure = detail?.unpack((from) => ErrorResourceInitFailed.deserializeBinary(from), name);
  expect([code, message, status.getCode(), status.getMessage()]).toEqual([
    ...[codes.UNKNOWN, text],
    ...[codes.UNKNOWN, text],
  ]);
  expect([failure?.getId(), failure?.getReasonsList()]).toEqual([keeps.id, [text]]);
  expect(readStruct(failure?.getProperties())).toEqual({
    values: outputs,
    secrets: keeps.secrets,
  });
});

it.each<[string, Error, said: string[]]>([
  ["that a run has answered", new AnsweredFailure({ text }), []],
  ["outside of a run that wasn't reported yet", new MonitoringError(text), [text]],
])("a failure %s consists only of its message", (_, error, said) => {
  const file = join(temporaryFolder(), "facts");
  writeFileSync(file, "");
  process.env["MONITORING_PREVIEW_FACTS"] = file;
  expect(toRpcError(error)).toEqual({ code: codes.UNKNOWN, message: text });
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  expect(lines.map((line) => (JSON.parse(line) as { text: string }).text)).toEqual(said);
});

it("a property is secret if it is marked or contains a secret, at any depth", () => {
  const hidden = writeStruct({ key: "k" }, new Set(["key"])).toJavaScript();
  const values = { plain: { a: null }, list: [1, null], deep: { in: [hidden] }, nothing: null };
  const read = readStruct(writeStruct({ ...values, whole: [1] }, new Set(["whole"])));
  const inside = { ...values, deep: { in: [{ key: "k" }] }, whole: [1] };
  expect(read).toEqual({ values: inside, secrets: new Set(["deep", "whole"]) });
});

it("an empty message has no properties", () => {
  expect(readStruct(undefined)).toEqual({ values: {}, secrets: new Set() });
  expect(readObjects(undefined, "list")).toBeUndefined();
});
