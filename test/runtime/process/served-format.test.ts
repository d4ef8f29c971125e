import { expect, test } from "vitest";
import { codeFormatRefusal } from "#runtime/process/index";
import { codeFormat } from "#vocabulary/code-format";

const lock = (format: unknown) => JSON.stringify({ code_format: format, format: "", models: "", files: {} });
const older =
  /^generated\/ was made for an older kirak \(no code format, this runtime serves 1\): run npx kirak generate$/;

test("what this generator writes is served", () => {
  expect(codeFormatRefusal(lock(codeFormat))).toBeNull();
});

// biome-ignore format: one case a line
test.each([
  ["no lock", null, /^generated\/manifest\.lock\.json is missing, .*run npx kirak generate/],
  ["a lock of before there were formats", lock(undefined), older],
  ["an empty lock", "{}", older],
  ["a format that is none", lock("1"), older],
  ["a format between two", lock(0.5), older],
  ["a format that only the prototype has", '{ "__proto__": { "code_format": 1 } }', older],
  ["a newer format", lock(codeFormat + 1),
    /^generated\/ was made for a newer kirak \(code format 2, this runtime serves 1\): install .*kirak@latest$/],
  ["marks of a merge", `<<<<<<< ours\n${lock(1)}\n=======\n${lock(2)}\n>>>>>>> theirs\n`,
    /^generated\/manifest\.lock\.json has marks of a merge: merge models\/, then run npx kirak generate$/],
  ["half a lock", '{ "code_format": 1', /^generated\/manifest\.lock\.json cannot be read: run npx/],
  ["an empty file", "", /cannot be read/],
  ["another kind of JSON", "[1]", /cannot be read/],
  ["null", "null", /cannot be read/],
])("%s is refused in one line that says what to do", (_, text, message) => {
  expect(codeFormatRefusal(text)).toMatch(message);
});
