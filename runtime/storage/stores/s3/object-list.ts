import { isFileKey } from "../../keys/file-key.ts";
import { compareBytes } from "../../keys/key-order.ts";
import type { FilePage, ListedFile, ListRequest } from "../file-store.ts";
import { S3Failure, saidIn } from "./s3-failure.ts";
import type { S3Session } from "./s3-session.ts";

/** An object, which may have no key of ours. */
export interface ListedObject {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
}

interface ObjectPage {
  readonly objects: readonly ListedObject[];
  readonly more: boolean;
}

/** As S3 has it. */
const mostObjects = 1000;

/** A page of files. Whatever has no key is passed over, whole hidden folders in one step. */
export async function listFiles(
  session: S3Session,
  { prefix, after, limit }: ListRequest,
): Promise<FilePage> {
  const files: ListedFile[] = [];
  // Some providers refuse to begin outside of the prefix.
  if (after !== "" && !after.startsWith(prefix) && compareBytes(after, prefix) > 0)
    return { files, more: false };
  let from = after.startsWith(prefix) ? after : "";
  for (let asked = limit + 1; ; asked = mostObjects) {
    const { objects, more } = await listObjects(session, prefix, from, asked);
    for (const { name, size } of objects) {
      if (!isFileKey(name)) continue;
      if (files.length === limit) return { files, more: true };
      files.push({ key: name, size });
    }
    if (!more) return { files, more: false };
    const last = objects.at(-1)?.name ?? from;
    from = endOfHidden(last) ?? last;
  }
}

/** All objects whose names begin so, page by page. What was handed out may be removed meanwhile. */
export async function* objectsBelow(
  session: S3Session,
  prefix: string,
): AsyncGenerator<readonly ListedObject[]> {
  let from = "";
  for (;;) {
    const { objects, more } = await listObjects(session, prefix, from, mostObjects);
    if (objects.length > 0) yield objects;
    if (!more) return;
    from = objects.at(-1)?.name ?? from;
  }
}

/** A page of objects whose names begin so and come after `from`. Rejects any other answer: what is listed may be shown, or removed. */
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
    // Names may hold what XML cannot, and blanks at their ends, which readers of XML drop.
    EncodingType: "url" as const,
    ...(prefix !== "" && { Prefix: prefix }),
    ...(from !== "" && { StartAfter: from }),
  };
  const answer = await session.request("ListObjectsV2", (options) =>
    client.send(new sdk.ListObjectsV2Command(input), options),
  );
  const objects = (answer.Contents ?? []).map(({ Key, Size, LastModified }) => ({
    name: decodedName(saidIn("ListObjectsV2", "Key", Key), answer),
    size: saidIn("ListObjectsV2", "Size", Size),
    modified: saidIn("ListObjectsV2", "LastModified", LastModified),
  }));
  const more = saidIn("ListObjectsV2", "IsTruncated", answer.IsTruncated);
  if (more && objects.length === 0) throw wrongList("says that more follows and does not move on");
  if (!objects.every(({ name }) => name.startsWith(prefix) && compareBytes(name, from) > 0))
    throw wrongList("lists objects that were not asked for");
  return { objects, more };
}

/** A name out of a list that was asked for with `EncodingType`, which not every provider obeys. */
export function decodedName(
  name: string,
  { EncodingType: encoding }: { readonly EncodingType?: string | undefined },
): string {
  return encoding === "url" ? decodeURIComponent(name.replaceAll("+", " ")) : name;
}

/** Where a hidden folder that an object lies in is over: `a/.b0` of `a/.b/c`, which is hidden itself. Null for any other object. */
function endOfHidden(name: string): string | null {
  const [folder = null] = /^(?:.*?\/)?\.[^/]*(?=\/)/su.exec(name) ?? [];
  // The character after the slash.
  return folder === null ? null : `${folder}0`;
}

function wrongList(message: string): S3Failure {
  return new S3Failure("ListObjectsV2", { code: "WrongList", status: 200, message });
}
