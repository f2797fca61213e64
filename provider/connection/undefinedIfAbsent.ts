import { NotFoundError } from "../client";

/** What is read; undefined when the service says that it doesn't exist. */
export async function undefinedIfAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}
