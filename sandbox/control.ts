/**
 * `/_sandbox`: the journal, the faults and the data over HTTP, without a key. Only for programs on this machine, not
 * for web pages that a person has open here: those could otherwise reach it through the browser.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { z } from "zod";
import { type Answer, jsonAnswer, Refusal } from "./answers";
import type { Service } from "./exchange";
import { fault } from "./faultKinds";
import { accept, parseJson, readBody } from "./request";
import { methodRefusal } from "./routes";

type Action = (service: Service, body: () => unknown) => Answer;

const done: Answer = { status: 204, headers: {}, body: "" };

const actions: Record<string, Record<string, Action>> = {
  "/_sandbox/requests": {
    GET: ({ journal }) => jsonAnswer(200, { requests: journal.entries }),
    DELETE: ({ journal }) => {
      journal.clear();
      return done;
    },
  },
  "/_sandbox/faults": {
    GET: ({ faults }) => jsonAnswer(200, { faults: faults.list() }),
    POST: ({ faults }, body) => {
      const sent = body();
      faults.add(...accept(z.array(fault), Array.isArray(sent) ? sent : [sent], "payload"));
      return jsonAnswer(201, { faults: faults.list() });
    },
    DELETE: ({ faults }) => {
      faults.clear();
      return done;
    },
  },
  "/_sandbox/state": {
    GET: ({ store }) => {
      const { accounts, mailed } = store.data;
      return jsonAnswer(200, { accounts, mailed });
    },
  },
};

export const isControl = (path: string) => path === "/_sandbox" || path.startsWith("/_sandbox/");

/** The answer, or a `Refusal`. */
export async function control(service: Service, request: IncomingMessage, path: string): Promise<Answer> {
  const { headers, method = "" } = request;
  refuseStrangers(headers);
  const there = actions[path];
  if (there === undefined)
    throw new Refusal(404, `There is nothing at ${path}, only ${Object.keys(actions).join(", ")}.`);
  const action = there[method];
  if (action === undefined) throw methodRefusal(method, Object.keys(there));
  const bytes = await readBody(request);
  return action(service, () => parseJson(headers["content-type"], bytes));
}

function refuseStrangers({ host = "", origin, "sec-fetch-site": site = "none" }: IncomingHttpHeaders): void {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host))
    throw new Refusal(403, "The sandbox's controls are reached as 127.0.0.1 or localhost alone.");
  if ((origin !== undefined && origin !== `http://${host}`) || (site !== "none" && site !== "same-origin"))
    throw new Refusal(403, "The sandbox's controls are not for other web pages.");
}
