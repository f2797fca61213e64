/** The providers of one process: they share its configuration. */
import { endWithEngine } from "../engine/engineProcess";
import { warnOfSecretsInLogs } from "../engine/secretsInLogs";
import { lifecycles } from "../engine/lifecycles";
import { notice } from "../engine/notice";
import { type ResourceType } from "../engine/resourceTypes";
import { Configuration } from "./configuration";
import { printErrorsOnce } from "./dynamicError";
import { DynamicProvider } from "./provider";

endWithEngine();
printErrorsOnce();
warnOfSecretsInLogs(notice);

const configuration = new Configuration();

export function providerOf(type: ResourceType): DynamicProvider {
  return new DynamicProvider(lifecycles[type], configuration);
}
