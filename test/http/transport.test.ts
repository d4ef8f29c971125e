import { describe, expect, test } from "vitest";
import { requestOf, type Sent } from "../support/request.ts";
import { expectEnvelope, outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const json = { "content-type": "application/json" };
const creating = (name: string, body: Sent["body"], more: Partial<Scenario> = {}): Scenario => ({
  name,
  as: "admin",
  send: "POST /things/create",
  headers: json,
  body,
  ...more,
});
const malformed = (name: string, body: Sent["body"], more: Partial<Scenario> = {}): Scenario =>
  creating(name, body, { fails: "400 VALIDATION_ERROR", ...more });

describe("paths", () => {
  const missing = (path: string): Scenario => ({ send: `GET ${path}`, as: "admin", fails: "404 NOT_FOUND" });
  const undecodable = (path: string): Scenario => ({
    send: `GET ${path}`,
    as: "admin",
    fails: "400 VALIDATION_ERROR",
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    missing("/things"), missing("/things/"), missing("/things/nothing"), missing("/nothing/fetch"), missing("/things/fetch/"),
    missing("/things/fetch/1"), missing("/things//fetch"), missing("//things/fetch"), missing("/Things/fetch"), missing("/things/FETCH"),
    missing("/things%2Ffetch"), missing("/constructor/fetch"), missing("/things/constructor"), missing("/__proto__/fetch"),
    missing("/healthz/"), missing("/auth/me"),
    ...["fetch", "search", "count", "exists"].map((route) => missing(`/the-ledger/${route}`)),
    ...[
      "POST /the-ledger/create", "PUT /ledger/update", "PUT /the-ledger/upsert", "DELETE /the-ledger/delete",
    ].map((send) => ({ ...missing(""), send })),
    ...[
      "DELETE /the-ledger/destroy", "PATCH /the-ledger/restore", "GET /ledger/fetch", "PURGE /the-ledger/fetch",
    ].map((send) => ({ ...missing(""), send })),
    undecodable("/things/%zz"), undecodable("/things/fetch%"), undecodable("/%ff/fetch"), undecodable("/things/fetch?string=%zz"),
    undecodable("/things/fetch?%E0%A4%A=1"), undecodable("/things/fetch?string=%ff"), undecodable("/things/fetch?string=a%00b"),
    undecodable("/things/fetch?string%00=a"), undecodable("/things%00/fetch"),
    { name: "an encoded letter is the letter", send: "GET /th%69ngs/fetch", data: [] },
    { name: "empty pairs are nothing", send: "GET /things/fetch?&&", data: [] },
    { name: "a fragment of a filter", send: "GET /things/fetch?string", fails: "400 VALIDATION_ERROR string" },
  ]);
});

describe("methods", () => {
  test.each([
    ["POST", "/things/fetch", "GET, HEAD"],
    ["DELETE", "/things/search", "GET, HEAD"],
    ["OPTIONS", "/things/count", "GET, HEAD"],
    ["GET", "/things/create", "POST"],
    ["HEAD", "/things/create", "POST"],
    ["PATCH", "/things/update", "PUT"],
    ["POST", "/things/upsert", "PUT"],
    ["POST", "/things/delete", "DELETE"],
    ["GET", "/things/destroy", "DELETE"],
    ["PUT", "/tasks/restore", "PATCH"],
    ["PURGE", "/things/fetch", "GET, HEAD"],
    ["GET", "/graphql", "POST"],
    ["HEAD", "/graphql", "POST"],
    ["PUT", "/graphql", "POST"],
    ["POST", "/healthz", "GET, HEAD"],
    ["DELETE", "/readyz", "GET, HEAD"],
  ])("%s %s is 405, Allow: %s", async (method, path, allow) => {
    const reply = await service.send({ method, path, headers: { authorization: "Bearer invalid" } });
    expect([reply.status, reply.headers.allow]).toEqual([405, allow]);
    if (method === "HEAD") return;
    expectEnvelope(reply);
    expect(reply.envelope.error).toBe("HTTP_ERROR");
  });

  // biome-ignore format: many a line
  test.each([
    "/things/fetch", "/things/search", "/things/count", "/things/exists?id=1", "/healthz", "/readyz",
  ])("HEAD %s has the head of GET and no body", async (path) => {
    const [head, full] = await Promise.all(["HEAD", "GET"].map((method) => service.send({ method, path })));
    expect([head?.status, head?.text]).toEqual([200, ""]);
    expect(head?.headers["content-length"]).toBe(full?.headers["content-length"]);
    expect(head?.headers["content-type"]).toBe(full?.headers["content-type"]);
  });
});

const nested = (levels: number) =>
  `${'{"data":{"json":'}${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}}}`;

describe("bodies", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    malformed("cut off", '{"data":{"string":"x"}'),
    malformed("two values", '{"data":{"string":"x"}} {}'),
    malformed("single quotes", "{'data':{}}"),
    malformed("a comma too many", '{"data":{"string":"x",}}'),
    malformed("NaN", '{"data":{"float":NaN}}'),
    malformed("a byte order mark", '\ufeff{"data":{"string":"x"}}'),
    malformed("no UTF-8", Buffer.from([...Buffer.from('{"data":{"string":"'), 0xff, 0xfe, ...Buffer.from('"}}')])),
    malformed("a list", "[]"),
    malformed("a text", '"data"'),
    malformed("a number", "1"),
    malformed("null", "null"),
    malformed("blanks", "  "),
    malformed("65 levels", nested(65)),
    malformed("100,000 levels", "[".repeat(99_000)),
    malformed("NUL in a value", '{"data":{"string":"a\\u0000b"}}'),
    malformed("NUL in a key", '{"data":{"json":{"a\\u0000":1}}}'),
    malformed("NUL deep in JSON", '{"data":{"json":[[{"a":"\\u0000"}]]}}'),
    malformed("NUL in an upper-case escape is the same", '{"data":{"text":"x\\u0000"}}'),
    malformed("half a surrogate pair", '{"data":{"string":"\\ud800"}}'),
    malformed("NUL in a filter", '{"query":{"string":"\\u0000"}}', { send: "DELETE /things/delete" }),
    creating("64 levels", nested(64), { rows: { things: [{ json: expect.any(Array) }] } }),
    creating("brackets in a text are none", JSON.stringify({ data: { string: "[".repeat(100) } })),
    creating("an escaped quote does not end a text", JSON.stringify({ data: { string: `\\"${"[".repeat(100)}` } })),
    creating("an escaped backslash does not keep it open", `{"data":{"string":"\\\\","text":"${"[".repeat(100)}"}}`),
    creating("an escaped backslash before u0000", '{"data":{"string":"\\\\u0000"}}', { rows: { things: [{ string: "\\u0000" }] } }),
    creating("a surrogate pair", '{"data":{"string":"\\ud83d\\ude00"}}', { rows: { things: [{ string: "😀" }] } }),
    creating("of two equal keys the last counts", '{"data":{"string":"a","string":"b"}}', { rows: { things: [{ string: "b" }] } }),
  ]);

  // biome-ignore format: many a line
  test.each([
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "", "application/json; charset=latin1",
    "application/json; charset=utf-16",
  ])("media type %j is 415", async (type) => {
    const sent = { method: "POST", path: "/things/create", body: '{"data":{"string":"x"}}' };
    const reply = await service.send(
      { ...sent, headers: type === "" ? {} : { "content-type": type } },
      "admin",
    );
    expectEnvelope(reply);
    expect(outcome(reply)).toBe("415 HTTP_ERROR");
  });

  test("a compressed body is 415", async () => {
    const headers = { ...json, "content-encoding": "gzip" };
    const reply = await service.send({ method: "POST", path: "/things/create", headers, body: "x" }, "admin");
    expect(outcome(reply)).toBe("415 HTTP_ERROR");
  });

  // biome-ignore format: one case a line
  test.each([
    "application/json", "APPLICATION/JSON; charset=UTF-8", 'application/json; charset="utf-8"', "application/merge-patch+json",
  ])("media type %s is JSON", async (type) => {
    await service.store({});
    const sent = { method: "POST", path: "/things/create", body: '{"data":{"string":"x"}}' };
    const reply = await service.send({ ...sent, headers: { "content-type": type } }, "admin");
    expect(outcome(reply)).toBe("200");
  });

  test("an empty body needs no media type", async () => {
    await service.store({ things: [{ id: 1 }] });
    const headers = { "content-length": "0" };
    const reply = await service.send({ ...requestOf("DELETE /things/delete?id=1", ""), headers }, "admin");
    expect(outcome(reply)).toBe("200");
  });

  test.each([false, true])("one byte too many is 413, chunked: %s", async (chunked) => {
    await service.store({});
    const sent = { method: "POST", path: "/things/create", headers: json, chunked };
    const frame = '{"data":{"text":""}}'.length;
    const body = (length: number) => `{"data":{"text":"${"x".repeat(length - frame)}"}}`;
    const fits = await service.send({ ...sent, body: body(100_000) }, "admin");
    expect(outcome(fits)).toBe("200");
    const reply = await service.send({ ...sent, body: body(100_001) }, "admin");
    expectEnvelope(reply);
    expect(outcome(reply)).toBe("413 HTTP_ERROR");
  });
});
