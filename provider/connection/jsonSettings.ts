/** What the settings may hold whose values are JSON. */
import { z } from "zod";

export const accountsSchema = z.record(
  z.string(),
  z.strictObject(
    {
      apiKey: z.string({ error: "must be a string" }),
      accountId: z.string({ error: "must be a string" }).optional(),
      baseUrl: z.string({ error: "must be a string" }).optional(),
    },
    { error: "must be an object with apiKey and, optionally, accountId and baseUrl" },
  ),
  { error: 'must be a JSON object of accounts by name, such as {"eu": {"apiKey": "…"}}' },
);

export const alertChannelsSchema = z.record(
  z.string(),
  z.union([z.string(), z.number()], { error: "must be an id" }),
  {
    error: 'must be a JSON object of ids by name, such as {"on-call": 200123}',
  },
);
