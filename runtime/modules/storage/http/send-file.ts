import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Request, Response } from "express";
import { ServiceError } from "../../../core/errors/index.ts";
import { sendContent } from "../../../core/http/index.ts";
import { servedHeaders } from "../content/served-headers.ts";
import type { StoredKey } from "../keys/file-key.ts";
import { storageError, withStorageErrors } from "../storage-error.ts";
import type { ByteRange, FileInfo, OpenFile, ServedStore } from "../stores/file-store.ts";

interface FileRequest {
  readonly key: StoredKey;
  readonly request: Request;
  readonly response: Response;
  readonly store: ServedStore;
  readonly cacheControl: string;
}

/** Another file can replace this one between `head` and `get`, so try again. */
const mostAttempts = 5;

/** Sends a file, a range of it, or 304. Errors: 404 `NOT_FOUND`, and `HTTP_ERROR` 412 and 416. */
export async function sendFile(fileRequest: FileRequest): Promise<void> {
  const { key, store } = fileRequest;
  const { method, headers } = fileRequest.request;
  if (method === "GET" && isUnconditional(headers))
    return sendOpened(fileRequest, await found(store.get(key)));
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const known = await found(store.head(key));
    const { status, range } = evaluateConditions(method, headers, known);
    if (method === "HEAD" || (status !== 200 && status !== 206)) return sendHead(fileRequest, known, status);
    const file = await found(store.get(key, range));
    if (file.etag === known.etag) return sendOpened(fileRequest, file, range);
    file.content.destroy();
  }
  throw storageError(new Error("the file changed during each attempt"));
}

/** Error: 404 if the file does not exist. */
async function found<File>(work: Promise<File | null>): Promise<File> {
  const file = await withStorageErrors(work);
  if (file === null) throw new ServiceError("NOT_FOUND", "There is no such file.");
  return file;
}

function sendHead(fileRequest: FileRequest, file: FileInfo, status: Evaluation["status"]): void {
  if (status === 412) throw new ServiceError("HTTP_ERROR", "The file has changed.", undefined, { status });
  if (status === 416)
    throw new ServiceError("HTTP_ERROR", "The requested range is outside the file.", undefined, {
      status,
      headers: { "Content-Range": `bytes */${file.size}` },
    });
  fileRequest.response
    .writeHead(status, status === 304 ? cacheHeaders(fileRequest, file) : headersOf(fileRequest, file))
    .end();
}

async function sendOpened(fileRequest: FileRequest, file: OpenFile, range?: ByteRange): Promise<void> {
  const headers = headersOf(fileRequest, file);
  const part =
    range === undefined
      ? null
      : {
          "Content-Length": range.end - range.start + 1,
          "Content-Range": `bytes ${range.start}-${range.end}/${file.size}`,
        };
  const { context } = fileRequest.request;
  const count = (bytes: number) => {
    context.sentBytes = (context.sentBytes ?? 0) + bytes;
  };
  const status = part === null ? 200 : 206;
  await withStorageErrors(
    sendContent(fileRequest.response, file.content, status, { ...headers, ...part }, count),
  );
}

function cacheHeaders({ cacheControl }: FileRequest, { etag }: FileInfo): OutgoingHttpHeaders {
  return { "Cache-Control": cacheControl, ETag: etag };
}

function headersOf(fileRequest: FileRequest, file: FileInfo): OutgoingHttpHeaders {
  const { contentType, disposition } = servedHeaders({ key: fileRequest.key, mediaType: file.mediaType });
  return {
    ...cacheHeaders(fileRequest, file),
    "Content-Type": contentType,
    "Content-Disposition": disposition,
    "Content-Length": file.size,
    // A browser that opens the file runs no code in it. Each response also has `nosniff`.
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
  };
}

/** Status of the response; 206 has a range. */
type Evaluation =
  | { readonly status: 200 | 304 | 412 | 416; readonly range?: undefined }
  | { readonly status: 206; readonly range: ByteRange };

const conditions = ["if-match", "if-none-match", "range"] as const;

/** Whether the request has neither conditions nor a range. */
function isUnconditional(headers: IncomingHttpHeaders): boolean {
  return conditions.every((name) => headers[name] === undefined);
}

/** Evaluates conditions in the order of RFC 9110, section 13.2.2, with ETags only, not dates. */
function evaluateConditions(
  method: string,
  headers: IncomingHttpHeaders,
  { etag, size }: Pick<FileInfo, "etag" | "size">,
): Evaluation {
  const [match, noneMatch] = [headers["if-match"], headers["if-none-match"]];
  if (match !== undefined && !tagsOf(match, etag).includes(etag)) return { status: 412 };
  // Weak comparison is allowed here.
  if (noneMatch !== undefined && tagsOf(noneMatch.replaceAll("W/", ""), etag).includes(etag))
    return { status: 304 };
  const condition = headers["if-range"];
  if (method !== "GET" || (condition !== undefined && condition !== etag)) return { status: 200 };
  return rangeOf(headers.range ?? "", size);
}

/** The ETags of a list; `*` matches the current one. */
function tagsOf(list: string, etag: string): readonly string[] {
  return list.trim() === "*" ? [etag] : (list.match(/(W\/)?"[^"]*"/g) ?? []);
}

/** A single byte range. The whole file for several ranges or an invalid header. */
function rangeOf(header: string, size: number): Evaluation {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? [];
  if (first === "") {
    if (last === "" || size === 0) return { status: 200 };
    return within({ start: Math.max(0, size - Number(last)), end: size - 1 }, size);
  }
  const end = last === "" ? size - 1 : Number(last);
  if (last !== "" && end < Number(first)) return { status: 200 };
  return within({ start: Number(first), end: Math.min(end, size - 1) }, size);
}

function within(range: ByteRange, size: number): Evaluation {
  return range.start < size ? { status: 206, range } : { status: 416 };
}
