/** Compiled, not run: interfaces of the audit and their schemas have the same fields of the same types. */
import type { z } from "zod";
import type * as client from "../../provider/api/objects";
import type * as sdk from "../../sdk/returnedObjects";
import type { AlertChannel, Rules, Selection, Waiver } from "../../audit";
import type { rulesSchemaWith } from "../../audit/ruleFile/schema";

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
type Within<A, B> = [A, keyof A] extends [B, keyof B] ? true : false;
type Same<Schema, Interface> =
  Within<Mutable<Schema>, Mutable<Interface>> extends true
    ? Within<Mutable<Interface>, Mutable<Schema>>
    : false;
type Prove<All extends true[]> = All;

type RulesAsChecked = z.output<ReturnType<typeof rulesSchemaWith>>;

export type Proven = Prove<
  [
    Same<NonNullable<RulesAsChecked["overrides"]>[number]["select"], Selection>,
    Same<NonNullable<RulesAsChecked["waivers"]>[number], Waiver>,
    Same<Omit<RulesAsChecked, "customRules">, Omit<Rules, "customRules">>,
    client.AlertChannel extends AlertChannel ? true : false,
    sdk.AlertChannel extends AlertChannel ? true : false,
  ]
>;
