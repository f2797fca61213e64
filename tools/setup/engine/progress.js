const { stderr } = process;

/** Set-up prints to stderr: stdout belongs to the command. @param {string} line */
function say(line) {
  stderr.write(`${line}\n`);
}

/** @param {number} ms */
function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs a long action and shows its progress: in place on a terminal, one line every 20 s elsewhere.
 * @template T
 * @param {string} title
 * @param {string} estimate such as "about a minute"
 * @param {(detail: (text: string) => void) => Promise<T>} action calls `detail` with its progress
 * @returns {Promise<T>}
 */
async function step(title, estimate, action) {
  const started = Date.now();
  let detail = "";
  const elapsed = () => duration(Date.now() - started);
  const state = () => [elapsed(), detail].filter(Boolean).join(", ");
  const heading = `${title} (${estimate})`;
  const inPlace = () =>
    stderr.write(`\r\x1b[2K${`${heading}: ${state()}`.slice(0, (stderr.columns || 80) - 1)}`);
  if (stderr.isTTY) inPlace();
  else say(heading);
  const timer = stderr.isTTY ? setInterval(inPlace, 500) : setInterval(() => say(`  ${state()}`), 20_000);
  let outcome = "failed";
  try {
    const result = await action((text) => (detail = text));
    outcome = "done";
    return result;
  } finally {
    clearInterval(timer);
    if (stderr.isTTY) stderr.write("\r\x1b[2K");
    say(`${title}: ${outcome} in ${elapsed()}`);
  }
}

module.exports = { say, step };
