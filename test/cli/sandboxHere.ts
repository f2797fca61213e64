/** `monitoring sandbox` in this process. */
import { sandboxCommand } from "../../cli/sandboxCommand";

interface Running {
  /** What it printed. */
  readonly text: string;
  readonly url: string;
  /** Sends a signal; resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** Starts one on a free port, unless another is given later in the arguments. */
export async function sandboxHere(...args: string[]): Promise<Running> {
  const printed = jest.spyOn(console, "log");
  const greeting = new Promise<string>((resolve) => printed.mockImplementation(resolve));
  const ended = sandboxCommand.run(["--port", "0", ...args]);
  const text = await Promise.race([greeting, ended.then((code) => `It ended with ${code}.`)]);
  printed.mockRestore();
  return {
    text,
    url: addressIn(text),
    stop(signal = "SIGTERM") {
      process.emit(signal, signal);
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
