import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { finished, type Readable } from "node:stream";
import contentDisposition from "content-disposition";
import { endWhenStalled } from "./connection.ts";

/**
 * Streams content as fast as the client reads it. Resolves if the client leaves. Rejects if the stream fails,
 * possibly before anything was sent. `onSent` is called for each chunk.
 */
export function sendContent(
  response: ServerResponse,
  content: Readable,
  status: number,
  headers: OutgoingHttpHeaders,
  onSent: (bytes: number) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      resolve();
      content.destroy();
      // Starts deferred work, even if no client reads the response.
      if (!response.writableEnded) response.end();
    };
    const pass = () => {
      if (response.writableNeedDrain || content.destroyed) return;
      for (let chunk: unknown = content.read(); chunk !== null; chunk = content.read()) {
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        if (!(bytes instanceof Uint8Array)) return void content.destroy(new TypeError(notBytes));
        onSent(bytes.byteLength);
        if (!response.write(bytes)) return;
      }
    };
    const begin = () => {
      if (content.destroyed || response.headersSent) return;
      response.writeHead(status, headers);
      endWhenStalled(response);
    };
    finished(content, { writable: false }, (error) => {
      if (error != null) return reject(error);
      if (!response.headersSent) response.writeHead(status, headers);
      response.end();
    });
    // The client left before this call, so no event reports it.
    if (response.destroyed) return leave();
    response.once("close", leave);
    response.on("drain", pass);
    content.once("readable", begin);
    content.on("readable", pass);
  });
}

const notBytes = "a stream of a response must yield strings or bytes";

/** `Content-Disposition` for a file name, in ASCII. Characters that end a name on some systems become `_`. */
export function dispositionOf(type: "inline" | "attachment", name: string): string {
  const safe = name.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_");
  // By default, the package writes Latin-1, which some proxies do not forward.
  return contentDisposition(safe, { type, fallback: safe.replace(/[^\x20-\x7e]/gu, "_") });
}
