import { errorCode } from "../../provider/client/rawResponse";

const withCode = (code: unknown): Error => Object.assign(new Error("secret"), { code });

test.each(["ECONNREFUSED", "DEPTH_ZERO_SELF_SIGNED_CERT", "Z_BUF"])("%s is shown", (code) => {
  expect(errorCode(withCode(code))).toBe(code);
});

test.each([
  withCode("econnrefused"),
  withCode("see ECONNREFUSED"),
  withCode("ECONNREFUSED of mon_secret"),
  withCode("E"),
  withCode(`E${"X".repeat(61)}`),
  withCode(["ECONNREFUSED"]),
  withCode(undefined),
  new Error("ECONNREFUSED"),
  { code: "ECONNREFUSED" },
  "ECONNREFUSED",
  undefined,
])("nothing else is a code that may be shown: %p", (error) => {
  expect(errorCode(error)).toBeUndefined();
});
