import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { ServiceError } from "../errors/index.ts";
import { parseDoubles, parseJson } from "./json-text.ts";
import { requireDecodable } from "./url.ts";

const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json$/i;

/**
 * Reads a JSON body of at most `limit` bytes, in which whole numbers beyond 2^53 - 1 are BigInts. Undefined when there is
 * none. Errors: 413 and 415 `HTTP_ERROR`, and 400 `VALIDATION_ERROR` for text that is not JSON or not an object.
 */
export function readJsonBody(request: IncomingMessage, limit: number): Promise<JsonObject | undefined> {
  return readBody(request, limit, parseJson);
}

/** The same for code that takes doubles; 400 with `details.field` also for a whole number that would be rounded. */
export function readDoublesBody(request: IncomingMessage, limit: number): Promise<JsonObject | undefined> {
  return readBody(request, limit, parseDoubles);
}

async function readBody(
  request: IncomingMessage,
  limit: number,
  parse: (text: string) => unknown,
): Promise<JsonObject | undefined> {
  const bytes = await readRawBody(request, limit);
  // Without a body too: pages of other origins can send only the types of HTML forms without asking first.
  if (bytes.length > 0 || request.headers["content-type"] !== undefined) requireJson(request);
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new ServiceError("VALIDATION_ERROR", "The body is not valid UTF-8.");
  const value = parse(bytes.toString("utf8"));
  if (isJsonObject(value)) return value;
  const list = Array.isArray(value) ? ' A list stands in one, such as {"data": […]}.' : "";
  throw new ServiceError("VALIDATION_ERROR", `The body must be a JSON object.${list}`);
}

/**
 * Reads the body of an HTML form of at most `limit` bytes; empty when there is none. Errors: 413 and 415 `HTTP_ERROR`, and
 * 400 `VALIDATION_ERROR` for text that is none.
 */
export async function readFormBody(request: IncomingMessage, limit: number): Promise<URLSearchParams> {
  if (!hasBody(request)) return new URLSearchParams();
  const bytes = await readRawBody(request, limit);
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers["content-type"] ?? ""))
    throw new ServiceError("HTTP_ERROR", "The body must be a form.", undefined, { status: 415 });
  const text = bytes.toString("latin1");
  requireDecodable(text.replaceAll("+", " "));
  return new URLSearchParams(text);
}

/** Reads a body of at most `limit` bytes as it was sent; empty when there is none. Errors: 413 `HTTP_ERROR`. */
export async function readRawBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (!hasBody(request)) return Buffer.alloc(0);
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  return readBytes(request, limit);
}

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers["transfer-encoding"] !== undefined) return true;
  const length = headers["content-length"];
  return length !== undefined && length !== "0";
}

function requireJson(request: IncomingMessage): void {
  const [mediaType = "", ...parameters] = (request.headers["content-type"] ?? "").split(";");
  const charset = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((p) => p.startsWith("charset="));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (!jsonMediaType.test(mediaType.trim()) || !utf8 || encoding !== "identity") {
    throw new ServiceError(
      "HTTP_ERROR",
      "The body must be application/json in UTF-8, not compressed.",
      undefined,
      {
        status: 415,
      },
    );
  }
}

/** The longest time from the headers of a request to the end of its body. */
const longestBodyMs = 120_000;

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    // A client that left before its body was read closes nothing any more: its timer must not keep the process alive.
    const timer = setTimeout(() => reject(tooLate()), longestBodyMs).unref();
    request.once("close", () => clearTimeout(timer));
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= limit) return;
      request.off("data", take).pause();
      chunks.length = 0;
      reject(tooLarge(limit));
    };
    request.on("data", take);
    request.on("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    request.on("error", reject);
    request.on("aborted", () => reject(new ServiceError("HTTP_ERROR", "The request was cut off.")));
  });
}

/** The rest of the body is dropped, and the connection ends. */
function tooLarge(limit: number): ServiceError {
  return new ServiceError("HTTP_ERROR", `The body is larger than ${limit} bytes.`, undefined, {
    status: 413,
    headers: { Connection: "close" },
  });
}

function tooLate(): ServiceError {
  return new ServiceError("HTTP_ERROR", "The request took too long to arrive.", undefined, {
    status: 408,
    headers: { Connection: "close" },
  });
}
