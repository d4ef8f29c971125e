import type { Readable } from "node:stream";
import type { Response } from "express";
import { sendBody, sendContent } from "../../core/http/index.ts";
import type { AnswerHead } from "./route-context.ts";

/** What a handler of a route whose answer is not JSON returns. */
export type Content = string | Uint8Array | Readable;

/** A stream of Node.js, or of the package `readable-stream`, which libraries use. */
export function isStream(value: unknown): value is Readable {
  if (typeof value !== "object" || value === null) return false;
  return ["read", "on", "pipe", "destroy"].every((name) => typeof Reflect.get(value, name) === "function");
}

/** Whether a content can be sent as it is. */
export function isWhole(value: unknown): value is string | Uint8Array {
  return typeof value === "string" || value instanceof Uint8Array;
}

/** Answers with a content, a stream as fast as the client takes it. Rejects where a stream fails. */
export async function sendContentAnswer(
  response: Response,
  content: Content,
  contentType: string,
  head: AnswerHead,
): Promise<void> {
  const { status } = head;
  const { context, method } = response.req;
  const isEmpty = status === 204 || status === 205;
  if (isEmpty || (method === "HEAD" && !isWhole(content))) {
    if (!isWhole(content)) content.on("error", () => {}).destroy();
    if (!isEmpty) response.setHeaders(new Map(headersOf(contentType, head)));
    response.statusCode = status;
    response.end();
  } else if (isWhole(content)) {
    response.setHeaders(new Map(headersOf(contentType, head)));
    sendBody(response, status, contentType, content);
  } else
    await sendContent(
      response,
      content,
      status,
      Object.fromEntries(headersOf(contentType, head)),
      (bytes) => {
        context.sentBytes = (context.sentBytes ?? 0) + bytes;
      },
    );
}

function headersOf(contentType: string, { disposition }: AnswerHead): [name: string, value: string][] {
  return [
    ["Content-Type", contentType],
    ["Content-Security-Policy", policyOf(contentType)],
    ...(disposition === null ? [] : [["Content-Disposition", disposition] satisfies [string, string]]),
  ];
}

/** Whatever the answer holds, a browser that opens it runs nothing of it. Chrome shows no PDF in a sandbox. */
function policyOf(contentType: string): string {
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return /^application\/pdf\b/i.test(contentType) ? policy : `sandbox; ${policy}`;
}
