/** What a fault makes of an answer, as long as it is still an answer. */
import { type Answer, errorBody, jsonAnswer } from "./answers";
import type { EndingFault } from "./faultKinds";

const htmlPage = (title: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>proxy</body></html>\n`;

const htmlAnswer = (status: number, title: string): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: htmlPage(title),
});

export function spoilt(answer: Answer, fault: EndingFault): Answer {
  switch (fault.kind) {
    case "status": {
      const spoilt = statusAnswer(fault);
      return { ...spoilt, headers: { ...spoilt.headers, ...fault.headers } };
    }
    case "rateLimit": {
      const limited = jsonAnswer(429, errorBody(429, "Rate limit exceeded, retry later."));
      if (fault.retryAfter === undefined) return limited;
      const date = new Date(Date.now() + fault.retryAfter * 1000).toUTCString();
      const retryAfter = fault.as === "date" ? date : String(fault.retryAfter);
      return { ...limited, headers: { ...limited.headers, "retry-after": retryAfter } };
    }
    case "redirect":
      return { status: fault.code, headers: { location: fault.location }, body: "" };
    case "html":
      return htmlAnswer(fault.code, "Welcome to the network");
    case "wrongJson":
      return { ...answer, body: fault.wrong === "shape" ? '{"data":{"ok":true}}' : '{"id": "' };
    case "empty":
      return { status: fault.code, headers: {}, body: "" };
    default:
      return answer;
  }
}

type StatusFault = Extract<EndingFault, { kind: "status" }>;

/** The shapes in which deployments send an error. */
function statusAnswer({ code, body, message }: StatusFault): Answer {
  switch (body) {
    case "service":
      return jsonAnswer(code, errorBody(code, message));
    case "error":
      return jsonAnswer(code, { error: message });
    case "message":
      return jsonAnswer(code, { message, errorCode: `E${code}` });
    case "string":
      return jsonAnswer(code, message);
    case "html":
      return htmlAnswer(code, `${code} ${message}`);
  }
}
