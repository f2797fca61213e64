import { type Connections } from "../connection/connections";

/**
 * The connections of a provider. A configuration error is stored and thrown when a connection is needed: `destroy` needs
 * none, and only one of several concurrent calls would report it earlier.
 */
export class DeferredConnections {
  #connections: (() => Connections) | undefined;

  get isConfigured(): boolean {
    return this.#connections !== undefined;
  }

  configure(connect: () => Connections): void {
    try {
      const connections = connect();
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
