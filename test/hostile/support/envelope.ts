import { expect } from "vitest";
import { errorCodes } from "#vocabulary/error-codes";
import type { Reply } from "./world.ts";

/** What no caller may ever be told: SQL, names of the database's own, stacks. */
const internals =
  /\bselect\b.*\bfrom\b|insert into|delete from|update .* set |syntax error|relation "|column "|violates|constraint |code_key\b|_fkey\b|_pkey\b|node_modules|\.ts:\d|\\n +at |pg_|PostgreSQL|SQLSTATE|undefined|\[object|duplicate key|invalid input|TypeError|RangeError|_admitted|_insertable/i;

const errorKeys = ["statusCode", "status", "error", "message", "data"];
const successKeys = ["statusCode", "status", "message", "data"];

/** Fails unless an answer is exactly the contract's envelope (contract: "Response envelope") and gives nothing away. */
export function expectEnvelope(reply: Reply, context: unknown = ""): void {
  const told = `${reply.status} ${reply.text.slice(0, 400)} for ${JSON.stringify(context)}`.slice(0, 2000);
  const { json } = reply;
  expect(json, told).toBeTypeOf("object");
  expect(json.statusCode, told).toBe(reply.status);
  expect(reply.headers["x-request-id"], told).toMatch(/^[\w.:-]{1,128}$/);
  expect(json.message, told).toBeTypeOf("string");
  if (reply.status === 200) expectSuccess({ ...json }, told);
  else expectError({ ...json }, told);
}

function expectSuccess(json: Record<string, unknown>, told: string): void {
  expect(json["status"], told).toBe("success");
  expect(
    Object.keys(json).filter((key) => key !== "pagination"),
    told,
  ).toEqual(successKeys);
}

function expectError(json: Record<string, unknown>, told: string): void {
  expect(json["status"], told).toBe("error");
  expect(
    Object.keys(json).filter((key) => key !== "details"),
    told,
  ).toEqual(errorKeys);
  expect(json["data"], told).toBeNull();
  expect(Object.keys(errorCodes), told).toContain(json["error"]);
  const { details } = json;
  if (details !== undefined) expect(details, told).toBeTypeOf("object");
  if (typeof details !== "object" || details === null) return;
  if ("field" in details) expect(details.field, told).toBeTypeOf("string");
  if ("errors" in details) {
    expect(details.errors, told).toEqual(
      expect.arrayContaining([{ field: expect.any(String), message: expect.any(String) }]),
    );
  }
}

/** Fails when an error tells of the database or the code. Not for requests that hold such words themselves. */
export function expectDiscreet(reply: Reply): void {
  if (reply.status !== 200) expect(reply.text).not.toMatch(internals);
}
