import { inspect } from "node:util";
import * as errors from "../../provider/client/errors";
import { ApiError, isMonitoringError, NotFoundError } from "../../provider/client";
import { apiKey, clientOf, failureOf, news, send, serve, serveJson } from "./services";

const once = { maxAttempts: 1 };

describe("the class of an error is the answer's status", () => {
  test.each([
    [300, "ApiError"],
    [301, "ApiError"],
    [302, "ApiError"],
    [304, "ApiError"],
    [307, "ApiError"],
    [308, "ApiError"],
    [400, "RequestError"],
    [401, "AuthenticationError"],
    [402, "RequestError"],
    [403, "PermissionError"],
    [404, "NotFoundError"],
    [405, "RequestError"],
    [408, "RequestError"],
    [409, "RequestError"],
    [410, "RequestError"],
    [418, "RequestError"],
    [422, "RequestError"],
    [429, "RateLimitError"],
    [499, "RequestError"],
    [500, "ServerError"],
    [502, "ServerError"],
    [503, "ServerError"],
    [599, "ServerError"],
    [999, "ServerError"],
  ])("HTTP %i is %s", async (status, name) => {
    const service = await serveJson({ statusCode: 200, error: "Something" }, status);
    const error = await failureOf(clientOf(service, once).client.getAlertChannel(7));
    expect(error).toMatchObject({ name, status, operation: "getAlertChannel" });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain(`(HTTP ${status})`);
  });
});

describe("what the service says is in the message", () => {
  test.each([
    [
      "statusCode, error and message",
      { statusCode: 409, error: "Conflict", message: "Try later" },
      ': "Try later"',
    ],
    ["statusCode and error", { statusCode: 409, error: "Conflict", attributes: {} }, ': "Conflict"'],
    ["error alone", { error: "No such thing" }, ': "No such thing"'],
    ["message and errorCode", { message: "Bad luck", errorCode: "E1" }, ': "Bad luck"'],
    ["a bare text", "Not today", ': "Not today"'],
    ["an empty message", { message: "", error: "Conflict" }, ': "Conflict"'],
    ["a message of another type", { message: { a: 1 }, error: "Conflict" }, ': "Conflict"'],
    ["control characters", { message: "a\nb\u001b[31m\u0000c\u202ed\te" }, ': "a b [31m c d e"'],
    ["white space around it", { message: "  Not \t today \n" }, ': "Not today"'],
    ["as much as is quoted whole", { message: "x".repeat(300) }, `: "${"x".repeat(300)}"`],
    ["a long story", { message: "x".repeat(5_000) }, `: "${"x".repeat(300)}…"`],
    ["nothing", {}, ""],
    ["null", null, ""],
    ["a list", ["no"], ""],
  ])("%s", async (_, body, said) => {
    const { client } = clientOf(await serveJson(body, 409), once);
    expect((await failureOf(client.getAlertChannel(7))).message).toBe(
      `getAlertChannel 7: refused (HTTP 409)${said}. Fix what the service names, then run again.`,
    );
  });

  test("the page of a proxy in front is named, not quoted", async () => {
    const page = "<!doctype html><html><body>Bad gateway at 10.0.0.7</body></html>";
    const service = await serve((response) => response.writeHead(502).end(page));
    const error = await failureOf(clientOf(service, once).client.getAlertChannel(7));
    expect(error.message).toBe(
      'getAlertChannel 7: the service failed (HTTP 502): "an HTML page, perhaps of a proxy in front". Try again later.',
    );
  });

  test("of an update, never its text, in whatever form it comes back", async () => {
    const description = `The "blue" <region>\nisn't up????? & well: this/that`;
    const forms = [
      description,
      JSON.stringify(description),
      JSON.stringify(JSON.stringify(description)),
      JSON.stringify(description).replaceAll("/", "\\/"),
      description.replace("\n", "\r\n"),
      description.replace("\n", " "),
      description.replaceAll(" ", "  "),
      "The &quot;blue&quot; &lt;region&gt;\nisn&#39;t up????? &amp; well: this/that",
      encodeURIComponent(description),
      new URLSearchParams({ "": description }).toString().slice(1),
      ...["", "x", "xx"].map((before) => Buffer.from(before + description).toString("base64")),
      Buffer.from(description).toString("base64url"),
      Buffer.from(description).toString("hex"),
      description.toUpperCase(),
      `${description.slice(0, 18)}…`,
      `${JSON.stringify(description).slice(0, 18)}…`,
    ];
    const service = await serve((response, _, turn) => send(response, { message: forms[turn - 1] }, 422));
    const { client } = clientOf(service);
    const write = () => client.createIncidentUpdate("i1", { ...news, description: `\n ${description} ` });
    for (const form of forms) {
      const { message } = await failureOf(write());
      // Quotation marks may be left, and what base64 makes of the text's neighbours.
      expect([form, message]).toEqual([
        form,
        expect.stringMatching(/422\): "\S{0,4}\[hidden\]\S{0,4}"\. Fix/),
      ]);
    }
  });

  test.each([
    ["an update's text", `${"Wide (and long) ".repeat(20_000)}end`, apiKey],
    ["an API key", news.description, `wide.${"0aZ_-/+~".repeat(1_000)}`],
  ])("of %s that is very long: neither any of it nor another error", async (what, description, key) => {
    const secret = what === "an API key" ? key : description;
    const service = await serve((response, _, turn) =>
      send(response, { message: `No: ${secret.toUpperCase()}!` }, turn === 1 ? 422 : 503),
    );
    const { client } = clientOf(service, { apiKey: key });
    const write = () => client.createIncidentUpdate("i1", { ...news, description });
    const [refused, unknown] = [await failureOf(write()), await failureOf(write())];
    expect(refused.message).toBe(
      'createIncidentUpdate i1: refused (HTTP 422): "No: [hidden]!". Fix what the service names, then run again.',
    );
    expect(unknown.name).toBe("OutcomeUnknownError");
    expect(unknown.message).toContain('answered HTTP 503: "No: [hidden]!", so it may or may not');
  });

  test.each([
    ["1234567", "İpswich: 31323334353637, [hidden]."],
    ["12345678", "İpswich: [hidden], [hidden]."],
  ])("of %s: in other forms only if it is long enough to be told from other words", async (text, said) => {
    const service = await serveJson(
      { message: `İpswich: ${Buffer.from(text).toString("hex")}, ${text}.` },
      422,
    );
    const { client } = clientOf(service);
    const { message } = await failureOf(client.createIncidentUpdate("i1", { ...news, description: text }));
    expect(message).toContain(`"${said}"`);
  });

  test("half of a surrogate pair in an update's text is no reason to fail otherwise", async () => {
    const { client } = clientOf(await serveJson({ message: "No" }, 422));
    const error = await failureOf(
      client.createIncidentUpdate("i1", { ...news, description: "half \ud83d pair" }),
    );
    expect(error.name).toBe("RequestError");
  });
});

test("absence says not found, and that the account may be the wrong one", async () => {
  const { client } = clientOf(await serveJson({ statusCode: 404, error: "Not Found" }, 404));
  const error = await failureOf(client.getIncidentUpdate("i1", "u1"));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.message).toBe(
    'getIncidentUpdate i1/u1: not found (HTTP 404): "Not Found". ' +
      "A right id under another account is answered the same way: check the account id, and the base URL.",
  );
});

test.each([
  ["as it is", "req-1", "req-1"],
  ["trimmed to what can be printed", "re\tq " + "x".repeat(400), `re q ${"x".repeat(295)}…`],
  ["and missing when it is empty", "", undefined],
])("the request id is given for the service's support, %s", async (_, sent, given) => {
  const service = await serve((response) => response.writeHead(400, { "x-request-id": sent }).end());
  const error = await failureOf(clientOf(service).client.getAlertChannel(7));
  expect(error).toMatchObject(given === undefined ? {} : { requestId: given });
  expect("requestId" in error).toBe(given !== undefined);
  expect(error.message.includes("Request id:")).toBe(given !== undefined);
});

describe("an error of this package", () => {
  const made = () =>
    new NotFoundError("getAlertChannel 7: not found", { status: 404, operation: "getAlertChannel" });

  test("is known as one, by its name and in print", () => {
    expect(isMonitoringError(made())).toBe(true);
    expect(String(made())).toBe("NotFoundError: getAlertChannel 7: not found");
    expect(inspect(made())).toMatch(/^NotFoundError: getAlertChannel 7: not found\n {4}at /);
  });

  test("is known as one when another copy of the package made it", () => {
    let other: typeof errors | undefined;
    jest.isolateModules(() => {
      other = jest.requireActual<typeof errors>("../../provider/client/errors");
    });
    const foreign = new (other ?? errors).NotFoundError("x", { status: 404, operation: "x" });
    expect(foreign).not.toBeInstanceOf(NotFoundError);
    expect(isMonitoringError(foreign)).toBe(true);
  });

  test.each([undefined, null, "text", 7, new Error("x"), { name: "MonitoringError" }, new DOMException("x")])(
    "%p is none",
    (value) => expect(isMonitoringError(value)).toBe(false),
  );

  test("has a name of its own in each class, and the root's ancestry", () => {
    const classes = Object.entries(errors).filter(([name]) => /^[A-Z]/.test(name));
    expect(classes).toHaveLength(15);
    for (const [name, value] of classes) {
      expect(value.prototype).toHaveProperty("name", name);
      expect(value === errors.MonitoringError || value.prototype instanceof errors.MonitoringError).toBe(
        true,
      );
    }
  });

  test("carries nothing but what it says: no cause, no request, no header", async () => {
    const service = await serveJson({ message: "no" }, 500);
    const error = await failureOf(clientOf(service, once).client.getAlertChannel(7));
    expect(Reflect.ownKeys(error).sort()).toEqual(["message", "operation", "stack", "status"]);
    expect("cause" in error).toBe(false);
  });
});
