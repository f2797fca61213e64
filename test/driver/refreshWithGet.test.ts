/** A refresh of a stack that manages an update and also reads it with `IncidentUpdate.get`. */
import { adapters } from "./adapters";
import { Service, words } from "../engine/service";
import { configOf } from "./drivenProject";
import { ProviderProcess } from "./provider";

describe.each(adapters)("an up after the refresh, by the $name adapter,", (adapter) => {
  const service = new Service();
  let provider: ProviderProcess;
  afterEach(() => provider.end());

  const urnOf = (name: string) => `urn:pulumi:test::test::${adapter.typeOf("IncidentUpdate")}::${name}`;
  const inputsOf = (args: object, name: string) =>
    adapter.inputsOf("IncidentUpdate", { ...args }, name, false);

  it("says that changed content replaces the update", async () => {
    provider = await ProviderProcess.start(configOf(service.sandbox), { adapter });
    const [managed, read] = [urnOf("managed"), urnOf("read")];
    const { inputs } = await provider.check(managed, {}, inputsOf(words, "managed"));
    const { id, outputs } = await provider.create(managed, inputs);
    const got = await provider.read(read, id, inputsOf({}, "read"));

    await provider.read(read, id, got.outputs);
    await provider.read(managed, id, outputs);
    expect(await provider.diff(managed, id, outputs, inputs)).toEqual({ changes: false, replaces: false });

    const changed = inputsOf({ ...words, description: "All good." }, "managed");
    const { inputs: next } = await provider.check(managed, inputs, changed);
    expect(await provider.diff(managed, id, outputs, next)).toEqual({ changes: true, replaces: true });
    await provider.end();
  });
});
