import { createReadStream } from "node:fs";
import { pipeline, type Readable, Transform } from "node:stream";
import { crc32 } from "node:zlib";
import type { ByteRange } from "../file-store.ts";
import type { S3Session } from "./s3-session.ts";

/** A part of a staged file as the body of a request. */
export interface StagedPart {
  readonly path: string;
  /** Null: of a file without content. */
  readonly range: ByteRange | null;
  readonly size: number;
  /** As S3 wants it: of four bytes, in base64. */
  readonly crc32: string;
}

/**
 * Reads a part once, for its checksum: S3 then takes it in a header, before the bytes. Behind them, as the SDK has it for streams, few
 * other providers understand it. Rejects where the file is shorter than it was.
 */
export async function stagedPart(path: string, offset: number, size: number): Promise<StagedPart> {
  const range = size === 0 ? null : { start: offset, end: offset + size - 1 };
  let sum = 0;
  let read = 0;
  if (range !== null)
    for await (const chunk of createReadStream(path, range)) {
      sum = crc32(chunk, sum);
      read += chunk.length;
    }
  if (read !== size) throw new Error(`${path} has changed since it was staged`);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  return { path, range, size, crc32: bytes.toString("base64") };
}

/**
 * Sends a part, from its file, so that memory holds little of it. The SDK can neither send a stream twice nor see it fail: both are done
 * here.
 */
export function sendPart<Output>(
  session: S3Session,
  part: StagedPart,
  send: (session: S3Session, body: Readable | Buffer) => Promise<Output>,
): Promise<Output> {
  return session.repeat(async () => {
    if (part.range === null) return send(session, Buffer.alloc(0));
    const broken = new AbortController();
    const body = countedBytes(session);
    pipeline(createReadStream(part.path, part.range), body, (error) => {
      if (error) broken.abort(error);
    });
    try {
      return await send(session.until(broken.signal), body);
    } finally {
      body.destroy();
    }
  });
}

/** Passes bytes on, and puts the deadline off with each that is taken. */
function countedBytes(session: S3Session): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      session.moved();
      done(null, chunk);
    },
  });
}
