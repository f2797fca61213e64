/** An unconfirmed update whose description was a secret, in the state that the native plugin returns. */
import { plugin } from "./adapters";
import { PartialFailure } from "./call";
import { incidentId, Service, words } from "../engine/service";
import { configOf } from "./drivenProject";
import { ProviderProcess } from "./provider";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
const urn = "urn:pulumi:test::test::monitoring:index:IncidentUpdate::update";

describe("the state of an update that is still unconfirmed", () => {
  const service = new Service();
  let provider: ProviderProcess;
  afterEach(() => provider.end());

  it("keeps the old description a secret when the program now declares a plain one", async () => {
    const { url, accountId } = service.sandbox;
    // Looking in vain takes as long as it may.
    const env = { MONITORING_DEADLINE_MS: "1000" };
    provider = await ProviderProcess.start(configOf(service.sandbox), { adapter: plugin, env });
    const { inputs } = await provider.check(urn, {}, { ...words });
    const description = secret("We were breached.");
    const origin = { host: new URL(url).host, path: "/", accountId };
    const unconfirmed = { ids: [], nonce: "sent", at: 0, ownIds: [] };
    const old = { ...inputs, description, missing: false, origin, past: [], unconfirmed };
    const failed: unknown = await provider
      .update(urn, `${incidentId}/update-1`, old, inputs)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(PartialFailure);
    expect(failed).toMatchObject({ outputs: { ...old, description } });
  });
});
