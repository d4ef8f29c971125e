import type { ByteRange, FileInfo } from "../file-store.ts";
import { S3Failure, saidIn } from "./s3-failure.ts";

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
