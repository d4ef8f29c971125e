import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Fault } from "./faults.ts";
import type { Reply } from "./operation.ts";
import type { S3Error } from "./s3-error.ts";
import { xmlDocument } from "./xml.ts";

/** An error as S3 writes it. */
export function errorReply({ status, code, message }: S3Error): Reply {
  // biome-ignore format: one case a line
  const body = xmlDocument(
    [
      "Error",
      [["Code", code], ["Message", message], ["RequestId", randomUUID()]],
    ],
    false,
  );
  return { status, headers: { "content-type": "application/xml" }, body: Buffer.from(body) };
}

/** Writes an answer, as far as a fault lets it. */
export async function sendReply(
  response: ServerResponse,
  method: string,
  reply: Reply,
  fault: Fault | null,
): Promise<void> {
  const { status, headers = {}, body = Buffer.alloc(0) } = changed(reply, fault);
  const length = status === 204 || status === 304 ? {} : { "content-length": body.length };
  response.writeHead(status, { ...headers, ...length, "x-amz-request-id": randomUUID() });
  if (method === "HEAD") return void response.end();
  const half = body.subarray(0, body.length >> 1);
  if (fault?.kind === "stalled") return void response.write(half);
  if (fault?.kind === "cut") return void response.write(half, () => response.socket?.destroy());
  response.end(body);
}

/** What a fault makes of an answer. */
function changed(reply: Reply, fault: Fault | null): Reply {
  const { headers = {}, body = Buffer.alloc(0) } = reply;
  switch (fault?.kind) {
    case "short":
      return { ...reply, body: body.subarray(0, body.length >> 1) };
    case "corrupt":
      return { ...reply, body: Buffer.concat([Buffer.from([(body[0] ?? 0) ^ 1]), body.subarray(1)]) };
    case "page":
      return {
        status: 200,
        headers: { "content-type": "text/html" },
        body: Buffer.from("<html><body>Sign in to the network</body></html>"),
      };
    case "header": {
      const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== fault.name));
      return { ...reply, headers: fault.value === null ? rest : { ...rest, [fault.name]: fault.value } };
    }
    default:
      return reply;
  }
}
