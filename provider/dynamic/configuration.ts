import { type dynamic } from "@pulumi/pulumi";
import { Connections } from "../connection/connections";
import { tellLongWait } from "../connection/longWait";
import { DeferredConnections } from "../engine/deferredConnections";
import { notice } from "../engine/notice";
import { Publishing } from "../publishing/publishing";

/** The configuration of a provider process. All resource types share it, with its clients and their limits. */
export class Configuration extends DeferredConnections {
  readonly publishing = new Publishing();

  /** Reads the configuration on the first call: the engine sends the same one to each resource type. */
  accept(config: dynamic.Config): void {
    if (this.isConfigured) return;
    const options = { onRequest: tellLongWait(notice) };
    this.configure(() => new Connections((key) => config.get(`monitoring:${key}`), process.env, options));
  }
}
