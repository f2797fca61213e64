/** Text that a program, a YAML file or a Markdown file could misread. */
import { type Sandbox } from "../../sandbox";

export const nastyTexts: readonly string[] = [
  `He said: "It's 'down'."`,
  "`${process.exit(1)}` \\n \\${x} $$ $${y} $1 ${REGION} #{a} %s",
  "First.\r\nSecond.\r\n\r\n  - third \ttab",
  "# Heading\n\n> quote\n  indented \n\nlast: line",
  "---\nstatus: RESOLVED\n---\n| * & ! %",
  "zero\u200bwidth, no-break\u00a0space, line\u2028end, right\u202eto left, mark\ufeff",
  "👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 é e\u0301 日本語 \u{10fffd}",
  "</script><!-- */ // &lt;b&gt; &amp;",
  ...["NO", "nulls", "0x1f", "2026-11-24", "- a", "? b: c", "~ is nil", "true", "@x", "[1]", "a: b", "#c"],
];

/** Replaces an incident's updates with this number of updates that contain the text. Some of them are backdated. */
export function showNastyTexts({ dashboard }: Sandbox, incidentId: string, count: number): void {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const incidentUpdates = Array.from({ length: count }, (_, index) => ({
    id: `update-${index}`,
    status: "MONITORING" as const,
    description: nastyTexts[index % nastyTexts.length] ?? "",
    notifySubscribers: index === 0,
    created_at: ago(index),
    publicIncidentUpdateDate: ago(index % 3 === 0 ? 5 * index : index),
  }));
  dashboard.editIncident(incidentId, { incidentUpdates });
}
