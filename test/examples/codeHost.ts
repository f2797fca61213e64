/** A server in place of GitHub's or GitLab's API, for each test. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export class CodeHost {
  url = "";
  requests: Received[] = [];
  /** What it responds. */
  respond: (request: Received) => {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  } = () => ({ body: [] });
  #server: Server | undefined;

  constructor() {
    beforeEach(() => this.#start());
    afterEach(() => this.stop());
  }

  async #start(): Promise<void> {
    this.requests = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method = "", url = "", headers } = request;
        const received = { method, url, headers, body };
        this.requests.push(received);
        const { status = 200, headers: more, body: said } = this.respond(received);
        response.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(said));
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((closed) => (server ? server.close(() => closed()) : closed()));
  }
}
