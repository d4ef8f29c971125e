import { randomUUID } from "node:crypto";
import type * as Sdk from "@aws-sdk/client-s3";
import { mediaTypeRenamed } from "../../content/media-type.ts";
import { servedHeaders } from "../../content/served-headers.ts";
import { encodeKey, fileNameOf, type StoredKey } from "../../keys/file-key.ts";
import { KeyConflict } from "../file-store.ts";
import { headObject, objectTypeOf, uploadIdField } from "./object-upload.ts";
import { requireValue, S3Failure, type S3Session } from "./s3-session.ts";

interface CopyOptions {
  readonly from: StoredKey;
  readonly to: StoredKey;
  readonly overwrite: boolean;
}

/**
 * Copies an object with its metadata; returns whether it still existed. Rejects with `KeyConflict` if the new key is
 * taken.
 */
export async function copyObject(
  session: S3Session,
  object: Sdk.HeadObjectCommandOutput,
  { from, to, overwrite }: CopyOptions,
): Promise<boolean> {
  // Not every provider supports the condition of a copy.
  if (!overwrite && (await headObject(session, to)) !== null) throw new KeyConflict(`${to} is taken`);
  const { client, sdk, bucket } = session.connection;
  const id = randomUUID();
  const { CacheControl, ContentEncoding, ContentLanguage } = object;
  const type = objectTypeOf(object);
  const mediaType = mediaTypeRenamed(type, fileNameOf(to));
  const { contentType, disposition } = servedHeaders({ key: to, mediaType });
  const input: Sdk.CopyObjectCommandInput = {
    ...session.objectInput(to),
    CopySource: `${bucket}/${encodeKey(from)}`,
    CopySourceIfMatch: object.ETag,
    // The name of the file is a part of its headers.
    MetadataDirective: "REPLACE",
    ContentType: mediaType === type ? object.ContentType : contentType,
    ContentDisposition: disposition,
    ...{ CacheControl, ContentEncoding, ContentLanguage },
    Metadata: { ...object.Metadata, [uploadIdField]: id },
    ...(!overwrite && { IfNoneMatch: "*" }),
  };
  try {
    const { CopyObjectResult } = await session.request("CopyObject", (options) =>
      client.send(new sdk.CopyObjectCommand(input), options),
    );
    requireValue("CopyObject", "ETag", CopyObjectResult?.ETag);
    return true;
  } catch (error) {
    if (!(error instanceof S3Failure && (error.taken || error.contested || error.absent))) throw error;
    const found = await headObject(session, to);
    // A retry after a lost response: this call has already made the copy.
    if (found?.Metadata?.[uploadIdField] === id) return true;
    if (error.absent) return false;
    // Without a file at the new key, or with `overwrite`, the old file has changed.
    if (overwrite || (error.taken && found === null)) throw error;
    throw new KeyConflict(`${to} is taken`, { cause: error });
  }
}
