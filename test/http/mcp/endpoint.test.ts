import { expect, test } from "vitest";
import { apiKey } from "../../support/accounts.ts";
import type { Sent } from "../../support/request.ts";
import { type Caller, claimsOf, signed } from "../../support/service-token.ts";
import { accepted, answerOf, asked, message } from "./mcp-message.ts";
import { notebook, owner } from "./mcp-service.ts";

const service = await notebook({
  baseUrl: "https://notes.example",
  cors: { origins: ["https://app.example"], allowOriginRegex: null },
});

const claims = claimsOf(owner);
const revoked = signed(claims);
const expired = apiKey(1, { id: 2, expires_at: "2020-01-01" });
const inactive = apiKey(2, { id: 3 });
const foreign = "https://evil.example";

for (const { row } of [expired, inactive])
  await service.query(
    "INSERT INTO auth_tokens (id, user_id, token_type, token_hash, key_prefix, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
    ["id", "user_id", "token_type", "token_hash", "key_prefix", "expires_at"].map((name) => row[name]),
  );
await service.query("UPDATE users SET is_active = false WHERE id = 2");
await service.query(
  "INSERT INTO auth_token_blacklist (jti, expires_at) VALUES ($1, now() + interval '1 hour')",
  [claims["jti"]],
);

const list = message("tools/list");
const withHeaders = (headers: Sent["headers"]): Sent => ({
  ...list,
  headers: { ...list.headers, ...headers },
});
const withBearer = (token: string) => withHeaders({ authorization: `Bearer ${token}` });
const withBody = (body: Sent["body"]): Sent => ({ ...list, body });

test.each<[what: string, sent: Sent, status: number, error: string]>([
  ["GET", { method: "GET", path: "/mcp" }, 405, "HTTP_ERROR"],
  ["PUT", { ...list, method: "PUT" }, 405, "HTTP_ERROR"],
  ["DELETE", { method: "DELETE", path: "/mcp" }, 405, "HTTP_ERROR"],
  ["a broken token", withHeaders({ authorization: "Bearer x" }), 401, "INVALID_TOKEN"],
  ["a token that was revoked", withBearer(revoked), 401, "TOKEN_REVOKED"],
  ["a token that has expired", withBearer(signed({ ...claims, exp: 1 })), 401, "TOKEN_EXPIRED"],
  ["a key that does not exist", withHeaders({ "x-api-key": "kk_nothing" }), 401, "INVALID_API_KEY"],
  ["a key that has expired", withHeaders({ "x-api-key": expired.key }), 401, "INVALID_API_KEY"],
  ["a key of an inactive account", withBearer(inactive.key), 401, "INVALID_API_KEY"],
  ["a foreign origin", withHeaders({ origin: foreign }), 403, "PERMISSION_DENIED"],
  ["no body", { ...list, body: undefined }, 400, "VALIDATION_ERROR"],
  [
    "no JSON",
    { ...withBody("{"), headers: { ...list.headers, "content-type": "application/json" } },
    400,
    "VALIDATION_ERROR",
  ],
  [
    "another media type",
    { ...withBody("{}"), headers: { ...list.headers, "content-type": "text/plain" } },
    415,
    "HTTP_ERROR",
  ],
  ["an empty batch", withBody([]), 400, "VALIDATION_ERROR"],
  ["a batch", withBody(`[${JSON.stringify(list.body)}]`), 400, "VALIDATION_ERROR"],
  ["a body over the limit", withBody({ x: "y".repeat(100_001) }), 413, "HTTP_ERROR"],
  ["a number that would be rounded", withBody('{"id":1,"x":9007199254740993}'), 400, "VALIDATION_ERROR"],
])("%s is refused in the envelope", async (_, sent, status, error) => {
  const reply = await service.send({
    ...sent,
    headers: { "content-type": "application/json", ...sent.headers },
  });
  expect({ status: reply.status, error: reply.envelope.error }).toEqual({ status, error });
  expect(reply.headers.allow).toBe(status === 405 ? "POST" : undefined);
  expect(reply.headers["www-authenticate"]).toBe(status === 401 ? "Bearer" : undefined);
  expect(reply.headers["x-request-id"]).toEqual(expect.any(String));
  expect(reply.headers["x-content-type-options"]).toBe("nosniff");
});

test("HEAD is refused, too", async () => {
  const { status, headers } = await service.send({ method: "HEAD", path: "/mcp" });
  expect([status, headers.allow]).toEqual([405, "POST"]);
});

test("an overloaded service refuses in the envelope, before it looks at the request", async () => {
  const late = await notebook({ server: { maxEventLoopDelayMs: 1 } }, { eventLoopDelayMs: () => 2 });
  const reply = await late.send(withHeaders({ origin: foreign }));
  expect([reply.status, reply.envelope.error]).toEqual([503, "HTTP_ERROR"]);
  expect(reply.headers["retry-after"]).toBe("1");
});

const limits = { rateLimit: { enabled: true, defaultWindowSeconds: 60, defaultMaxRequests: 1 } };

test.each([
  ["service_prefix", "/api/v1/mcp", { servicePrefix: "/api/v1" }, {}],
  ["an application that mounts it", "/shop/mcp", {}, { mountedAt: "/shop" }],
] as const)(
  "the endpoint is below %s, with the same checks, tools and limits",
  async (_, path, settings, peers) => {
    const placed = await notebook({ ...limits, ...settings, baseUrl: "https://notes.example" }, peers);
    expect((await placed.send(list)).status).toBe(404);
    const own = { ...list, path };
    expect((await answerOf(placed, own, owner)).result.tools).toHaveLength(12);
    expect((await placed.send({ ...own, headers: { ...own.headers, origin: foreign } })).status).toBe(403);
    expect((await placed.send({ ...own, method: "GET" })).status).toBe(405);
    const finish = { name: "finish_note", arguments: { params: { id: 1 } } };
    const call = { ...message("tools/call", finish), path };
    expect((await answerOf(placed, call, owner)).result.structuredContent).toMatchObject({
      updated_count: 1,
    });
    expect((await answerOf(placed, call, owner)).result.structuredContent).toMatchObject({
      error: "RATE_LIMIT_EXCEEDED",
    });
  },
);

test("an answer of 2025 is an event with the headers of other routes", async () => {
  const params = { name: "notes_count", arguments: {} };
  const { headers, ...sent } = message("tools/call", params);
  const former = { accept: headers?.["accept"], "mcp-protocol-version": "2025-11-25" };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const reply = await service.send({ ...sent, headers: former, body }, owner);
  expect(reply.headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "content-length": String(Buffer.byteLength(reply.text)),
  });
  const [, data = ""] = /^data: (.*)$/m.exec(reply.text) ?? [];
  expect(JSON.parse(data).result.structuredContent).toEqual({ count: expect.any(Number) });
});

test("a notification has no answer", async () => {
  const reply = await service.send(message("notifications/cancelled", { requestId: 1 }, {}, null));
  expect([reply.status, reply.text]).toEqual([202, ""]);
});

test.each(["https://notes.example", "https://app.example"])("pages of %s can call", async (origin) => {
  const reply = await service.send(withHeaders({ origin }));
  expect(reply.status).toBe(200);
  const preflight = await service.send({
    method: "OPTIONS",
    path: "/mcp",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "mcp-protocol-version,mcp-method,mcp-name",
    },
  });
  if (origin === "https://app.example")
    expect(preflight.headers["access-control-allow-headers"]).toBe(
      "mcp-protocol-version,mcp-method,mcp-name",
    );
});

const answerTo = (sent: Sent, caller: Caller = owner) => answerOf(service, sent, caller);

test("a request of 2026 has a JSON answer, and the cookie is never read", async () => {
  const { status, result } = await answerTo(message("tools/list"));
  expect({ status, count: result.tools.length }).toEqual({ status: 200, count: 12 });
  const cookie = await service.send(
    withHeaders({ cookie: "kirak_access_token=broken; access_token=broken" }),
  );
  expect(cookie.status).toBe(200);
});

test.each([
  ["an unknown method", message("tools/destroy"), -32601],
  ["a prompt", message("prompts/list"), -32601],
  ["subscriptions", message("subscriptions/listen", { filter: {} }), -32603],
  ["an unknown tool", message("tools/call", { name: "nothing" }), -32602],
  ["a tool without a name", message("tools/call"), -32602],
  ["arguments that are no object", message("tools/call", { name: "notes_fetch", arguments: "x" }), -32602],
  [
    "a state that is forged",
    message("tools/call", { name: "notes_fetch", arguments: {}, requestState: "v1.e30.AA" }),
    -32602,
  ],
])("%s is an error of the protocol", async (_, sent, code) => {
  const { error } = await answerTo(sent);
  expect(error).toMatchObject({ code });
});

test("a state counts for its caller, tool and arguments only", async () => {
  const first = await answerTo(asked({ ids: [2] }));
  expect(first.result).toMatchObject({
    resultType: "input_required",
    inputRequests: { confirm: { params: { message: "Delete 1 row of notes?" } } },
  });
  const { requestState } = first.result;
  const retry = { ...accepted, requestState };
  const stranger = await answerTo(asked({ ids: [2] }, retry), { role: "user", sub: "2" });
  expect(stranger.error).toMatchObject({ code: -32602 });
  const cut = await answerTo(asked({ ids: [2] }, { ...accepted, requestState: requestState.slice(0, -2) }));
  expect(cut.error).toMatchObject({ code: -32602 });
  // About other rows, or by another tool, the form comes again.
  expect((await answerTo(asked({ ids: [3] }, retry))).result).toMatchObject({ resultType: "input_required" });
  expect(
    (await answerTo(asked({ where: { id: 2 }, data: { weight: 2 } }, retry, "notes_update"))).result,
  ).toMatchObject({ resultType: "input_required" });
  // An answer without a state does not count.
  expect((await answerTo(asked({ ids: [2] }, accepted))).result).toMatchObject({
    resultType: "input_required",
  });
  expect((await answerTo(asked({ ids: [2] }, retry))).result.structuredContent).toMatchObject({
    deleted_count: 1,
  });
});

test("a client that can only open pages has no forms", async () => {
  const params = { name: "notes_delete", arguments: { ids: [3] } };
  const sent = message("tools/call", params, { elicitation: { url: {} } });
  expect((await answerTo(sent)).result.structuredContent).toMatchObject({
    error: "CONFIRMATION_REQUIRED",
  });
});
