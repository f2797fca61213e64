import { isObject } from "../../provider/values/isObject";

test.each([
  [{}, true],
  [{ length: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ["text", false],
  [() => undefined, false],
])("%p is an object with fields: %p", (value, expected) => expect(isObject(value)).toBe(expected));
