import { getAlertChannels } from "../../provider/lookups";
import { runLookup } from "../../provider/lookups";
import { advance } from "../client/clock";
import { send, serve, until } from "../client/services";
import { connectionsTo } from "./connectionsTo";

test("reads many channels of a slow service: no read spends its deadline behind the others", async () => {
  const service = await serve((response, { url }) => {
    const channel = { id: Number(url.split("/").at(-1)), type: "EMAIL", config: {} };
    setTimeout(() => send(response, channel), 1_000);
  });
  const connections = connectionsTo(service, { MONITORING_DEADLINE_MS: "5000" });
  const ids = Array.from({ length: 80 }, (_, index) => index + 1);
  const calling = { ended: false };
  const end = () => (calling.ended = true);
  const reading = runLookup(getAlertChannels, { ids }, { connections });
  reading.then(end, end);
  for (let sent = 8; !calling.ended; sent += 8) {
    await until(() => calling.ended || service.requests.length === Math.min(sent, ids.length));
    await advance(1_000);
  }
  expect((await reading).alertChannels.map(({ id }) => id)).toEqual(ids);
});
