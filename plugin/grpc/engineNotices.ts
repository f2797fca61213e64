/** Notices on the line of the resource that they are about, or of the stack. Nobody sees what a plugin writes to stderr. */
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { type NoticeText, printed } from "../../provider/texts/printable";
import { grpc } from "./grpcLibrary";

export class EngineNotices {
  readonly #engine: EngineClient | undefined;
  readonly #sending = new Set<Promise<void>>();

  /** @param address Of the engine; without one, notices are dropped. */
  constructor(address: string | undefined) {
    if (address !== undefined) this.#engine = new EngineClient(address, grpc.credentials.createInsecure());
  }

  /** @param urn Empty for what is about no resource. */
  notice(urn: string, text: NoticeText): void {
    this.#log(new LogRequest().setSeverity(LogSeverity.INFO).setMessage(printed(text)).setUrn(urn));
  }

  warning(urn: string, text: string): void {
    this.#log(new LogRequest().setSeverity(LogSeverity.WARNING).setMessage(text).setUrn(urn));
  }

  /** Resolves when the engine has every notice. It drops those that come after the response they belong to. */
  async sent(): Promise<void> {
    await Promise.all(this.#sending);
  }

  #log(request: LogRequest): void {
    const sending = new Promise<void>((done) => {
      // A notice that the engine doesn't take must not fail what was done.
      if (this.#engine) this.#engine.log(request, () => done());
      else done();
    });
    this.#sending.add(sending);
    void sending.then(() => this.#sending.delete(sending));
  }
}
