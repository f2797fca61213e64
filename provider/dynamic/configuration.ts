import { type dynamic } from "@pulumi/pulumi";
import { Connections } from "../connection";

/** The configuration of a provider process. All its kinds share one, and with it the clients and their limits. */
export class Configuration {
  #connections: (() => Connections) | undefined;

  /**
   * Takes what the engine says first; it says the same to each kind. A mistake in it is kept for whoever needs a
   * connection, because only one of several concurrent calls would hear of it now.
   */
  accept(config: dynamic.Config): void {
    if (this.#connections) return;
    try {
      const connections = new Connections((key) => config.get(`monitoring:${key}`), process.env);
      this.#connections = () => connections;
    } catch (error) {
      this.#connections = () => {
        throw error;
      };
    }
  }

  /** @throws ConfigurationError with every mistake in the configuration. */
  get connections(): Connections {
    if (!this.#connections) throw new Error("The provider was called before it was configured.");
    return this.#connections();
  }
}
