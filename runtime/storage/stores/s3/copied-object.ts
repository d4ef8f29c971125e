import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { encodeKey } from "../../keys/encode-key.ts";
import { headOf } from "./object-head.ts";
import { versionOf } from "./object-info.ts";
import { PartsUpload, sendAllParts } from "./parts-upload.ts";
import { saidIn } from "./s3-failure.ts";
import type { S3Session } from "./s3-session.ts";

/** Of which object a copy is made, and where. */
export interface Copy {
  readonly from: string;
  readonly to: string;
}

/** Copies an object with its headers, within S3. Rejects where there is none. */
export async function copyObject(session: S3Session, { from, to }: Copy): Promise<void> {
  const { client, sdk } = session.connection;
  const input = { ...session.place(to), CopySource: sourceOf(session, from) };
  const answer = await session.request("CopyObject", (options) =>
    client.send(new sdk.CopyObjectCommand(input), options),
  );
  saidIn("CopyObject", "ETag", answer.CopyObjectResult?.ETag);
}

/**
 * Copies an object of any size: S3 copies no more than 5 GiB at once, and says nothing while it does. Gives its
 * version; null where there is none.
 */
export async function copyLargeObject(
  session: S3Session,
  copy: Copy,
  partSize: number,
): Promise<string | null> {
  const object = await headOf(session, copy.from);
  if (object === null) return null;
  const size = saidIn("HeadObject", "ContentLength", object.ContentLength);
  await (size <= partSize
    ? copyObject(session, copy)
    : copyInParts(session, copy, { object, size, partSize }));
  return versionOf("HeadObject", object);
}

interface Large {
  readonly object: HeadObjectCommandOutput;
  readonly size: number;
  readonly partSize: number;
}

async function copyInParts(session: S3Session, copy: Copy, { object, size, partSize }: Large): Promise<void> {
  const { client, sdk } = session.connection;
  const upload = await PartsUpload.begin(session, { Key: copy.to, ...headersOf(object) });
  try {
    const source = {
      CopySource: sourceOf(session, copy.from),
      CopySourceIfMatch: saidIn("HeadObject", "ETag", object.ETag),
    };
    const parts = await sendAllParts(session, { size, partSize }, async (group, part) => {
      const range = { CopySourceRange: `bytes=${part.offset}-${part.offset + part.size - 1}` };
      const input = { ...upload.place, ...source, ...range, PartNumber: part.number };
      const answer = await group.request("UploadPartCopy", (options) =>
        client.send(new sdk.UploadPartCopyCommand(input), options),
      );
      return { ETag: saidIn("UploadPartCopy", "ETag", answer.CopyPartResult?.ETag) };
    });
    await upload.complete(session, parts, {});
  } catch (error) {
    // What cannot be removed now, the purge finds.
    await upload.abort(session).catch(() => {});
    throw error;
  }
}

function sourceOf(session: S3Session, name: string): string {
  return encodeKey(`${session.connection.bucket}/${name}`);
}

function headersOf({ ContentType, ContentDisposition, Metadata }: HeadObjectCommandOutput) {
  return {
    ...(ContentType !== undefined && { ContentType }),
    ...(ContentDisposition !== undefined && { ContentDisposition }),
    ...(Metadata !== undefined && { Metadata }),
  };
}
