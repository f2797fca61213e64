/** What services add to their answers, as the generated answers of `test/contract` brought to light. */
import { clientOf, serveJson } from "./services";

test.each([
  ["a theme of another kind", { themeColors: { light: { linkFontColor: "#06c" }, contrast: "high" } }],
  ["a theme without colours", { themeColors: { light: null } }],
  ["a colour of another kind", { themeColors: { dark: { linkFontColor: ["#06c", "#09f"] } } }],
])("%s doesn't cost the list of status pages", async (_, more) => {
  const entries = [{ id: "p1", name: "Checkout", ...more }];
  const service = await serveJson({ length: 1, entries, nextId: null });
  await expect(clientOf(service).client.listStatusPages()).resolves.toMatchObject({ entries });
});
