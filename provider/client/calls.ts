/** The calls of one client: checks the arguments of an operation, sends its requests, and reads its pages. */
import { setMaxListeners } from "node:events";
import { attempts, type CallContext, type CallRequest, RequestLimiter } from "./attempts";
import { ConfigurationError, InvalidInputError } from "./errors";
import { Transport } from "./http";
import { type Subject } from "./outcome";
import {
  type CallOptions,
  callOptions,
  type ReadOptions,
  type ClientSettings,
  type WriteOptions,
} from "./options";
import { PagePromise, type Received } from "./paging";
import { SecretMasker } from "./secretMasker";
import { problemsOf } from "../problems";
import { canonicalId, quotedLine } from "../texts";
import { type ListOf, type Arguments, fillPath, type Id, type Operation, pathProblems } from "../api";

export class Calls {
  readonly #context: CallContext;
  readonly #settings: ClientSettings;
  readonly #masker: SecretMasker;
  readonly #service: Subject["service"];

  /** @param baseUrlSetting The setting that has the base URL, for messages. */
  constructor(settings: ClientSettings, baseUrlSetting: string) {
    const { apiKey, baseUrl, accountId, accountHeader, maxConcurrency } = settings;
    const { timeoutMs, maxAttempts, onRequest } = settings;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(accountId !== undefined && { [accountHeader]: accountId }),
    };
    this.#settings = settings;
    this.#masker = new SecretMasker([apiKey]);
    this.#service = { url: baseUrl.replace(/\/+$/, ""), setting: baseUrlSetting };
    this.#context = {
      transport: new Transport(new URL(baseUrl), headers, maxConcurrency),
      limiter: new RequestLimiter(maxConcurrency),
      timeoutMs,
      maxAttempts,
      onRequest,
    };
  }

  async call<Response, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options?: ReadOptions & WriteOptions,
  ): Promise<Response> {
    return (await this.#send(operation, input, options)).value;
  }

  /** Reads one object. @throws InvalidInputError for a second spelling of its id: it would seem to be another object. */
  async read<Response extends { readonly id?: Id }, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options?: ReadOptions,
  ): Promise<Response> {
    const read = await this.call(operation, input, options);
    const [property, asked] = Object.entries<Id>(input.ids).at(-1) ?? ["id", read.id];
    // Only an update may have an id of ours, which a service may return in capitals.
    const spelled = property === "incidentUpdateId" ? canonicalId : (id: string): string => id;
    if (read.id === undefined || spelled(String(read.id)) === spelled(String(asked))) return read;
    const reason =
      `must be ${quotedLine(String(read.id))}, as in the response. Write the id as the service does; if that is another ` +
      "object, check the base URL and the proxies before the service";
    throw new InvalidInputError(this.#titleOf(operation, input.ids), [{ property, reason }]);
  }

  /** Reads a list. Each page is a call of its own. The arguments are a copy of the caller's. */
  list<Entry extends { readonly id: Id }, Path extends string>(
    operation: Operation<ListOf<Entry>, Path>,
    { ids, query }: Arguments<Path>,
    options?: CallOptions,
  ): PagePromise<Entry> {
    // As the query, a copy: the caller may change the object between two pages.
    const given = { ...options };
    return new PagePromise(operation.name, (cursor) => {
      const page = { ...query, ...(cursor !== undefined && { nextId: cursor }) };
      return this.#send(operation, { ids, query: page }, given);
    });
  }

  async #send<Response, Path extends string>(
    operation: Operation<Response, Path>,
    input: Arguments<Path>,
    options: ReadOptions & WriteOptions = {},
  ): Promise<Received<Response>> {
    const given = { ...options };
    const call = this.#callRequest(operation, input, given);
    const signals = [this.#settings.signal, given.signal].filter((one) => one !== undefined);
    // Any number of calls may listen to one signal, each until it ends.
    for (const signal of signals) setMaxListeners(0, signal);
    return attempts(this.#context, call, signals);
  }

  /** Checks the arguments, and builds the request. */
  #callRequest<Response>(
    operation: Operation<Response>,
    { ids, query, body }: Arguments<string>,
    options: ReadOptions & WriteOptions,
  ): CallRequest<Response> {
    const problems = [
      ...pathProblems(ids, operation.idProblem),
      ...problemsOf(operation.query, query),
      ...problemsOf(operation.body, body),
      ...problemsOf(callOptions, options),
    ];
    if (problems.length > 0) throw new InvalidInputError(operation.name, problems);
    const title = this.#titleOf(operation, ids);
    if (this.#settings.readOnly && !operation.idempotent) {
      const reason =
        "is enabled (monitoring:readOnly, MONITORING_READ_ONLY or readOnly in the program), so nothing was sent";
      throw new ConfigurationError(title, [{ property: "readOnly", reason }]);
    }
    return {
      request: {
        method: operation.method,
        path: fillPath(operation.path, ids) + queryText(query),
        ...(operation.body && { body: JSON.stringify(operation.body.parse(body)) }),
        fresh: options.shared === false,
      },
      subject: { operation, title, masker: this.#maskerFor(body), service: this.#service },
      deadlineMs: options.deadlineMs ?? this.#settings.deadlineMs,
      beforeSend: options.beforeSend,
    };
  }

  /** A caller may pass the API key as an id by mistake. */
  #titleOf({ name }: { readonly name: string }, ids: Readonly<Record<string, Id>>): string {
    return [name, this.#masker.mask(Object.values(ids).join("/"))].join(" ").trim();
  }

  /** Masks the API key and the text of an update, which may be a secret until it is public. */
  #maskerFor(body: Arguments<string>["body"]): SecretMasker {
    const { description } = { ...body };
    return typeof description === "string"
      ? new SecretMasker([this.#settings.apiKey, description])
      : this.#masker;
  }
}

function queryText(query: Arguments<string>["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}
