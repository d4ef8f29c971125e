import { describe, expect, test } from "vitest";
import { errorCodes } from "#vocabulary/error-codes";
import { loadFiles } from "./load-text.ts";

const models = { books: { fields: { title: { type: "string" } }, access: { fetch: [{ role: "*" }] } } };
const taken = { status: 409, description: "Taken." };

const load = (errors: unknown) => loadFiles({ "models.json": models, "errors.json": errors });

/** What is wrong, each as `place: message`, with the hint behind it. */
async function problems(errors: unknown): Promise<string[]> {
  const { diagnostics } = await load(errors);
  return diagnostics.map(({ file, line, column, message, hint }) =>
    [`${file}:${line}:${column} ${message}`, ...(hint === null ? [] : [hint])].join("; "),
  );
}

test("declared errors are a part of the definition, in their order, and the file is watched", async () => {
  const { definition, diagnostics, inputs, sources } = await load({
    $schema: "x",
    TOO_LATE: { status: 499, description: "Late." },
    ["A".repeat(63)]: { status: 400, description: "Long." },
    AB1: taken,
  });
  expect(diagnostics).toEqual([]);
  expect(definition?.errors).toEqual([
    { code: "TOO_LATE", status: 499, description: "Late." },
    { code: "A".repeat(63), status: 400, description: "Long." },
    { code: "AB1", ...taken },
  ]);
  expect(inputs).toContain("errors.json");
  expect(sources.has("errors.json")).toBe(true);
});

test("without the file there are none", async () => {
  const { definition, inputs } = await loadFiles({ "models.json": models });
  expect(definition?.errors).toEqual([]);
  expect(inputs).not.toContain("errors.json");
});

describe("is reported at its place", () => {
  // biome-ignore format: one case a line
  test.each<[string, unknown, string[]]>([
    ["no JSON", "{", ["errors.json:1:2 the file ends before the JSON is complete"]],
    ["a list", [], ["errors.json:1:1 the errors file is an object"]],
    ["a status below", { TAKEN: { ...taken, status: 399 } }, ['errors.json:1:20 "status" of error "TAKEN" must be at least 400']],
    ["a status above", { TAKEN: { ...taken, status: 500 } }, ['errors.json:1:20 "status" of error "TAKEN" must be at most 499']],
    ["half a status", { TAKEN: { ...taken, status: 409.5 } }, ['errors.json:1:20 "status" of error "TAKEN" must be an integer, not 409.5']],
    ["a bare status", { TAKEN: 409 }, ['errors.json:1:10 error "TAKEN" must be an object, not a number']],
    ["no status", { TAKEN: { description: "Taken." } }, ['errors.json:1:2 error "TAKEN" lacks the key "status"']],
    ["no description", { TAKEN: { status: 409 } }, ['errors.json:1:2 error "TAKEN" lacks the key "description"']],
    ["an empty description", { TAKEN: { status: 409, description: "" } }, ['errors.json:1:38 "description" of error "TAKEN" must not be empty']],
    ["a misspelt key", { TAKEN: { ...taken, desciption: "x" } },
      ['errors.json:1:47 error "TAKEN" has the unknown key "desciption"; did you mean "description"?']],
    ["a name in small letters", { "slot-taken": taken }, ['errors.json:1:2 "slot-taken" is not a valid error code; did you mean "SLOT_TAKEN"?']],
    [
      "names that are too short, too long, or no names",
      { AB: taken, ["A".repeat(64)]: taken, "": taken, _AB: taken, ÄÖÜ: taken },
      ["AB", "A".repeat(64), "", "_AB", "ÄÖÜ"].map((name) =>
        expect.stringContaining(
          `"${name}" is not a valid error code; use 3 to 63 capital letters, digits and underscores, starting with a letter`,
        )),
    ],
    ["what every object has", '{"__proto__": {"status": 409, "description": "x"}, "constructor": {"status": 409, "description": "x"}}',
      [expect.stringContaining('"__proto__" is not a valid'), expect.stringContaining('did you mean "CONSTRUCTOR"?')]],
    ["a code that appears twice", '{"TAKEN": {"status": 409, "description": "x"}, "TAKEN": {"status": 409, "description": "x"}}',
      ['errors.json:1:48 the key "TAKEN" appears twice in this object']],
  ])("%s", async (_, errors, told) => {
    expect(await problems(errors)).toEqual(told);
  });

  test.each(Object.keys(errorCodes))("%s, which the contract has", async (code) => {
    const { status } = errorCodes[code as keyof typeof errorCodes];
    expect(await problems({ [code]: taken })).toEqual([
      `errors.json:1:2 "${code}" is a built-in error with status ${status}; throw the built-in error, or choose another code`,
    ]);
  });
});
