import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ServiceError } from "../../errors/index.ts";
import { type ContentKind, ContentProbe } from "../content/media-type.ts";
import { zipType, zipTypeOf } from "../content/zip-type.ts";
import { ofStore } from "../storage-error.ts";
import { answered } from "../stores/disk.ts";
import { StagedWriter } from "./staged-writer.ts";

/** A file that came in whole, and lies in the staging folder until it is stored or its owner removes it. */
export interface IncomingFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly kind: ContentKind;
}

export interface ReceiveOptions {
  /** The staging folder of the store. */
  readonly folder: string;
  /** Most bytes. */
  readonly limit: number;
}

/**
 * Receives a stream of bytes as a file; memory does not grow with it. Whatever fails leaves nothing behind. Errors: 413 `HTTP_ERROR`
 * over the limit, `STORAGE_ERROR` where the disk fails, and what the stream itself fails with.
 */
export async function receiveFile(
  content: Readable,
  { folder, limit }: ReceiveOptions,
): Promise<IncomingFile> {
  const path = stagingPath(folder);
  const probe = new ContentProbe();
  let size = 0;
  const writer = new StagedWriter(path, (chunk) => {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    probe.take(chunk);
  });
  try {
    await pipeline(content, writer);
    const kind = await probe.end();
    return { path, size, kind: kind.magic === zipType ? await archiveKind(path, kind) : kind };
  } catch (error) {
    // One that is still being opened would be made after it was removed.
    if (!writer.closed) await new Promise((resolve) => writer.once("close", resolve));
    await discard(path);
    throw error;
  }
}

/** What an archive is, of which the first bytes do not tell more. */
async function archiveKind(path: string, kind: ContentKind): Promise<ContentKind> {
  const file = await ofStore(answered(open(path)));
  try {
    return { ...kind, magic: await ofStore(answered(zipTypeOf(file))) };
  } finally {
    await file.close();
  }
}

/** A new name in the staging folder. */
export function stagingPath(folder: string): string {
  return join(folder, randomUUID());
}

/** Removes a staged file, if it is there. What cannot be removed now is left to the purge. */
export async function discard(path: string): Promise<void> {
  await answered(unlink(path)).catch(() => {});
}

/** The rest is dropped, and the connection ends. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError("HTTP_ERROR", `The file is larger than ${limit} bytes.`, undefined, {
    status: 413,
    headers: { Connection: "close" },
  });
}

/** What code of the app hands over as a file: bytes, a text in UTF-8, or a stream of either. */
export type FileData = Uint8Array | string | Readable;

/** Receives what code of the app hands over, as `receiveFile` does. Error: a `TypeError` for chunks that are neither bytes nor text. */
export async function receiveData(data: FileData, options: ReceiveOptions): Promise<IncomingFile> {
  return receiveFile(Readable.from(bytesOf(data), { objectMode: false }), options);
}

/** Checked here: a stream to which something else is written ends the process. */
async function* bytesOf(data: FileData): AsyncGenerator<Uint8Array> {
  for await (const chunk of data instanceof Readable ? data : [data]) {
    if (typeof chunk === "string") yield Buffer.from(chunk);
    else if (chunk instanceof Uint8Array) yield chunk;
    else throw new TypeError("a file must be bytes, a text, or a stream of these");
  }
}
