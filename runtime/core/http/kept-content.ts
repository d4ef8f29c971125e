import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { sendBody } from "./answer.ts";

/** Content that is kept in memory, with its strong `ETag`. */
export interface KeptContent {
  readonly body: string | Uint8Array;
  readonly contentType: string;
  readonly etag: string;
}

export function keptContent(body: KeptContent["body"], contentType: string): KeptContent {
  return { body, contentType, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
}

/** Responds to a GET or HEAD with kept content, or with 304 if the client has it. */
export function sendKept(request: Request, response: Response, kept: KeptContent): void {
  response.setHeader("ETag", kept.etag);
  if (request.fresh) {
    response.statusCode = 304;
    response.end();
  } else sendBody(response, 200, kept.contentType, kept.body);
}
