/** Templates whose alerts are lost: no JSON, although they are sent as JSON. What a variable may stand for is no mistake. */
import { redactConfig } from "../../provider/credentials";

const factsOf = (key: string, value: string, headers: unknown) =>
  redactConfig({ type: "WEBHOOK", config: { [key]: value, headers } })[key] as { isInvalidJson?: true };
const isInvalidJson = (template: string, headers: unknown) =>
  factsOf("template", template, headers).isInvalidJson === true;
const typed = (value: unknown, key = "Content-Type") => [
  { key: "x-team", value: "ops" },
  { key, value },
];

const json = ["application/json", "application/json; charset=utf-8", " Application/vnd.api+JSON"];
const others = ["x-content-type", "content-type-options"].map((key) => typed("application/json", key));
const unsaid = [undefined, [], null, "content-type: application/json", ...others];

test.each([
  ["a comma after the last member", '{"text": "{{ALERT_TITLE}}",}'],
  ["a missing comma", '{"text": "{{ALERT_TITLE}}" "link": "{{RESULT_LINK}}"}'],
  ["a missing bracket", '{"alert": {"title": "{{ALERT_TITLE}}"}'],
  ["single quotes", "{'text': '{{ALERT_TITLE}}'}"],
  ["a key without quotes", '{text: "{{ALERT_TITLE}}"}'],
  ["a line break in a string", '{"text": "{{ALERT_TITLE}}\n{{RESULT_LINK}}"}'],
  ["a text without quotes", '{"text": {{ALERT_TITLE}}}'],
  ["a text without quotes in three braces", '{"text": {{{ ALERT_TITLE }}} }'],
  ["a text with one quote", '{"text": {{CHECK_NAME}}"}'],
  ["a mistake beside a number", '{"ms": {{RESPONSE_TIME}}, "days": {{{SSL_DAYS_REMAINING}}},}'],
  ["a mistake beside a variable in quotes", '{"team": "{{TEAM}}",}'],
  ["a mistake after a quote in a string", '{"text": "\\"{{TEAM}}\\"",}'],
  ["an escape outside of a string", '{\\n"text": "{{ALERT_TITLE}}"}'],
  ["a mistake in a list of objects", '\n[ {"text": "{{ALERT_TITLE}}"},]'],
])("a template with %s is no JSON", (_, template) => {
  const all = [...unsaid, ...json.map((type) => typed(type)), typed("application/json", "content-type")];
  expect(all.filter((headers) => !isInvalidJson(template, headers))).toEqual([]);
});

test.each([
  ["JSON", '{"text": "{{ALERT_TITLE}}: {{CHECK_NAME}}"}'],
  ["JSON in lines", '{\n  "text": "{{ALERT_TITLE}}",\n  "link": "{{RESULT_LINK}}"\n}\n'],
  ["numbers", '{"a":{"ms":{{RESPONSE_TIME}},"status":{{API_CHECK_RESPONSE_STATUS_CODE}}}}'],
  ["numbers in three braces", '{"days":{{{SSL_DAYS_REMAINING}}}}'],
  ["a value of one's own without quotes", '{"a":{"count":{{COUNT}}}}'],
  ["a member of one's own", '{"text": "{{ALERT_TITLE}}" {{MORE}}}'],
  ["a list of the service", '{"tags": {{TAGS}}}'],
  ["a helper", '{"at": {{moment "X"}}, "id": "{{$UUID}}"}'],
  ["a block", '{"text": "{{ALERT_TITLE}}"{{#if GROUP_NAME}}, "group": "{{GROUP_NAME}}"{{/if}},}'],
  ["a comment", '{{!-- says "down" }} --}}\n{"text": "{{ALERT_TITLE}}"}'],
  ["an inverted block", '{{^GROUP_NAME}}{"text": "none"{{/GROUP_NAME}}'],
  ["a block without white space around it", '{{~#if GROUP_NAME}}{"a":1,{{~/if}}'],
  ["asterisks after an escape", '{"text": "Alert\\n***\\n{{ALERT_TITLE}} \\u2605***"}'],
  ["what the service masks", '{"token": ***masked***}'],
  ["one object in each line", '{"index": {}}\n\n{"text": "{{ALERT_TITLE}}"}\n'],
  ["white space", " \n "],
])("a template with %s may be JSON", (_, template) => {
  expect(
    [...unsaid, ...json.map((type) => typed(type))].filter((one) => isInvalidJson(template, one)),
  ).toEqual([]);
});

test.each([
  ["a form", "text={{ALERT_TITLE}}&link={{RESULT_LINK}}"],
  ["a text", "{{ALERT_TITLE}} {{RESULT_LINK}}"],
  ["a text with brackets", "[down] {{ALERT_TITLE}}"],
  ["a text with braces", "{{ALERT_TITLE}} {down}"],
  ["a text of Jira", "{panel:title={{ALERT_TITLE}}}{{RESULT_LINK}}{panel}"],
])("%s is no JSON if a header says that it is, and else it needn't be", (_, template) => {
  expect(isInvalidJson(template, typed("application/json"))).toBe(true);
  expect(unsaid.filter((headers) => isInvalidJson(template, headers))).toEqual([]);
});

test.each([
  "application/x-www-form-urlencoded",
  "text/plain",
  "application/jsonp",
  "x-application/json",
  "{{TYPE}}",
  undefined,
])("a template that is sent as %s needn't be JSON", (type) => {
  expect(isInvalidJson('{"text": {{ALERT_TITLE}}}', typed(type))).toBe(false);
});

test("a setting that isn't a template needn't be JSON", () => {
  expect(factsOf("webhookSecret", "{{ALERT_TITLE}}", typed("application/json"))).not.toHaveProperty(
    "isInvalidJson",
  );
});
