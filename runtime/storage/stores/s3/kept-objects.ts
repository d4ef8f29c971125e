import { randomUUID } from "node:crypto";
import type { DeleteObjectsCommandOutput } from "@aws-sdk/client-s3";
import { fileNameOf } from "../../keys/file-key.ts";
import { thumbnailFolder } from "../../keys/thumbnail-key.ts";
import type { KeptFile } from "../file-store.ts";
import { copyLargeObject, copyObject } from "./copied-object.ts";
import { objectsBelow } from "./object-list.ts";
import { S3Failure } from "./s3-failure.ts";
import type { S3Session } from "./s3-session.ts";

/** Where copies lie; no key begins with a dot. */
export const keptFolder = ".kirak/kept/";

/** A new place for a file and its thumbnails. */
export function newPlace(): string {
  return `${keptFolder}${randomUUID()}/`;
}

const fileIn = (place: string) => `${place}file`;
const thumbnailsIn = (place: string) => `${place}thumbnails/`;

/** Copies a file and its thumbnails to a place. Null where there is no such file. */
export async function keepAt(
  session: S3Session,
  { key, place }: Omit<KeptFile, "version">,
  partSize: number,
): Promise<KeptFile | null> {
  const version = await copyLargeObject(session, { from: key, to: fileIn(place) }, partSize);
  if (version === null) return null;
  await copyFolder(session, thumbnailFolder(key), thumbnailsIn(place));
  return { key, version, place };
}

/** Moves back what a place holds. Thumbnails of another picture are never seen beside it. */
export async function restoreFrom(
  session: S3Session,
  { key, place }: KeptFile,
  partSize: number,
): Promise<void> {
  await removeBelow(session, thumbnailFolder(key));
  if ((await copyLargeObject(session, { from: fileIn(place), to: key }, partSize)) === null)
    throw new Error(`what was kept of ${key} is gone`);
  await copyFolder(session, thumbnailsIn(place), thumbnailFolder(key));
  await removeBelow(session, place);
}

/** Removes all objects whose names begin so, those alone that a test lets through. Tells how many. */
export async function removeBelow(
  session: S3Session,
  prefix: string,
  test: (object: { readonly modified: Date }) => boolean = () => true,
): Promise<number> {
  const { client, sdk, bucket } = session.connection;
  let removed = 0;
  for await (const page of objectsBelow(session, prefix)) {
    const objects = page.filter(test).map(({ name }) => ({ Key: name }));
    if (objects.length === 0) continue;
    const answer = await session.request("DeleteObjects", (options) =>
      client.send(new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects } }), options),
    );
    requireDeleted(answer, objects.length);
    removed += objects.length;
  }
  return removed;
}

/** Rejects an answer that leaves some out. */
function requireDeleted(
  { Deleted: deleted = [], Errors: [first] = [] }: DeleteObjectsCommandOutput,
  count: number,
): void {
  if (deleted.length === count) return;
  const { Code: code = "IncompleteAnswer", Message: message = "not all were deleted" } = first ?? {};
  throw new S3Failure("DeleteObjects", { code, status: 200, message });
}

async function copyFolder(session: S3Session, from: string, to: string): Promise<void> {
  for await (const page of objectsBelow(session, from))
    await Promise.all(page.map(({ name }) => copyObject(session, { from: name, to: to + fileNameOf(name) })));
}
