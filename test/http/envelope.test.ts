import { describe, expect, test } from "vitest";
import { errorCodes } from "#vocabulary/error-codes";
import { outcome, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();
const get = (path: string, headers: Record<string, string> = {}) =>
  service.send({ method: "GET", path, headers });

describe("success", () => {
  test("has these keys and no others, in this order", async () => {
    await service.store({ things: [{ id: 1 }] });
    const { text, status, headers } = await get("/things/fetch?select_fields=id");
    expect(status).toBe(200);
    expect(text).toMatch(/^\{"statusCode":200,"status":"success","message":"[^"]+","data":\[\{"id":1\}\]\}$/);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  });

  test.each([
    ["page=1", true],
    ["offset=0", true],
    ["limit=3", false],
    ["", false],
  ])("%s has pagination: %s", async (query, has) => {
    const { envelope } = await get(`/things/fetch?${query}`);
    expect(envelope.pagination !== undefined).toBe(has);
    if (has) {
      const keys = ["limit", "page", "offset", "total", "total_pages", "has_more"];
      expect(Object.keys(envelope.pagination ?? {})).toEqual(keys);
    }
  });

  test("create, delete and all others answer 200", async () => {
    await service.store({ notes: [{ id: "0a000000-0000-4000-8000-00000000000a", body: "x" }] });
    const sent = [
      ["POST", "/notes/create", { data: { body: "y" } }],
      ["PUT", "/notes/upsert", { data: { body: "y", code: "c" } }],
      ["PUT", "/notes/update", { where: { code: "c" }, data: { body: "z" } }],
      ["DELETE", "/notes/delete", { query: { code: "c" } }],
      ["PATCH", "/notes/restore", { where: { code: "c" }, data: { deleted_at: null } }],
      ["DELETE", "/notes/destroy", { query: { code: "c" } }],
    ] as const;
    for (const [method, path, body] of sent) {
      const reply = await service.send({ method, path, body }, "admin");
      expect([path, outcome(reply)]).toEqual([path, "200"]);
    }
  });
});

describe("failure", () => {
  test("has these keys and no others; details only where there are any", async () => {
    const plain = await get("/nothing");
    expect(plain.text).toMatch(
      /^\{"statusCode":404,"status":"error","error":"NOT_FOUND","message":"[^"]+","data":null\}$/,
    );
    const detailed = await get("/things/fetch?limit=0");
    // biome-ignore format: many a line
    expect(Object.keys(detailed.envelope)).toEqual([
      "statusCode", "status", "error", "message", "data", "details",
    ]);
    expect(detailed.envelope.details).toEqual({ field: "limit" });
  });

  test("several problems are in details.errors, the first in details.field", async () => {
    const { envelope } = await get("/things/fetch?limit=0&page=x");
    // biome-ignore format: related values together
    expect(envelope.details).toEqual({
      field: "limit",
      errors: [{ field: "limit", message: expect.any(String) }, { field: "page", message: expect.any(String) }],
    });
  });

  test("a flood of problems makes no flood of an answer", async () => {
    const query = Array.from({ length: 2000 }, (_, index) => `n${index}=1`).join("&");
    const { text } = await get(`/things/fetch?${query}`);
    expect(text.length).toBeLessThan(10_000);
  });
});

/** The statuses of the contract. `HTTP_ERROR` has various statuses, by default 400. */
const contract = {
  VALIDATION_ERROR: 400,
  AUTHENTICATION_ERROR: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RATE_LIMIT_EXCEEDED: 429,
  DATABASE_ERROR: 500,
  INTERNAL_ERROR: 500,
  HTTP_ERROR: 400,
  MISSING_TOKEN: 401,
  INVALID_TOKEN: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_REVOKED: 401,
  AUTH_UNAVAILABLE: 503,
  INVALID_API_KEY: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_OTP: 401,
  INVALID_MFA_CODE: 401,
  SOCIAL_AUTH_FAILED: 401,
  MOBILE_SIGN_IN_NOT_SUPPORTED: 400,
  SOCIAL_EMAIL_NOT_VERIFIED: 409,
  MFA_REQUIRED: 403,
  ACCOUNT_INACTIVE: 403,
  EMAIL_NOT_VERIFIED: 403,
  WEAK_PASSWORD: 400,
  INVALID_RESET_TOKEN: 400,
  EMAIL_ALREADY_EXISTS: 409,
  USER_DATA_ERROR: 500,
  STORAGE_ERROR: 500,
};

/** Codes of the routes that manage accounts. */
// biome-ignore format: many a line
const ofAccounts = {
  REAUTHENTICATION_REQUIRED: 403, LAST_SIGN_IN_METHOD: 409, LAST_ADMINISTRATOR: 409, ACCOUNT_IN_USE: 409,
  PHONE_ALREADY_EXISTS: 409, PROVIDER_ALREADY_LINKED: 409, PASSKEY_FAILED: 401, INVALID_LINK: 400,
};

test("the table of errors is that of the contract", () => {
  const table = Object.entries(errorCodes).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(table)).toEqual({ ...contract, ...ofAccounts });
});

describe("when the database fails", () => {
  const failing = async (path: string, breakage: string, repair: string) => {
    await service.query(breakage);
    try {
      return await service.send({ method: "GET", path }, "admin");
    } finally {
      await service.query(repair);
    }
  };

  test.each(["fetch", "search", "count", "exists?id=1"])(
    "%s returns DATABASE_ERROR, with details only in the log",
    async (path) => {
      const reply = await failing(
        `/things/${path}`,
        "ALTER TABLE things RENAME TO away",
        "ALTER TABLE away RENAME TO things",
      );
      expect(outcome(reply)).toBe("500 DATABASE_ERROR");
      expect(reply.text).not.toMatch(/things|relation|42P01|select/i);
      const line = service.log.findLast((entry) => entry["request_id"] === reply.headers["x-request-id"]);
      expect(JSON.stringify(line)).toContain('relation \\"things\\" does not exist');
    },
  );

  test("a write does too", async () => {
    await service.query("ALTER TABLE notes RENAME TO away");
    const sent = [
      ["POST", "/notes/create", { data: { body: "x" } }],
      ["POST", "/notes/create", { data: [{ body: "x" }, { body: "y" }] }],
      ["PUT", "/notes/update", { where: { code: "c" }, data: { body: "z" } }],
      ["PUT", "/notes/upsert", { data: { body: "y", code: "c" } }],
      ["DELETE", "/notes/destroy", { query: { code: "c" } }],
    ] as const;
    const replies = await Promise.all(
      sent.map(([method, path, body]) => service.send({ method, path, body }, "admin")),
    );
    await service.query("ALTER TABLE away RENAME TO notes");
    expect(replies.map(outcome)).toEqual(Array(5).fill("500 DATABASE_ERROR"));
  });
});

describe("what the database itself refuses", () => {
  test.each([
    ["22001", "400 VALIDATION_ERROR"],
    ["22003", "400 VALIDATION_ERROR"],
    ["22P02", "400 VALIDATION_ERROR"],
    ["23514", "400 VALIDATION_ERROR"],
    ["23P01", "400 VALIDATION_ERROR"],
    ["42501", "500 DATABASE_ERROR"],
    ["53100", "500 DATABASE_ERROR"],
    ["P0001", "400 VALIDATION_ERROR"],
    ["42601", "400 VALIDATION_ERROR"],
    ["0A000", "400 VALIDATION_ERROR"],
    ["54000", "400 VALIDATION_ERROR"],
    ["XX000", "500 DATABASE_ERROR"],
  ])("%s is %s", async (code, expected) => {
    await service.store({});
    await service.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'secret words' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const sent = { method: "POST", path: "/notes/create", body: { data: { body: "x" } } };
    const reply = await service.send(sent, "admin");
    await service.query("DROP FUNCTION refuse CASCADE");
    expect(outcome(reply)).toBe(expected);
    expect(reply.text).not.toContain("secret words");
  });
});

describe("messages", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "name no key, table or statement on a duplicate", given: { tasks: [{ id: 1, title: "a" }] }, as: "admin", send: "POST /tasks/create",
      body: { data: { title: "a" } }, fails: "400 VALIDATION_ERROR title" },
    { name: "nor where another table still refers to a row",
      given: { owners: [{ id: "0a000000-0000-4000-8000-00000000000a", user_id: 1 }],
        pets: [{ id: 1, name: "a", owner_id: "0a000000-0000-4000-8000-00000000000a" }] }, as: "admin", send: "DELETE /owners/destroy?user_id=1",
      fails: "400 VALIDATION_ERROR" },
  ]);
});
