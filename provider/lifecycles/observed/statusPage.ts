/** `StatusPage`: observes a status page with its cards and incidents. */
import * as schemas from "../../api";
import { account, idOf } from "../fieldFacts";
import { expectOf, observedLifecycle } from "./observedLifecycle";
import { documented } from "../../values/documentedFields";

const outputs = schemas.statusPage.omit({ id: true });

export const statusPage = observedLifecycle({
  type: "StatusPage",
  idField: "statusPageId",
  fields: {
    statusPageId: idOf("a status page"),
    expect: expectOf(outputs),
    account,
  },

  async read(id, connection) {
    const page = await connection.reads.statusPage(id);
    return page && documented(outputs, page);
  },
});
