/** `StatusPage`: observes a status page with its cards and incidents. */
import * as schemas from "../../api";
import { expectationsOf } from "./expectationsCheck";
import { account, idOf } from "../fields";
import { observedLifecycle } from "./observedLifecycle";
import { documented } from "../../outputs";

const outputs = schemas.statusPage.omit({ id: true });

export const statusPage = observedLifecycle({
  type: "StatusPage",
  idField: "statusPageId",
  fields: {
    statusPageId: idOf("a status page"),
    expect: expectationsOf(outputs),
    account,
  },

  async read(id, _inputs, connection) {
    const page = await connection.reads.statusPage(id);
    return page && documented(outputs, page);
  },
});
