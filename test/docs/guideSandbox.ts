/** The sandbox of each test of a guide. */
import { type Sandbox, type SandboxData, startSandbox } from "../../sandbox";

let sandbox: Sandbox;

/** That of the current test. */
export const currentSandbox = (): Sandbox => sandbox;

export const posted = (): number => sandbox.requests.filter(({ applied }) => applied).length;

export const posts = (): Sandbox["requests"] => sandbox.requests.filter(({ method }) => method === "POST");

export function useSandbox(): void {
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());
}

/** The same service, with another key. */
export async function replaceKey(): Promise<void> {
  const { port } = new URL(sandbox.url);
  const data: SandboxData = structuredClone(sandbox.data);
  await sandbox.close();
  sandbox = await startSandbox({
    port: Number(port),
    apiKey: "mon_sandbox_new0123456789abcdef01234567",
    seed: data,
  });
}
