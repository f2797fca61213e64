/** Faults that replace a response by another one, which is then sent as usual. */
import { errorBody, type HttpResponse, jsonResponse } from "../http/httpResponse";
import type { EndingFault } from "./faultKinds";

const htmlPage = (title: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>proxy</body></html>\n`;

const htmlResponse = (status: number, title: string): HttpResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: htmlPage(title),
});

/** The response itself for a fault that breaks it instead. */
export function replacedResponse(original: HttpResponse, fault: EndingFault): HttpResponse {
  switch (fault.kind) {
    case "status": {
      const response = errorStatus(fault);
      return { ...response, headers: { ...response.headers, ...fault.headers } };
    }
    case "rateLimit": {
      const limited = jsonResponse(429, errorBody(429, "Rate limit exceeded, retry later."));
      if (fault.retryAfter === undefined) return limited;
      const date = new Date(Date.now() + fault.retryAfter * 1000).toUTCString();
      const retryAfter = fault.as === "date" ? date : String(fault.retryAfter);
      return { ...limited, headers: { ...limited.headers, "retry-after": retryAfter } };
    }
    case "redirect":
      return { status: fault.code, headers: { location: fault.location }, body: "" };
    case "html":
      return htmlResponse(fault.code, "Welcome to the network");
    case "wrongJson":
      return { ...original, body: fault.wrong === "shape" ? '{"data":{"ok":true}}' : '{"id": "' };
    case "empty":
      return { status: fault.code, headers: {}, body: "" };
    default:
      return original;
  }
}

type StatusFault = Extract<EndingFault, { kind: "status" }>;

/** The formats in which deployments send errors. */
function errorStatus({ code, body, message }: StatusFault): HttpResponse {
  switch (body) {
    case "service":
      return jsonResponse(code, errorBody(code, message));
    case "error":
      return jsonResponse(code, { error: message });
    case "message":
      return jsonResponse(code, { message, errorCode: `E${code}` });
    case "string":
      return jsonResponse(code, message);
    case "html":
      return htmlResponse(code, `${code} ${message}`);
  }
}
