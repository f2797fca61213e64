/** Runs the built command in a separate process. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

/** The built command. */
export const built = join(root, "dist", "cli", "monitoring.js");

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

export interface Running {
  process: ChildProcess;
  /** Resolves to everything printed to stdout as soon as that matches. */
  printed(pattern: RegExp): Promise<string>;
  /** Resolves when the process has ended. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

export const monitoring = (...args: string[]): Running => startMonitoring({}, ...args);

export function startMonitoring(environment: NodeJS.ProcessEnv, ...args: string[]): Running {
  const child = spawn(process.execPath, [built, ...args], {
    env: { ...process.env, ...environment, NODE_PATH: join(root, "node_modules") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text) => (stdout += String(text)));
  child.stderr.on("data", (text) => (stderr += String(text)));
  return {
    process: child,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => pattern.test(stdout) && resolve(stdout);
        child.stdout.on("data", look);
        child.once("close", () => reject(new Error(`ended without printing ${pattern}: ${stdout}${stderr}`)));
        look();
      }),
    ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr }))),
  };
}
