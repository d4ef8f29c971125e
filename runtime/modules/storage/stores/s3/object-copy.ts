import { randomUUID } from "node:crypto";
import type * as Sdk from "@aws-sdk/client-s3";
import { mediaTypeRenamed } from "../../content/media-type.ts";
import { servedHeaders } from "../../content/served-headers.ts";
import { encodeKey, fileNameOf, type StoredKey } from "../../keys/file-key.ts";
import { KeyConflict } from "../file-store.ts";
import { headObject, objectTypeOf, storedUploadId, uploadIdField } from "./object-upload.ts";
import { requireValue, S3Failure, type S3Session } from "./s3-session.ts";

export interface CopyOptions {
  readonly from: StoredKey;
  readonly to: StoredKey;
  /** The object at `from`. */
  readonly object: Sdk.HeadObjectCommandOutput;
  readonly overwrite: boolean;
}

/** Copies an object with its metadata. Rejects with `KeyConflict` if the new key is taken. */
export async function copyObject(
  session: S3Session,
  { from, to, object, overwrite }: CopyOptions,
): Promise<void> {
  // Not every provider supports the condition of a copy.
  if (!overwrite && (await headObject(session, to)) !== null) throw new KeyConflict(`${to} is taken`);
  const { client, sdk, bucket } = session.connection;
  const id = randomUUID();
  const { ETag, Metadata, CacheControl, ContentEncoding, ContentLanguage } = object;
  const input: Sdk.CopyObjectCommandInput = {
    ...session.objectInput(to),
    CopySource: `${bucket}/${encodeKey(from)}`,
    CopySourceIfMatch: ETag,
    // The name of the file is a part of its headers.
    MetadataDirective: "REPLACE",
    ...headersAt(to, object),
    ...{ CacheControl, ContentEncoding, ContentLanguage },
    Metadata: { ...Metadata, [uploadIdField]: id },
    ...(!overwrite && { IfNoneMatch: "*" }),
  };
  try {
    const { CopyObjectResult } = await session.request("CopyObject", (options) =>
      client.send(new sdk.CopyObjectCommand(input), options),
    );
    requireValue("CopyObject", "ETag", CopyObjectResult?.ETag);
  } catch (error) {
    if (!(error instanceof S3Failure && (error.taken || error.contested))) throw error;
    // A retry after a lost response: this call has already made the copy.
    if ((await storedUploadId(session, to)) !== id) throw new KeyConflict(`${to} is taken`, { cause: error });
  }
}

function headersAt(key: StoredKey, object: Sdk.HeadObjectCommandOutput) {
  const before = objectTypeOf(object);
  const mediaType = mediaTypeRenamed(before, fileNameOf(key));
  const { contentType, disposition } = servedHeaders({ key, mediaType });
  return {
    ContentType: mediaType === before ? object.ContentType : contentType,
    ContentDisposition: disposition,
  };
}
