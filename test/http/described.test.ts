import { expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { access, field, model, rule, service } from "../generator/support/definitions.ts";
import { answerCheck } from "../support/described.ts";

const notes = model("notes", { fields: [field("title")], access: access({ fetch: [rule("*")] }) });
const check = answerCheck(openApiDocument(service(notes)));

const answer = (data: unknown) => ({ statusCode: 200, status: "success", message: "", data });
const failure = (error: string) => ({ statusCode: 400, status: "error", error, message: "", data: null });

// biome-ignore format: one case a line
test.each([
  ["rows", 200, answer([{ id: 1, title: null }]), true],
  ["a row of another type", 200, answer([{ id: "1" }]), false],
  ["no envelope", 200, {}, false],
  ["a listed code", 400, failure("VALIDATION_ERROR"), true],
  ["a code that is not listed", 400, failure("WEAK_PASSWORD"), false],
  ["a status that is not listed", 418, failure("VALIDATION_ERROR"), false],
  ["another type than JSON", 200, null, false],
])("the check of answers: %s", (_, status, body, passes) => {
  const text = body === null ? "rows" : JSON.stringify(body);
  const headers = { "content-type": body === null ? "text/plain" : "application/json" };
  const reply = { status, headers, text, envelope: JSON.parse(JSON.stringify(body)) };
  const checked = () => check({ method: "GET", path: "/notes/fetch?title=x" }, reply);
  if (passes) checked();
  else expect(checked).toThrow();
});
