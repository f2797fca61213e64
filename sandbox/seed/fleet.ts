/** Alert channels in the shapes that a real service stores. All values are invented. */
import { alertChannelTypes } from "../../provider/api";
import type { SandboxAccount } from "../store/data";
import { channels, usual } from "./fleet.json";

/** The service may have types that its contract doesn't. */
export type FleetAlertChannel = SandboxAccount["alertChannels"][number];

interface Row extends Partial<FleetAlertChannel> {
  /** Name for rule files. The service stores none. */
  readonly name: string;
  readonly type: string;
  readonly config: Record<string, unknown>;
  /** Days since the last change. Default: 30. */
  readonly age?: number;
}

const rows: readonly Row[] = channels;
const dayMs = 86_400_000;
const firstId = 218701;

/** As the service returns them, without names. */
export function fleet(now: Date): FleetAlertChannel[] {
  const ago = (age: number): string => new Date(now.getTime() - age * dayMs).toISOString();
  return rows.map(({ name: _, age = 30, ...row }, index) => ({
    id: firstId + index,
    ...usual,
    ...row,
    created_at: ago(age + 60),
    updated_at: age === 30 && index % 3 === 0 ? null : ago(age),
  }));
}

/** Ids of the fleet by name, for `channels` in a rule file. */
export const fleetNames: Readonly<Record<string, number>> = Object.fromEntries(
  rows.map(({ name }, index) => [name, firstId + index]),
);

/** The channels that the contract allows, for an account of the sandbox. */
export function contractFleet(now: Date): FleetAlertChannel[] {
  return fleet(now).filter(({ type }) => alertChannelTypes.some((known) => known === type));
}
