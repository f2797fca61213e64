/** For each rule of the package: channels that keep it, that break it, and that lie right at its boundary. */
import { alerts } from "./alerts";
import type { Cases } from "./case";
import { credentials } from "./credentials";
import { fleet } from "./fleet";
import { targets } from "./targets";

export type { Case, Said } from "./case";

export const ruleCases: Cases = { ...alerts, ...targets, ...credentials, ...fleet };
