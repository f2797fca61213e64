import * as pulumi from "@pulumi/pulumi";
import { AlertChannel } from "../../sdk";

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
    call: () => ({}),
  }),
);
afterAll(() => pulumi.runtime.disconnect());

it.each(["import", "id"])("an observed resource is declared, and takes no option %s", (option) => {
  expect(() => new AlertChannel("mail", { channelId: 4107 }, { [option]: "4107" })).toThrow(
    'AlertChannel "mail": can\'t be imported or read by id: declaring it reads the existing object.',
  );
});
