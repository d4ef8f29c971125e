import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { testService } from "../support/service.ts";

// What a developer reads who knows another API: which key is meant, and what to write instead.
const service = await testService();

const noOr =
  "is not a field, and filters know no OR: field__in takes one of several values; all else takes a request each";
const sideBySide = "is not a field; all filters of a request must hold: write them side by side";

// biome-ignore format: one case a line
const told: readonly (readonly [send: string, body: Json | undefined, field: string, message: string])[] = [
  // A record without `data`.
  ["POST /things/create", { string: "a" }, "string", 'belongs into data: {"data": {"string": …}}'],
  ["PUT /things/upsert", { id: 1, string: "a" }, "id", 'belongs into data: {"data": {"id": …}}'],
  ["PUT /things/update", { id: 1, string: "a" }, "id", 'belongs into where: {"where": {"id": …}}'],
  ["PUT /things/update", { where: { id: 1 }, string: "a" }, "string", 'belongs into data: {"data": {"string": …}}'],
  ["PUT /things/update", { string__in: ["a"], data: { string: "b" } }, "string__in", 'belongs into where: {"where": {"string__in": …}}'],
  ["DELETE /things/delete", { id: 1 }, "id", 'belongs into where: {"where": {"id": …}}'],
  ["DELETE /things/delete", { string: "a" }, "string", 'belongs into where: {"where": {"string": …}}'],
  ["POST /things/create", { data: { string: "a" }, other: 1 }, "other", "is not one of data"],
  ["DELETE /things/delete", { data: 1 }, "data", "is not one of query, where, ids"],
  // Filters that other services combine.
  ["GET /things/fetch?or=(string.eq.a,string.eq.b)", undefined, "or", noOr],
  ["GET /things/fetch?$or=string", undefined, "$or", noOr],
  ["GET /things/fetch?or[0][string]=a", undefined, "or[0][string]", noOr],
  ["GET /things/count?_OR=string", undefined, "_OR", noOr],
  ["DELETE /things/delete", { where: { or: [{ id: 1 }, { id: 2 }] } }, "or", noOr],
  ["PUT /things/update", { where: { AND: [{ id: 1 }] }, data: { string: "a" } }, "AND", sideBySide],
  ["GET /things/fetch?not[string]=a", undefined, "not[string]", "is not a field; write field__ne, field__not_in or field__is_not_null"],
  ["GET /things/fetch?order=a&orders=b", undefined, "orders", "is not a field"],
];

test.each(told)("%s %j", async (send, body, field, message) => {
  const [method = "", path = ""] = send.split(" ");
  const { status, envelope } = await service.send({ method, path, body }, "admin");
  expect([status, envelope.error]).toEqual([400, "VALIDATION_ERROR"]);
  expect(envelope.message).toBe(`${field}: ${message}`);
  expect(envelope.details?.field).toBe(field);
});

test("a list in place of a body", async () => {
  const sent = { method: "POST", path: "/things/create", body: [{ string: "a" }] };
  const { envelope } = await service.send(sent, "admin");
  expect(envelope.message).toBe(
    'The body must be a JSON object. A list stands in one, such as {"data": […]}.',
  );
});
