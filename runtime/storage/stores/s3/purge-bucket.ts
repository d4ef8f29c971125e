import { isFileKey } from "../../keys/file-key.ts";
import { isThumbnailKey } from "../../keys/thumbnail-key.ts";
import { keptFolder, removeBelow } from "./kept-objects.ts";
import { decodedName } from "./object-list.ts";
import { S3Failure, saidIn } from "./s3-failure.ts";
import type { S3Session } from "./s3-session.ts";

/** Removes copies that were kept, and uploads in parts of our keys, from before a moment. Tells how many. */
export async function purgeBucket(session: S3Session, before: Date): Promise<number> {
  const copies = await removeBelow(session, keptFolder, ({ modified }) => modified < before);
  return copies + (await abortUploads(session, before));
}

async function abortUploads(session: S3Session, before: Date): Promise<number> {
  const { client, sdk, bucket } = session.connection;
  let aborted = 0;
  for await (const { key, id, begun } of unfinishedUploads(session)) {
    if (begun >= before || !isOurs(key)) continue;
    try {
      await session.request("AbortMultipartUpload", (options) =>
        client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: id }), options),
      );
      aborted += 1;
    } catch (error) {
      // Another purge was faster, or the upload has ended.
      if (!(error instanceof S3Failure && error.absent)) throw error;
    }
  }
  return aborted;
}

/** Others may have uploads in the same bucket that take their time. */
function isOurs(key: string): boolean {
  return isFileKey(key) || isThumbnailKey(key) || key.startsWith(keptFolder);
}

interface UnfinishedUpload {
  readonly key: string;
  readonly id: string;
  readonly begun: Date;
}

async function* unfinishedUploads(session: S3Session): AsyncGenerator<UnfinishedUpload> {
  const { client, sdk, bucket } = session.connection;
  let from: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } = {};
  for (;;) {
    const input = { Bucket: bucket, EncodingType: "url" as const, ...from };
    const answer = await session.request("ListMultipartUploads", (options) =>
      client.send(new sdk.ListMultipartUploadsCommand(input), options),
    );
    const operation = "ListMultipartUploads";
    for (const { Key, UploadId, Initiated } of answer.Uploads ?? [])
      yield {
        key: decodedName(saidIn(operation, "Key", Key), answer),
        id: saidIn(operation, "UploadId", UploadId),
        begun: saidIn(operation, "Initiated", Initiated),
      };
    if (!saidIn(operation, "IsTruncated", answer.IsTruncated)) return;
    from = {
      KeyMarker: decodedName(saidIn(operation, "NextKeyMarker", answer.NextKeyMarker), answer),
      UploadIdMarker: saidIn(operation, "NextUploadIdMarker", answer.NextUploadIdMarker),
    };
  }
}
