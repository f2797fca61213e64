/** Where a test that is connected to sandboxes may not publish. */
import { type ClientOptions, type Problem } from "../client";

/** An account with a base URL of its own would publish on the real service in a test that is connected to sandboxes. */
export function outsideSandboxes(
  { baseUrl }: ClientOptions,
  sandboxes: string | undefined,
): readonly Problem[] {
  if (!sandboxes || !URL.canParse(baseUrl)) return [];
  const urls = sandboxes.split(" ");
  if (urls.includes(new URL(baseUrl).origin)) return [];
  const reason =
    `must be the URL of a connected sandbox (${urls.join(", ")}) while connectTo is in effect. ` +
    "For this account, start another sandbox, and call connectTo for it first";
  return [{ property: "baseUrl", reason }];
}
