/** The providers that the state of a stack references (`dynamic/serializedProvider.ts`): one per resource type. */
import { Configuration } from "./configuration";
import { printErrorsOnce } from "./dynamicError";
import { DynamicProvider } from "./provider";
import { endWithEngine } from "../engine/engineProcess";
import { tellOfPlainRecords } from "../engine/plainRecords";
import { lifecycles } from "../lifecycles";
import { notice } from "../engine/notice";

endWithEngine();
printErrorsOnce();
tellOfPlainRecords(notice);

const configuration = new Configuration();

export const AlertChannel = new DynamicProvider(lifecycles.AlertChannel, configuration);
export const IncidentUpdate = new DynamicProvider(lifecycles.IncidentUpdate, configuration);
export const StatusPage = new DynamicProvider(lifecycles.StatusPage, configuration);
