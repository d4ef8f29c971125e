import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { doubleOf } from "../../../vocabulary/fields/exact-numbers.ts";
import { exactText, isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { invalid, ServiceError } from "../errors/index.ts";
import { endOfString, parseExactly } from "../text/index.ts";
import { requireDecodable } from "./url.ts";

const maximumDepth = 64;

const refuse = (message: string) => new ServiceError("VALIDATION_ERROR", message);

interface Scan {
  /** It has a `\u` escape. Only then can a character be unstorable. */
  readonly escapes: boolean;
  /** It has a number of 16 or more characters before its exponent. Only then can digits be lost. */
  readonly longNumbers: boolean;
}

/**
 * Parses untrusted JSON. Integers beyond 2^53 - 1 become BigInts. Errors: 400 for malformed text, nesting
 * beyond 64 levels, and NUL or unpaired surrogates, which PostgreSQL rejects or changes.
 */
export function parseJson(text: string): unknown {
  return parsed(text, parseExactly);
}

/**
 * Like `parseJson`, for code that uses doubles. Errors: also 400 with `details.field` for an integer that
 * would be rounded.
 */
function parseDoubles(text: string): unknown {
  return parsed(text, (valid) => {
    refuseRounded(parseExactly(valid));
    return JSON.parse(valid);
  });
}

/** Errors: 400 with `details.field` for an integer that a double cannot hold. */
export function refuseRounded(value: unknown): void {
  const place = placeOfRounded(value);
  if (place === null) return;
  throw invalid([{ field: place, message: "is a whole number that would be rounded: send it as a string" }]);
}

/** A parsed JSON object for code that uses doubles: without BigInts. Errors: as `refuseRounded`. */
export function withDoubles(object: JsonObject): JsonObject {
  refuseRounded(object);
  const value: unknown = JSON.parse(exactText(object));
  return isJsonObject(value) ? value : object;
}

function parsed(text: string, parseLong: (valid: string) => unknown): unknown {
  const { escapes, longNumbers } = scan(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("The body is not valid JSON.");
  }
  if (escapes) refuseUnstorable(value);
  return longNumbers ? parseLong(text) : value;
}

/** The path of an integer that a double cannot hold, such as `lines.2.id`; null without such an integer. */
function placeOfRounded(value: unknown): string | null {
  if (typeof value === "bigint") return doubleOf(value) === null ? "" : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const place = placeOfRounded(item);
    if (place !== null) return place === "" ? key : `${key}.${place}`;
  }
  return null;
}

/** Checks the depth and collects properties of the text. */
function scan(text: string): Scan {
  let depth = 0;
  let escapes = false;
  let longNumbers = false;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case 0x22: {
        const end = endOfString(text, at);
        if (!escapes && text.slice(at, end).includes("\\u")) escapes = true;
        at = end;
        break;
      }
      case 0x5b:
      case 0x7b:
        if (++depth > maximumDepth) throw refuse(`The body is nested deeper than ${maximumDepth} levels.`);
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      default:
        digits = isPartOfNumber(code) ? digits + 1 : 0;
        if (digits > 15) longNumbers = true;
    }
  }
  return { escapes, longNumbers };
}

/** A digit, `-`, `.` or `/`, which JSON has only in strings. */
function isPartOfNumber(code: number): boolean {
  return code >= 0x2d && code <= 0x39;
}

function refuseUnstorable(value: unknown): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw refuse("A text contains a NUL character.");
    if (!value.isWellFormed()) throw refuse("A text contains half of a surrogate pair.");
  } else if (Array.isArray(value)) {
    for (const item of value) refuseUnstorable(item);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseUnstorable(key);
      refuseUnstorable(item);
    }
  }
}

const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json$/i;

/**
 * Reads a JSON body of at most `limit` bytes; undefined without a body. Integers beyond 2^53 - 1 become
 * BigInts. Errors: 413 and 415 `HTTP_ERROR`; 400 `VALIDATION_ERROR` if it is not a JSON object.
 */
export function readJsonBody(request: IncomingMessage, limit: number): Promise<JsonObject | undefined> {
  return readBody(request, limit, parseJson);
}

/**
 * Like `readJsonBody`, for code that uses doubles. Errors: also 400 with `details.field` for a rounded
 * integer.
 */
export function readDoublesBody(request: IncomingMessage, limit: number): Promise<JsonObject | undefined> {
  return readBody(request, limit, parseDoubles);
}

async function readBody(
  request: IncomingMessage,
  limit: number,
  parse: (text: string) => unknown,
): Promise<JsonObject | undefined> {
  const bytes = await readRawBody(request, limit);
  // Checked without a body too: without a preflight, other origins can only send the types of HTML forms.
  if (bytes.length > 0 || request.headers["content-type"] !== undefined) requireJson(request);
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new ServiceError("VALIDATION_ERROR", "The body is not valid UTF-8.");
  const value = parse(bytes.toString("utf8"));
  if (isJsonObject(value)) return value;
  const list = Array.isArray(value) ? ' Put the list into an object, such as {"data": […]}.' : "";
  throw new ServiceError("VALIDATION_ERROR", `The body must be a JSON object.${list}`);
}

/**
 * Reads the body of an HTML form; empty without a body. Errors: 413 and 415 `HTTP_ERROR`; 400
 * `VALIDATION_ERROR` for text that is not a form.
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

/** Reads a body of at most `limit` bytes; empty without a body. Errors: 413 `HTTP_ERROR`. */
export async function readRawBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (!hasBody(request)) return Buffer.alloc(0);
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  return readBytes(request, limit);
}

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

/** Longest time from the headers of a request to the end of its body. */
const longestBodyMs = 120_000;

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    // If the client left earlier, no event closes it, so the timer must not keep the process alive.
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
    request.on("aborted", () =>
      reject(
        new ServiceError("HTTP_ERROR", "The client closed the connection before the request was complete."),
      ),
    );
  });
}

/** The connection ends after the response. */
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
