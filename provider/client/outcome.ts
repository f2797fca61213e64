/** Turns the result of an attempt into the value that the caller gets, or into an error. */
import { appliedBy } from "./applied";
import { isJson } from "./transport/body";
import { errorOfFailure, errorOfShape, errorOfStatus, type Subject } from "./errorTexts";
import { type MonitoringError } from "./errors";
import { type AttemptResult, isSuccess } from "./transport/attemptResult";
import { type Received } from "./paging";

/** The value of a successful response, or why there is none. */
export function toOutcome<Response>(
  result: AttemptResult,
  subject: Subject<Response>,
): Received<Response> | { readonly error: MonitoringError } {
  const content = contentOf(result, subject);
  const applied = subject.operation.idempotent ? undefined : appliedBy(result, "value" in content);
  if ("value" in content) return content;
  if (result.kind === "failure") return { error: errorOfFailure(result, subject, applied) };
  if (!isSuccess(result.status)) return { error: errorOfStatus(result, subject, applied) };
  return { error: errorOfShape(content.problem, subject, applied) };
}

function contentOf<Response>(
  result: AttemptResult,
  { operation, masker }: Subject<Response>,
): Received<Response> | { readonly problem: string } {
  if (result.kind === "failure" || !isSuccess(result.status)) return { problem: "" };
  const { body } = result;
  if (!isJson(body))
    return { problem: body.text === "" ? "the response is empty" : "the response is not JSON" };
  // What was written is public; what is read is compared with declarations, which a masked text would defeat.
  if (masker.hideKey(body) && operation.idempotent) return { problem: "the response contains the API key" };
  const parsed = operation.response.safeParse(body.json);
  if (parsed.success) return { value: parsed.data, size: body.size };
  const paths = new Set(parsed.error.issues.map((issue) => issue.path.join(".") || "the response itself"));
  const named = masker.maskMessage([...paths].slice(0, 10).join(", "));
  return { problem: `these fields of the response don't match the API: ${named}` };
}
