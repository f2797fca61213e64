/** `monitoring sandbox` in this process. */
import { commands } from "../../cli/commands";

interface Running {
  /** What it printed. */
  readonly text: string;
  readonly url: string;
  /** Sends a signal; resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

const ends: (() => void)[] = [];
// Also of a test that fails.
afterEach(() => ends.splice(0).forEach((end) => end()));

/** Starts one on a free port, unless another is given later in the arguments. */
export async function sandboxHere(...args: string[]): Promise<Running> {
  const printed = jest.spyOn(console, "log");
  const listening = jest.spyOn(process, "once");
  const greeting = new Promise<string>((resolve) => printed.mockImplementation(resolve));
  const stops = new Map<string, () => void>();
  const ended = commands.sandbox.run(["--port", "0", ...args]);
  const text = await Promise.race([greeting, ended.then((code) => `It ended with ${code}.`)]).finally(() => {
    for (const [event, listener] of listening.mock.calls) {
      if (!String(event).startsWith("SIG")) continue;
      stops.set(String(event), () => Reflect.apply(listener, process, []));
      ends.push(() => process.removeListener(event, listener));
    }
    printed.mockRestore();
    listening.mockRestore();
  });
  ends.push(...stops.values());
  return {
    text,
    url: addressIn(text),
    stop(signal = "SIGTERM") {
      const end = stops.get(signal);
      if (!end) throw new Error(`It doesn't end at ${signal}.`);
      end();
      return ended;
    },
  };
}

/** The address that a sandbox printed. */
export function addressIn(text: string): string {
  const [, url] = /BASE_URL=(\S+)/.exec(text) ?? [];
  if (url === undefined) throw new Error(`No address was printed: ${text}`);
  return url;
}
