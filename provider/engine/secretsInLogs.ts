/** The records of a run in which the engine writes secrets in plain text. */

const records: readonly [name: string, isOn: (args: readonly string[], env: NodeJS.ProcessEnv) => boolean][] =
  [
    // The engine passes it for `--otel-traces`, too.
    ["--tracing or --otel-traces", (args) => args.includes("--tracing")],
    ["PULUMI_DEBUG_GRPC", (_, env) => Boolean(env["PULUMI_DEBUG_GRPC"])],
    // Only with `--logflow`: otherwise no provider can tell.
    ["-v=9", (args) => args.some((arg) => Number(/^-v=(\d+)$/.exec(arg)?.[1]) >= 9)],
  ];

/** Emits a notice, if this process can tell that there is such a record. */
export function warnOfSecretsInLogs(
  notice: (text: string) => void,
  args: readonly string[] = process.argv,
  env: NodeJS.ProcessEnv = process.env,
): void {
  const names = records.filter(([, isOn]) => isOn(args, env)).map(([name]) => name);
  if (names.length === 0) return;
  notice(
    `Pulumi records this run (${names.join(", ")}): it writes secret texts, and API keys of the configuration, in plain text. ` +
      "Don't share the record, and delete it. A key in MONITORING_API_KEY isn't written.",
  );
}
