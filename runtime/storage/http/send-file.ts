import type { OutgoingHttpHeaders } from "node:http";
import type { Request, Response } from "express";
import { ServiceError } from "../../errors/index.ts";
import { sendContent } from "../../http/index.ts";
import { servedHeaders } from "../content/served-headers.ts";
import { ofStore, storageError } from "../storage-error.ts";
import type { ByteRange, FileInfo, FileStore, OpenFile, StoredKey } from "../stores/file-store.ts";
import { type FileOutcome, isUnconditional, outcomeOf } from "./file-outcome.ts";

export type ReadableStore = Pick<FileStore, "head" | "get">;

/** Somebody who may read a file. */
export interface FileRequest {
  readonly key: StoredKey;
  readonly request: Request;
  readonly response: Response;
  readonly store: ReadableStore;
  readonly cacheControl: string;
}

/** As often another file may take the place of one between two looks at it. */
const mostAttempts = 5;

/** Answers with a file, with a part of it, or that it has not changed. Errors: 404 `NOT_FOUND`, and `HTTP_ERROR` 412 and 416. */
export async function sendFile(asked: FileRequest): Promise<void> {
  const { key, store } = asked;
  const { method, headers } = asked.request;
  if (method === "GET" && isUnconditional(headers)) return sendOpened(asked, await found(store.get(key)));
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const known = await found(store.head(key));
    const { status, range } = outcomeOf(method, headers, known);
    if (method === "HEAD" || (status !== 200 && status !== 206)) return sendHead(asked, known, status);
    const file = await found(store.get(key, range));
    if (file.etag === known.etag) return sendOpened(asked, file, range);
    file.content.destroy();
  }
  throw storageError(new Error("the file changes all the time"));
}

/** What the store has. */
async function found<File>(work: Promise<File | null>): Promise<File> {
  const file = await ofStore(work);
  if (file === null) throw new ServiceError("NOT_FOUND", "There is no such file.");
  return file;
}

function sendHead(asked: FileRequest, file: FileInfo, status: FileOutcome["status"]): void {
  if (status === 412)
    throw new ServiceError("HTTP_ERROR", "The file is another one by now.", undefined, { status });
  if (status === 416)
    throw new ServiceError("HTTP_ERROR", "The file has no such part.", undefined, {
      status,
      headers: { "Content-Range": `bytes */${file.size}` },
    });
  asked.response.writeHead(status, status === 304 ? stateOf(asked, file) : headersOf(asked, file)).end();
}

async function sendOpened(asked: FileRequest, file: OpenFile, range?: ByteRange): Promise<void> {
  const headers = headersOf(asked, file);
  const part =
    range === undefined
      ? null
      : {
          "Content-Length": range.end - range.start + 1,
          "Content-Range": `bytes ${range.start}-${range.end}/${file.size}`,
        };
  const { context } = asked.request;
  const count = (bytes: number) => {
    context.sentBytes = (context.sentBytes ?? 0) + bytes;
  };
  const status = part === null ? 200 : 206;
  await ofStore(sendContent(asked.response, file.content, status, { ...headers, ...part }, count));
}

function stateOf({ cacheControl }: FileRequest, { etag }: FileInfo): OutgoingHttpHeaders {
  return { "Cache-Control": cacheControl, ETag: etag };
}

function headersOf(asked: FileRequest, file: FileInfo): OutgoingHttpHeaders {
  const { contentType, disposition } = servedHeaders({ key: asked.key, mediaType: file.mediaType });
  return {
    ...stateOf(asked, file),
    "Content-Type": contentType,
    "Content-Disposition": disposition,
    "Content-Length": file.size,
    // Whatever it holds, a browser that opens it runs nothing of it. `nosniff` is sent with every answer.
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
  };
}
