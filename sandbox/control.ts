/**
 * `/_sandbox`: the journal, the faults, the options and the data over HTTP, without a key. Only for programs on this machine.
 */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { type HttpResponse, jsonResponse, HttpError } from "./http/httpResponse";
import type { Service } from "./handleRequest";
import { fault } from "./faults/faultKinds";
import { validate, parseJson, readBody } from "./http/request";
import { methodNotAllowed } from "./http/routes";
import { updateIdOptions } from "./updateIds";

type Action = (service: Service, body: () => unknown) => HttpResponse;

const noContent: HttpResponse = { status: 204, headers: {}, body: "" };

const actions: Record<string, Record<string, Action>> = {
  "/_sandbox/requests": {
    GET: ({ journal }) => jsonResponse(200, { requests: journal.entries }),
    DELETE: ({ journal }) => {
      journal.clear();
      return noContent;
    },
  },
  "/_sandbox/faults": {
    GET: ({ faults }) => jsonResponse(200, { faults: faults.list() }),
    POST: ({ faults }, body) => {
      const value = body();
      faults.add(...validate(z.array(fault), Array.isArray(value) ? value : [value], "payload"));
      return jsonResponse(201, { faults: faults.list() });
    },
    DELETE: ({ faults }) => {
      faults.clear();
      return noContent;
    },
  },
  "/_sandbox/options": {
    GET: ({ updateIds }) => jsonResponse(200, updateIds.options),
    PATCH: ({ updateIds }, body) => {
      updateIds.configure(validate(updateIdOptions.partial(), body(), "payload"));
      return jsonResponse(200, updateIds.options);
    },
  },
  "/_sandbox/state": {
    GET: ({ store }) => {
      const { accounts, mailed } = store.data;
      return jsonResponse(200, { accounts, mailed });
    },
  },
};

export const isControl = (path: string) => path === "/_sandbox" || path.startsWith("/_sandbox/");

/** @throws HttpError when the request is rejected */
export async function control(
  service: Service,
  request: IncomingMessage,
  path: string,
): Promise<HttpResponse> {
  const { headers, method = "" } = request;
  const methods = actions[path];
  if (methods === undefined)
    throw new HttpError(404, `There is nothing at ${path}, only ${Object.keys(actions).join(", ")}.`);
  const action = methods[method];
  if (action === undefined) throw methodNotAllowed(method, Object.keys(methods));
  const bytes = await readBody(request);
  return action(service, () => parseJson(headers["content-type"], bytes));
}
