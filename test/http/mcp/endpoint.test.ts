import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import type { Sent } from "../../support/request.ts";
import { notebook, owner } from "./mcp-service.ts";

const service = await notebook({
  baseUrl: "https://notes.example",
  cors: { origins: ["https://app.example"], allowOriginRegex: null },
});

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A message of 2026, with the headers that repeat parts of it. */
function message(method: string, params: { readonly [key: string]: Json } = {}, id: Json = 1): Sent {
  const { name, uri } = params;
  const called = typeof name === "string" ? name : typeof uri === "string" ? uri : undefined;
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(called !== undefined && { "mcp-name": called }),
    },
    body: { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } },
  };
}

const list = message("tools/list");
const withHeaders = (headers: Sent["headers"]): Sent => ({
  ...list,
  headers: { ...list.headers, ...headers },
});
const withBody = (body: Sent["body"]): Sent => ({ ...list, body });

test.each<[what: string, sent: Sent, status: number, error: string]>([
  ["GET", { method: "GET", path: "/mcp" }, 405, "HTTP_ERROR"],
  ["DELETE", { method: "DELETE", path: "/mcp" }, 405, "HTTP_ERROR"],
  ["a broken token", withHeaders({ authorization: "Bearer x" }), 401, "INVALID_TOKEN"],
  ["a key that does not exist", withHeaders({ "x-api-key": "kk_nothing" }), 401, "INVALID_API_KEY"],
  ["a foreign origin", withHeaders({ origin: "https://evil.example" }), 403, "PERMISSION_DENIED"],
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
  ["a batch", withBody([]), 400, "VALIDATION_ERROR"],
  ["a body over the limit", withBody({ x: "y".repeat(100_001) }), 413, "HTTP_ERROR"],
  ["a number that would be rounded", withBody('{"id":1,"x":9007199254740993}'), 400, "VALIDATION_ERROR"],
])("%s is refused in the envelope", async (_, sent, status, error) => {
  const reply = await service.send({
    ...sent,
    headers: { "content-type": "application/json", ...sent.headers },
  });
  expect({ status: reply.status, error: reply.envelope.error }).toEqual({ status, error });
  expect(reply.headers["www-authenticate"]).toBe(status === 401 ? "Bearer" : undefined);
  expect(reply.headers["x-request-id"]).toEqual(expect.any(String));
  expect(reply.headers["x-content-type-options"]).toBe("nosniff");
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

/** The JSON-RPC answer of a message. */
async function answerTo(sent: Sent, caller: Parameters<typeof service.send>[1] = owner) {
  const reply = await service.send(sent, caller);
  const text = /^data: (.*)$/m.exec(reply.text)?.[1] ?? reply.text;
  return { status: reply.status, ...JSON.parse(text) };
}

test("a request of 2026 has a JSON answer, and the cookie is never read", async () => {
  const { status, result } = await answerTo(message("tools/list"));
  expect({ status, count: result.tools.length }).toEqual({ status: 200, count: 11 });
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

const forms = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

/** A call of a client that shows forms. */
function asked(
  args: { readonly [key: string]: Json },
  retry: { readonly [key: string]: Json } = {},
  name = "notes_delete",
): Sent {
  const sent = message("tools/call", { name, arguments: args });
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args, ...retry, _meta: forms },
  };
  return { ...sent, body };
}

const accepted = { inputResponses: { confirm: { action: "accept", content: { confirm: true } } } };

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
  const sent = asked({ ids: [3] });
  const pages = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } } };
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "notes_delete", arguments: { ids: [3] }, _meta: pages },
  };
  expect((await answerTo({ ...sent, body })).result.structuredContent).toMatchObject({
    error: "CONFIRMATION_REQUIRED",
  });
});
