/** What programs in other languages need, for all that the tests start. */
import { delimiter } from "node:path";
import { pathKey } from "../../tools/setup/engine";
import { prepareLanguages } from "../../tools/test/languages";

beforeAll(async () => {
  const { hosts, python } = await prepareLanguages();
  const key = pathKey(process.env);
  Object.assign(process.env, {
    [key]: [process.env[key], ...hosts].join(delimiter),
    // `pip install` finds Pulumi's SDK there, and downloads nothing.
    PYTHONPATH: python,
    PIP_NO_INDEX: "1",
    // By pip's documentation, this value of the option `no-build-isolation` sets it.
    PIP_NO_BUILD_ISOLATION: "0",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PYTHONDONTWRITEBYTECODE: "1",
  });
});
