import { canHoldKeys, compareBytes, isListedKey } from "../../keys/file-key.ts";
import type { FailedRemoval, FilePage, ListedFile, ListRequest } from "../file-store.ts";
import { requireValue, S3Failure, type S3Session } from "./s3-session.ts";

/** An object; its name can be an invalid key. */
interface ListedObject {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

interface ObjectPage {
  readonly objects: readonly ListedObject[];
  readonly more: boolean;
}

/** The limit of S3. */
const mostObjects = 1_000;

/** One page of files. Skips invalid keys, and the rest of a hidden folder at the end of a page. */
export async function listFiles(
  session: S3Session,
  { prefix, after, limit, withThumbnails = false }: ListRequest,
): Promise<FilePage> {
  const files: ListedFile[] = [];
  // Some providers reject a start outside of the prefix.
  if (after !== "" && !after.startsWith(prefix) && compareBytes(after, prefix) > 0)
    return { files, more: false };
  let from = after.startsWith(prefix) ? after : "";
  for (let asked = limit + 1; ; asked = mostObjects) {
    const { objects, more } = await listObjects(session, prefix, from, asked);
    for (const { name, size } of objects) {
      if (!isListedKey(name, withThumbnails)) continue;
      if (files.length === limit) return { files, more: true };
      files.push({ key: name, size });
    }
    if (!more) return { files, more: false };
    from = objects.at(-1)?.name ?? from;
    const [hidden = null] = /^(?:.*?\/)?\.[^/]*(?=\/)/su.exec(from) ?? [];
    // `0` is the character after the slash.
    if (hidden !== null && !canHoldKeys(`${hidden}/`, withThumbnails)) from = `${hidden}0`;
  }
}

/** Removes all objects with a prefix. */
export async function removeBelow(session: S3Session, prefix: string): Promise<void> {
  for (let from = "", isMore = true; isMore; ) {
    const { objects, more } = await listObjects(session, prefix, from, mostObjects);
    isMore = more;
    from = objects.at(-1)?.name ?? from;
    const names = objects.map(({ name }) => name);
    const [failure] = await removeObjects(session, names);
    if (failure !== undefined) throw failure.cause;
  }
}

/** Removes at most `mostRemovals` objects. Returns those that S3 did not remove. */
export async function removeObjects(
  session: S3Session,
  names: readonly string[],
): Promise<readonly FailedRemoval[]> {
  if (names.length === 0) return [];
  const { client, sdk, bucket } = session.connection;
  const operation = "DeleteObjects";
  const Objects = names.map((name) => ({ Key: name }));
  const { Deleted: deleted = [], Errors: errors = [] } = await session.request(operation, (options) =>
    client.send(new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }), options),
  );
  // Parsers of XML can trim spaces.
  const removed = new Set(deleted.map(({ Key }) => Key?.trim()));
  const failures = new Map(errors.map((error) => [error.Key?.trim(), error]));
  return names.flatMap((key) => {
    const name = key.trim();
    if (removed.has(name) && !failures.has(name)) return [];
    const failure = requireValue(operation, `result for ${key}`, failures.get(name));
    const { Code: code = "Unknown", Message: message = "the object was not deleted" } = failure;
    return [{ key, cause: new S3Failure(operation, { code, status: 200, message }) }];
  });
}

/** One page of objects after `from`. Rejects malformed responses: callers can delete the objects. */
async function listObjects(
  session: S3Session,
  prefix: string,
  from: string,
  limit: number,
): Promise<ObjectPage> {
  const { client, sdk, bucket } = session.connection;
  const input = {
    Bucket: bucket,
    MaxKeys: Math.min(limit, mostObjects),
    // Names can contain characters that XML cannot, and spaces that parsers trim.
    EncodingType: "url" as const,
    ...(prefix !== "" && { Prefix: prefix }),
    ...(from !== "" && { StartAfter: from }),
  };
  const answer = await session.request("ListObjectsV2", (options) =>
    client.send(new sdk.ListObjectsV2Command(input), options),
  );
  const objects = (answer.Contents ?? []).map(({ Key, Size }) => ({
    name: decodedName(requireValue("ListObjectsV2", "Key", Key), answer),
    size: requireValue("ListObjectsV2", "Size", Size),
  }));
  const more = requireValue("ListObjectsV2", "IsTruncated", answer.IsTruncated);
  if (more && objects.length === 0) throw invalidList("announces more objects but has none");
  if (!objects.every(({ name }) => name.startsWith(prefix) && compareBytes(name, from) > 0))
    throw invalidList("has objects outside of the requested range");
  return { objects, more };
}

/** Decodes a listed name; not every provider supports `EncodingType`. */
function decodedName(
  name: string,
  { EncodingType: encoding }: { readonly EncodingType?: string | undefined },
): string {
  return encoding === "url" ? decodeURIComponent(name.replaceAll("+", " ")) : name;
}

function invalidList(message: string): S3Failure {
  return new S3Failure("ListObjectsV2", { code: "WrongList", status: 200, message });
}

/** Aborts the service's multipart uploads that began before a moment. Returns their number. */
export async function purgeBucket(session: S3Session, before: Date): Promise<number> {
  const { client, sdk, bucket } = session.connection;
  let aborted = 0;
  for await (const { key, id, begun } of unfinishedUploads(session)) {
    // The bucket can hold uploads of other apps.
    if (begun >= before || !isListedKey(key, true)) continue;
    try {
      await session.request("AbortMultipartUpload", (options) =>
        client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: id }), options),
      );
      aborted += 1;
    } catch (error) {
      // Another purge aborted it, or it is complete.
      if (!(error instanceof S3Failure && error.absent)) throw error;
    }
  }
  return aborted;
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

/** Cursor of a page of uploads. */
interface Marker {
  readonly key: string;
  readonly id: string;
}

const start: Marker = { key: "", id: "" };
const operation = "ListMultipartUploads";

/** A page of uploads after a cursor, and the next cursor. */
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
    key: decoded(requireValue(operation, "Key", Key)),
    id: requireValue(operation, "UploadId", UploadId),
    begun: requireValue(operation, "Initiated", Initiated),
  }));
  if (!requireValue(operation, "IsTruncated", answer.IsTruncated)) return { uploads, next: null };
  const key = decoded(requireValue(operation, "NextKeyMarker", answer.NextKeyMarker));
  return {
    uploads,
    next: { key, id: requireValue(operation, "NextUploadIdMarker", answer.NextUploadIdMarker) },
  };
}
