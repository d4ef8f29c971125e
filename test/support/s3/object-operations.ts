import { byBytes, type StoredObject } from "./bucket.ts";
import { type Call, keptHeaders, type Operation, type Reply, xmlReply } from "./operation.ts";
import { S3Error } from "./s3-error.ts";
import { readXml, textIn } from "./xml.ts";

// biome-ignore format: many on a line
const overrides = [
  "content-type", "content-language", "expires", "cache-control", "content-disposition", "content-encoding",
];

/** Refuses to write over an object that must not be there. Error: 412, 501. */
export function requireCondition({ bucket, key, headers }: Call): void {
  const wanted = headers.get("if-none-match");
  if (headers.has("if-match") || (wanted !== undefined && wanted !== "*"))
    throw new S3Error(
      501,
      "NotImplemented",
      "A header you provided implies functionality that is not implemented.",
    );
  if (wanted === "*" && bucket.objects.has(key)) throw preconditionFailed();
}

function putObject(call: Call): Reply {
  const { bucket, key, headers, payload, now } = call;
  requireCondition(call);
  const object = bucket.put(key, {
    content: payload.content,
    headers: keptHeaders(headers),
    modified: now,
    checksum: payload.checksum,
  });
  return {
    status: 200,
    headers: { etag: object.etag, ...(payload.checksum && Object.fromEntries([payload.checksum])) },
  };
}

function getObject(call: Call): Reply {
  const object = found(call);
  const asked = overrides.filter((name) => call.query.has(`response-${name}`));
  if (asked.length > 0 && !call.signed)
    throw new S3Error(
      400,
      "InvalidRequest",
      "Request specific response headers cannot be used for anonymous GET requests.",
    );
  const unchanged = conditionReply(call, object);
  if (unchanged !== null) return unchanged;
  const range = rangeOf(call, object);
  const headers = {
    ...Object.fromEntries(object.headers),
    ...Object.fromEntries(asked.map((name) => [name, call.query.get(`response-${name}`) ?? ""])),
    etag: object.etag,
    "last-modified": object.modified.toUTCString(),
    "accept-ranges": "bytes",
  };
  if (range !== null) {
    const [start, end] = range;
    return {
      status: 206,
      headers: { ...headers, "content-range": `bytes ${start}-${end}/${object.content.length}` },
      body: object.content.subarray(start, end + 1),
    };
  }
  const sums =
    call.headers.get("x-amz-checksum-mode") === "ENABLED" ||
    call.query.get("x-amz-checksum-mode") === "ENABLED";
  const sum = sums && object.checksum !== null ? Object.fromEntries([object.checksum]) : {};
  return { status: 200, headers: { ...headers, ...sum }, body: object.content };
}

function found({ bucket, key }: Call): StoredObject {
  const object = bucket.objects.get(key);
  if (object === undefined) throw new S3Error(404, "NoSuchKey", "The specified key does not exist.");
  return object;
}

function conditionReply({ headers }: Call, { etag, modified }: StoredObject): Reply | null {
  const tags = (name: string) =>
    headers
      .get(name)
      ?.split(",")
      .map((tag) => tag.trim());
  const second = Math.floor(modified.getTime() / 1000) * 1000;
  const [match, noneMatch] = [tags("if-match"), tags("if-none-match")];
  const [since, notSince] = ["if-modified-since", "if-unmodified-since"].map((name) =>
    Date.parse(headers.get(name) ?? ""),
  );
  if (
    match !== undefined
      ? !match.some((tag) => tag === "*" || tag === etag)
      : notSince !== undefined && second > notSince
  )
    throw preconditionFailed();
  const same =
    noneMatch !== undefined
      ? noneMatch.some((tag) => tag === "*" || tag === etag)
      : since !== undefined && second <= since;
  return same ? { status: 304, headers: { etag } } : null;
}

function rangeOf({ headers }: Call, { content }: StoredObject): readonly [start: number, end: number] | null {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  if (first === "" && last === "") return null;
  const start = first === "" ? Math.max(0, content.length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? content.length - 1 : Math.min(Number(last), content.length - 1);
  if (start > end) throw new S3Error(416, "InvalidRange", "The requested range is not satisfiable");
  return [start, end];
}

function preconditionFailed(): S3Error {
  return new S3Error(
    412,
    "PreconditionFailed",
    "At least one of the pre-conditions you specified did not hold",
  );
}

function deleteObject({ bucket, key, headers }: Call): Reply {
  const wanted = headers.get("if-match");
  if (wanted !== undefined) {
    const object = bucket.objects.get(key);
    if (object === undefined) throw new S3Error(404, "NoSuchKey", "The specified key does not exist.");
    if (wanted !== "*" && wanted !== object.etag) throw preconditionFailed();
  }
  bucket.objects.delete(key);
  return { status: 204 };
}

function deleteObjects({ bucket, headers, payload }: Call): Reply {
  if (payload.checksum === null && !headers.has("content-md5"))
    throw new S3Error(
      400,
      "InvalidRequest",
      "Missing required header for this request: Content-MD5 OR x-amz-checksum-*",
    );
  const order = readXml(payload.content.toString(), "Delete");
  const objects = order.children.filter(({ name }) => name === "Object");
  if (objects.length === 0 || objects.length > 1000)
    throw new S3Error(400, "MalformedXML", "The XML you provided was not well-formed or did not validate");
  const names = objects.map((object) => textIn(object, "Key") ?? "");
  for (const name of names) bucket.objects.delete(name);
  const quiet = textIn(order, "Quiet") === "true";
  return xmlReply(["DeleteResult", quiet ? [] : names.map((name) => ["Deleted", [["Key", name]]] as const)]);
}

function listObjects({ bucket, bucketName, query }: Call): Reply {
  const number = Number(query.get("max-keys") ?? 1000);
  if (!Number.isInteger(number) || number < 0)
    throw new S3Error(400, "InvalidArgument", "Argument maxKeys must be an integer between 0 and 2147483647");
  const encoded = encodingOf(query);
  const encode = (text: string) => (encoded ? urlEncoded(text) : text);
  const prefix = query.get("prefix") ?? "";
  const after = query.get("start-after") ?? "";
  const all = bucket.names.filter((name) => name.startsWith(prefix) && byBytes(name, after) > 0);
  const names = all.slice(0, Math.min(number, 1000));
  const last = names.at(-1);
  const more = last !== undefined && names.length < all.length;
  return xmlReply([
    "ListBucketResult",
    [
      ["Name", bucketName],
      ["Prefix", encode(prefix)],
      ...(encoded ? [["EncodingType", "url"] as const] : []),
      ["MaxKeys", number],
      ["KeyCount", names.length],
      ["IsTruncated", more],
      ...(more ? [["NextContinuationToken", Buffer.from(last).toString("base64url")] as const] : []),
      ...names.map((name) => ["Contents", contentsOf(encode(name), bucket.objects.get(name))] as const),
    ],
  ]);
}

function contentsOf(name: string, object: StoredObject | undefined) {
  return [
    ["Key", name],
    ["LastModified", object?.modified.toISOString() ?? ""],
    ["ETag", object?.etag ?? ""],
    ["Size", object?.content.length ?? 0],
    ["StorageClass", "STANDARD"],
  ] as const;
}

/** Whether names are to be encoded. Without that a name that XML cannot hold spoils the answer, as it does at S3. */
export function encodingOf(query: Call["query"]): boolean {
  const encoding = query.get("encoding-type");
  if (encoding !== undefined && encoding !== "url")
    throw new S3Error(400, "InvalidArgument", "Invalid Encoding Method specified in Request");
  return encoding === "url";
}

/** As S3 encodes names in lists. */
export function urlEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%2F", "/")
    .replaceAll("%20", "+")
    .replace(/[!'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

const writes = ["x-amz-sdk-checksum-algorithm"];
const reads = { parameters: overrides.map((name) => `response-${name}`), headers: ["x-amz-checksum-mode"] };

// biome-ignore format: one case a line
export const objectOperations: readonly Operation[] = [
  { name: "ListObjectsV2", method: "GET", on: "bucket", marks: ["list-type"],
    parameters: ["prefix", "start-after", "max-keys", "encoding-type"], run: listObjects },
  { name: "DeleteObjects", method: "POST", on: "bucket", marks: ["delete"], headers: writes, run: deleteObjects },
  { name: "PutObject", method: "PUT", on: "object", marks: [], headers: writes, run: putObject },
  { name: "GetObject", method: "GET", on: "object", marks: [], ...reads, run: getObject },
  { name: "HeadObject", method: "HEAD", on: "object", marks: [], ...reads, run: getObject },
  { name: "DeleteObject", method: "DELETE", on: "object", marks: [], run: deleteObject },
];
