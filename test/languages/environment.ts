/** Sets the environment of programs in other languages, for all child processes of the tests. */
import { delimiter } from "node:path";
import { pathKey } from "../../tools/setup/engine";
import { prepareLanguages } from "../../tools/test/languages";

beforeAll(async () => {
  const { hosts, python } = await prepareLanguages();
  const key = pathKey(process.env);
  Object.assign(process.env, {
    [key]: [process.env[key], ...hosts].join(delimiter),
    // `pip install` finds Pulumi's SDK here, so that it downloads nothing.
    PYTHONPATH: python,
    PIP_NO_INDEX: "1",
    // According to pip's documentation, this value enables the option `no-build-isolation`.
    PIP_NO_BUILD_ISOLATION: "0",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PYTHONDONTWRITEBYTECODE: "1",
  });
});
