import { log } from "@pulumi/pulumi";
import type { z } from "zod";
import type { Lookup } from "../../provider/lookups/lookup";
import { allConnections } from "../stackConnections";
import { withLogErrors } from "../logErrors";

/** Reads with these arguments, which the lookup checks. */
export type Read<Result> = (args: object) => Promise<Result>;

/** Creates a data source from a lookup, which is loaded with zod and axios on first use. */
export function dataSource<Shape extends z.ZodRawShape, Result>(
  load: () => Promise<Lookup<Shape, Result>>,
): Read<Result> {
  return (args) =>
    withLogErrors(async () => {
      const { runLookup } = await import("../../provider/lookups/lookup");
      const connections = await allConnections();
      return runLookup(await load(), args, { connections, progress: logProgress });
    });
}

function logProgress(text: string): Promise<void> {
  return log.info(text, undefined, undefined, true);
}
