import { pipeline, Readable, Transform } from "node:stream";
import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import type { ByteRange, FileInfo } from "../file-store.ts";
import { S3Failure, saidIn } from "./s3-failure.ts";
import { IdleDeadline, type S3Session } from "./s3-session.ts";

/** What S3 says of an object. Null where there is none. */
export function headOf(session: S3Session, name: string): Promise<HeadObjectCommandOutput | null> {
  const { client, sdk } = session.connection;
  return ifPresent(
    session.request("HeadObject", (options) =>
      client.send(new sdk.HeadObjectCommand(session.place(name)), options),
    ),
  );
}

/** Null where S3 says that there is no such object. */
export async function ifPresent<Answer>(request: Promise<Answer>): Promise<Answer | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof S3Failure && error.absent) return null;
    throw error;
  }
}

interface ObjectAnswer {
  readonly ETag?: string | undefined;
  readonly ContentType?: string | undefined;
  readonly ContentRange?: string | undefined;
  readonly ContentLength?: number | undefined;
  readonly Metadata?: Readonly<Record<string, string>> | undefined;
}

/** In an object's metadata: by which upload it came. */
export const markName = "kirak-upload";

/** Of an object that came by another way its ETag has to do. */
export function versionOf(operation: string, { ETag, Metadata }: ObjectAnswer): string {
  return Metadata?.[markName] ?? saidIn(operation, "ETag", ETag);
}

/** What S3 says of an object, which may have come by another way and without a type. */
export function fileInfo(operation: string, answer: ObjectAnswer, size: number): FileInfo {
  const { ETag, ContentType = "" } = answer;
  const mediaType = ContentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return {
    size,
    mediaType: mediaType === "" ? "application/octet-stream" : mediaType,
    etag: strongTag(saidIn(operation, "ETag", ETag)),
    version: versionOf(operation, answer),
  };
}

/** Some providers leave the quotes out. */
function strongTag(tag: string): string {
  return `"${tag.replace(/^W\//, "").replaceAll('"', "")}"`;
}

/** How large an object is of which a part, or all, was asked for. Rejects an answer that is another part. */
export function totalSize(answer: ObjectAnswer, range: ByteRange | undefined): number {
  if (range === undefined) return saidIn("GetObject", "ContentLength", answer.ContentLength);
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.ContentRange ?? "") ?? [];
  if (Number(start) === range.start && Number(end) === range.end) return Number(total);
  throw new S3Failure("GetObject", { code: "WrongRange", status: 206, message: "answers with another part" });
}

/**
 * The bytes of an object as they come. Fails where they are not as many as S3 said, and where none comes for so long though somebody waits
 * for them: a reader may be as slow as he likes.
 */
export function objectContent(body: unknown, size: number, idleMs: number): Readable {
  if (!(body instanceof Readable)) throw broken("no content");
  let left = size;
  const content = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      deadline.moved();
      done(left < 0 ? broken("more bytes than it said") : null, chunk);
    },
    flush(done) {
      done(left > 0 ? broken("fewer bytes than it said") : null);
    },
  });
  const deadline = new IdleDeadline(idleMs, () => content.readableLength === 0);
  const { signal } = deadline;
  signal.addEventListener("abort", () => content.destroy(signal.reason), { once: true });
  return pipeline(body, content, () => deadline.end());
}

function broken(message: string): S3Failure {
  return new S3Failure("GetObject", { code: "IncompleteBody", status: 200, message });
}
