import { expect, test } from "vitest";
import { recordProblems } from "../../../runtime/validation/index.ts";

test.each([
  [{ type: "string", minLength: 1 }, "", "must not be empty"],
  [{ type: "string", minLength: 2 }, "a", "must have at least 2 characters"],
  [{ type: "string", maxLength: 1 }, "ab", "must have at most 1 character"],
  [{ type: "string", maxLength: 2 }, "abc", "must have at most 2 characters"],
  [{ type: "string", pattern: "^a$" }, "b", "must match ^a$"],
  [{ type: "integer", minimum: 0 }, -1, "must be at least 0"],
  [{ type: "number", maximum: 0.5 }, 1, "must be at most 0.5"],
  [{ type: ["string", "null"] }, 1, "must be string or null"],
  [{ type: "string", enum: ["a", "b"] }, "c", "must be one of a, b"],
])("of %j, %j: %s", (schema, value, message) => {
  const problems = recordProblems({ properties: { field: schema } }, { field: value }, "complete");
  expect(problems).toEqual([{ field: "field", message }]);
});
