import { type RequestEvent } from "../client/attempts";

const longestSilentMs = 10_000;

/**
 * A listener of requests that says once when the service makes a client wait for long (HTTP 429): the run would look as if it
 * hung.
 */
export function tellLongWait(tell: (text: string) => void): (event: RequestEvent) => void {
  let wasTold = false;
  return ({ operation, pauseMs = 0 }) => {
    if (wasTold || pauseMs <= longestSilentMs) return;
    wasTold = true;
    const seconds = Math.ceil(pauseMs / 1000);
    tell(
      `${operation}: the service allows no more requests at the moment (HTTP 429), so this run waits ${seconds} s.`,
    );
  };
}
