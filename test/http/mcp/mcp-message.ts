import type { Json } from "#vocabulary/json";
import type { TestService } from "../../support/any-service.ts";
import type { Sent } from "../../support/request.ts";
import type { Caller } from "../../support/service-token.ts";

type Params = { readonly [key: string]: Json };

/** A message of 2026, with the headers that repeat parts of it. Without an `id` it is a notification. */
export function message(
  method: string,
  params: Params = {},
  capabilities: Params = {},
  id: number | null = 1,
): Sent {
  const { name, uri } = params;
  const called = typeof name === "string" ? name : typeof uri === "string" ? uri : undefined;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(called !== undefined && { "mcp-name": called }),
    },
    body: { jsonrpc: "2.0", ...(id !== null && { id }), method, params: { ...params, _meta } },
  };
}

/** A call of a client that shows forms. `retry` answers one. */
export function asked(args: Params, retry: Params = {}, name = "notes_delete"): Sent {
  return message("tools/call", { name, arguments: args, ...retry }, { elicitation: {} });
}

/** The answer to a form. */
export const accepted = { inputResponses: { confirm: { action: "accept", content: { confirm: true } } } };

/** The JSON-RPC answer of a message. */
export async function answerOf(service: TestService, sent: Sent, caller: Caller) {
  const reply = await service.send(sent, caller);
  return { status: reply.status, ...JSON.parse(reply.text) };
}
