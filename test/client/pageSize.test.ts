/** Pages of the list of status pages that are larger than what is read into memory. */
import { clientOf, failureOf, send, serve } from "./services";

test.each([
  ["awaited", (list: AsyncIterable<unknown> & PromiseLike<unknown>) => list],
  ["iterated over", (list: AsyncIterable<unknown>) => list[Symbol.asyncIterator]().next()],
])("%s, a page that is too large is an error that advises a smaller limit", async (_, take) => {
  const history = "x".repeat(1024 * 1024);
  const entries = Array.from({ length: 33 }, (_, index) => ({ id: String(index), name: "A page", history }));
  const service = await serve((response) => send(response, { entries }));
  const error = await failureOf(take(clientOf(service).client.listStatusPages({ limit: 50 })));
  expect(error.name).toBe("ResponseShapeError");
  expect(error.message).toBe(
    "listStatusPages: the response is larger than 32 MiB. Ask for fewer status pages at a time, with a smaller limit.",
  );
  expect(service.requests).toHaveLength(1);
});
