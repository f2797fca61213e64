/** Adapts a lifecycle to the interface of Pulumi's dynamic providers. */
import { type dynamic } from "@pulumi/pulumi";
import { assertEngineAlive } from "../adapter/engineProcess";
import { PlainLifecycle } from "../adapter/plainLifecycle";
import { type Context, type Lifecycle } from "../lifecycles/lifecycle";
import { notice } from "../notice";
import { Configuration } from "./configuration";
import { toEngineError } from "./dynamicError";

type Raw = Record<string, unknown>;

export class DynamicProvider implements dynamic.ResourceProvider<Raw, Raw> {
  readonly #lifecycle: PlainLifecycle;
  readonly #configuration: Configuration;
  /** The engine starts a process for each preview, and doesn't say so. */
  #isPreview = false;

  constructor(lifecycle: Lifecycle, configuration = new Configuration()) {
    this.#lifecycle = new PlainLifecycle(lifecycle);
    this.#configuration = configuration;
  }

  #contextOf({ __resource: resource }: Raw): Context {
    const configuration = this.#configuration;
    return {
      get connections() {
        return configuration.connections;
      },
      publishing: configuration.publishing,
      resource: typeof resource === "string" ? resource : undefined,
      notice,
      assertEngineAlive,
    };
  }

  /** Takes effect synchronously, because concurrent first calls don't wait for it. */
  configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    this.#configuration.accept(config);
    return Promise.resolve();
  }

  async check(olds: Raw, { __preview: isPreview, ...news }: Raw): Promise<dynamic.CheckResult<Raw>> {
    this.#isPreview ||= isPreview === true;
    const context = this.#contextOf(news);
    return toEngineError(async () => {
      const checked = this.#lifecycle.check(olds, news, context);
      // A new resource has no old inputs. The engine checks a replacement a second time without them.
      const isNew = Object.keys(olds).length === 0;
      const previews = this.#isPreview && isNew && checked.failures.length === 0;
      if (previews) await this.#lifecycle.preview(checked.inputs, undefined, context);
      return checked;
    });
  }

  async diff(id: string, olds: Raw, news: Raw): Promise<dynamic.DiffResult> {
    // A refresh or destroy reads the serialized provider from the outputs, which the native plugin doesn't write.
    const moves = "__provider" in news && !("__provider" in olds);
    const context = this.#contextOf(news);
    return toEngineError(async () => {
      const diff = this.#lifecycle.diff(id, olds, news, context, moves);
      if (this.#isPreview && diff.changes && diff.replaces.length === 0) {
        await this.#lifecycle.preview(news, { id, outputs: olds }, context);
      }
      return diff;
    });
  }

  async create(inputs: Raw): Promise<dynamic.CreateResult<Raw>> {
    return toEngineError(async () => {
      const { id, outputs } = await this.#lifecycle.create(inputs, this.#contextOf(inputs));
      return { id, outs: outputs };
    }, inputs);
  }

  async read(id: string, props: Raw = {}): Promise<dynamic.ReadResult<Raw>> {
    return toEngineError(async () => {
      const { id: readId, outputs } = await this.#lifecycle.read(id, props, this.#contextOf(props));
      return { id: readId, props: outputs };
    });
  }

  async update(id: string, olds: Raw, news: Raw): Promise<dynamic.UpdateResult<Raw>> {
    return toEngineError(async () => {
      return { outs: await this.#lifecycle.update(id, olds, news, this.#contextOf(news)) };
    }, news);
  }

  async delete(id: string, props: Raw): Promise<void> {
    return toEngineError(() => this.#lifecycle.delete(id, props, this.#contextOf(props)));
  }
}
