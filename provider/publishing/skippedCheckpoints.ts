/** Whether the engine saves the state only at the end of a run, so that a killed one leaves nothing of its posts. */
export function areCheckpointsSkipped(): boolean {
  return /^(1|t|true)$/i.test(process.env["PULUMI_SKIP_CHECKPOINTS"] ?? "");
}
