import { isFileKey } from "../../keys/file-key.ts";
import { isThumbnailKey } from "../../keys/stored-key.ts";
import { decodedName } from "./object-list.ts";
import { S3Failure, saidIn } from "./s3-failure.ts";
import type { S3Session } from "./s3-session.ts";

/** Aborts uploads in parts of our keys that began before a moment. Tells how many. */
export async function purgeBucket(session: S3Session, before: Date): Promise<number> {
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
  return isFileKey(key) || isThumbnailKey(key);
}

interface UnfinishedUpload {
  readonly key: string;
  readonly id: string;
  readonly begun: Date;
}

async function* unfinishedUploads(session: S3Session): AsyncGenerator<UnfinishedUpload> {
  for (let from: Marker | null = start; from !== null; ) {
    const { uploads, next } = await listUploads(session, from);
    yield* uploads;
    from = next;
  }
}

/** Where a page of uploads ends. */
interface Marker {
  readonly key: string;
  readonly id: string;
}

const start: Marker = { key: "", id: "" };
const operation = "ListMultipartUploads";

/** A page of uploads behind a marker, and the one of the next page. */
async function listUploads(
  session: S3Session,
  from: Marker,
): Promise<{ readonly uploads: readonly UnfinishedUpload[]; readonly next: Marker | null }> {
  const { client, sdk, bucket } = session.connection;
  const marker = from !== start && { KeyMarker: from.key, UploadIdMarker: from.id };
  const input = { Bucket: bucket, EncodingType: "url" as const, ...marker };
  const answer = await session.request(operation, (options) =>
    client.send(new sdk.ListMultipartUploadsCommand(input), options),
  );
  const decoded = (name: string) => decodedName(name, answer);
  const uploads = (answer.Uploads ?? []).map(({ Key, UploadId, Initiated }) => ({
    key: decoded(saidIn(operation, "Key", Key)),
    id: saidIn(operation, "UploadId", UploadId),
    begun: saidIn(operation, "Initiated", Initiated),
  }));
  if (!saidIn(operation, "IsTruncated", answer.IsTruncated)) return { uploads, next: null };
  const key = decoded(saidIn(operation, "NextKeyMarker", answer.NextKeyMarker));
  return { uploads, next: { key, id: saidIn(operation, "NextUploadIdMarker", answer.NextUploadIdMarker) } };
}
