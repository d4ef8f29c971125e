import type { ModelDefinition } from "#generator/definition/definition";
import type { TestReply } from "#runtime/testing/index";
import { errorCodes, isBuiltInErrorCode } from "#vocabulary/error-codes";
import { isJsonObject, type Json } from "#vocabulary/json";
import { toolName } from "#vocabulary/mcp/tools";
import type { Operation } from "#vocabulary/operations";

/** The endpoint, below `service_prefix`. */
export const toolPath = "mcp";

const version = "2026-07-28";

const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "kirak check-access", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A call of the tool of an operation. */
export function toolQuestion(
  { key }: ModelDefinition,
  operation: Operation,
  args: { readonly [name: string]: Json },
) {
  const name = toolName(key, operation);
  const params = { name, arguments: args, _meta: meta };
  return {
    method: "POST",
    path: toolPath,
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
  };
}

/** The answer of a tool in the form of REST's. A tool that a role does not have is unknown to it. */
export function toolReply(reply: TestReply<Json>): TestReply<Json> {
  const { result, error }: { readonly [key: string]: unknown } = { ...reply.body };
  if (isJsonObject(error) && error["code"] === -32602) {
    const body = { ...reply.body, error: "PERMISSION_DENIED", message: String(error["message"]) };
    return { ...reply, status: 403, body };
  }
  if (!isJsonObject(result)) return reply;
  const { data }: { readonly data?: Json } = JSON.parse(
    JSON.stringify({ data: result["structuredContent"] }),
  );
  if (result["isError"] !== true || !isJsonObject(data))
    return { ...reply, body: { ...reply.body, data: data ?? null } };
  const code = String(data["error"]);
  const status = isBuiltInErrorCode(code) ? errorCodes[code].status : 400;
  return { ...reply, status, body: { ...reply.body, error: code, message: String(data["message"]) } };
}
