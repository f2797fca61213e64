import { type dynamic } from "@pulumi/pulumi";
import { Connections } from "../connection";

/** The configuration of a provider process. All resource types share it, with its clients and their rate limits. */
export class Configuration {
  #connections: (() => Connections) | undefined;

  /**
   * Reads the configuration on the first call: the engine sends the same one to each resource type. A configuration error is
   * stored and thrown when a connection is needed, because only one of several concurrent calls would report it here.
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

  /** @throws ConfigurationError with all problems of the configuration. */
  get connections(): Connections {
    if (!this.#connections) throw new Error("The provider was called before it was configured.");
    return this.#connections();
  }
}
