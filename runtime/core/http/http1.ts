import type { RequestHandler } from "express";
import { ServiceError } from "../errors/index.ts";

/** `host [":" port]`; a target without an authority has an empty one. A header that stands twice is joined by `, `. */
const host = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

/**
 * Refuses what a server of HTTP/1.1 must refuse and node:http lets pass, or answers without the envelope: no version, no
 * `Host`, two of them, or one that names no host (RFC 9112, 2.3 and 3.2). Error: 400.
 */
export const requireHttp1: RequestHandler = (request, _response, next) => {
  const { headers, httpVersion } = request;
  if (httpVersion === "0.9") throw refuse("The request names no version of HTTP.");
  if (headers.host === undefined ? httpVersion === "1.1" : !host.test(headers.host))
    throw refuse("The Host header must stand once, and name a host.");
  next();
};

function refuse(message: string): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message);
}
