import { createHash } from "node:crypto";
import {
  byBytes,
  type Call,
  keptHeaders,
  type Operation,
  type PendingUpload,
  type Reply,
  readXml,
  S3Error,
  type StoredObject,
  type StoredPart,
  tagOf,
  textIn,
  type XmlElement,
  xmlReply,
} from "./call.ts";

// biome-ignore format: many on a line
const overrides = [
  "content-type", "content-language", "expires", "cache-control", "content-disposition", "content-encoding",
];

/** Refuses to write over an object that must not be there. Error: 412, 501. */
function requireCondition({ bucket, key, headers }: Call): void {
  const wanted = headers.get("if-none-match");
  if (headers.has("if-match") || (wanted !== undefined && wanted !== "*"))
    throw new S3Error(501, "NotImplemented", "no such condition here");
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

const copySource = "x-amz-copy-source";

function copyObject(call: Call): Reply {
  const { bucket, bucketName, key, headers, now } = call;
  const [first, ...rest] = decodeURIComponent(headers.get(copySource) ?? "").split("/");
  const source = bucket.objects.get(rest.join("/"));
  if (first !== bucketName || source === undefined) throw new S3Error(404, "NoSuchKey", "no such source");
  if (rest.join("/") === key) throw new S3Error(400, "InvalidRequest", "a copy onto itself");
  const wanted = headers.get(`${copySource}-if-match`);
  if (wanted !== undefined && wanted !== source.etag) throw preconditionFailed();
  requireCondition(call);
  const replaced = headers.get("x-amz-metadata-directive") === "REPLACE";
  const object = bucket.put(key, {
    ...source,
    headers: replaced ? keptHeaders(headers) : source.headers,
    modified: now,
  });
  return xmlReply([
    "CopyObjectResult",
    Object.entries({ ETag: object.etag, LastModified: now.toISOString() }),
  ]);
}

function getObject(call: Call): Reply {
  const object = found(call);
  const asked = overrides.filter((name) => call.query.has(`response-${name}`));
  if (asked.length > 0 && !call.signed)
    throw new S3Error(400, "InvalidRequest", "not for anonymous requests");
  const headers = {
    ...Object.fromEntries(object.headers),
    ...Object.fromEntries(asked.map((name) => [name, call.query.get(`response-${name}`) ?? ""])),
    etag: object.etag,
    "last-modified": object.modified.toUTCString(),
  };
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

function preconditionFailed(): S3Error {
  return new S3Error(412, "PreconditionFailed", "the condition does not hold");
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
    throw new S3Error(400, "InvalidRequest", "a checksum is missing");
  const order = readXml(payload.content.toString(), "Delete");
  const objects = order.children.filter(({ name }) => name === "Object");
  if (objects.length === 0 || objects.length > 1000)
    throw new S3Error(400, "MalformedXML", "not well-formed");
  const names = objects.map((object) => textIn(object, "Key") ?? "");
  const deleted = names.filter((name) => !bucket.kept.has(name));
  for (const name of deleted) bucket.objects.delete(name);
  const quiet = textIn(order, "Quiet") === "true";
  return xmlReply([
    "DeleteResult",
    [
      ...(quiet ? [] : deleted.map((name) => ["Deleted", [["Key", name]]] as const)),
      ...names
        .filter((name) => bucket.kept.has(name))
        .map(
          (name) => ["Error", Object.entries({ Key: name, Code: "AccessDenied", Message: "kept" })] as const,
        ),
    ],
  ]);
}

function listObjects({ bucket, bucketName, query, pageSize }: Call): Reply {
  const number = Number(query.get("max-keys") ?? 1000);
  if (!Number.isInteger(number) || number < 0) throw new S3Error(400, "InvalidArgument", "max-keys");
  const encoded = encodingOf(query);
  const encode = (text: string) => (encoded ? urlEncoded(text) : text);
  const prefix = query.get("prefix") ?? "";
  const after = query.get("start-after") ?? "";
  const all = bucket.names.filter((name) => name.startsWith(prefix) && byBytes(name, after) > 0);
  const names = all.slice(0, Math.min(number, pageSize));
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
  const [LastModified, ETag, Size] = [
    object?.modified.toISOString() ?? "",
    object?.etag ?? "",
    object?.content.length ?? 0,
  ];
  return Object.entries({ Key: name, LastModified, ETag, Size, StorageClass: "STANDARD" });
}

/** Whether names are to be encoded. Without that a name that XML cannot hold spoils the answer, as it does at S3. */
function encodingOf(query: Call["query"]): boolean {
  const encoding = query.get("encoding-type");
  if (encoding !== undefined && encoding !== "url")
    throw new S3Error(400, "InvalidArgument", "Invalid Encoding Method specified in Request");
  return encoding === "url";
}

/** As S3 encodes names in lists. */
function urlEncoded(text: string): string {
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
  { name: "CopyObject", method: "PUT", on: "object", marks: [], header: copySource,
    headers: [copySource, `${copySource}-if-match`, "x-amz-metadata-directive"], run: copyObject },
  { name: "PutObject", method: "PUT", on: "object", marks: [], headers: writes, run: putObject },
  { name: "GetObject", method: "GET", on: "object", marks: [], ...reads, run: getObject },
  { name: "HeadObject", method: "HEAD", on: "object", marks: [], ...reads, run: getObject },
  { name: "DeleteObject", method: "DELETE", on: "object", marks: [], run: deleteObject },
];

const smallestPart = 5 * 1024 * 1024;

function createUpload({ bucket, bucketName, key, headers, now }: Call): Reply {
  const upload = bucket.begin({
    key,
    headers: keptHeaders(headers),
    checksumAlgorithm: headers.get("x-amz-checksum-algorithm") ?? null,
    begun: now,
  });
  return xmlReply([
    "InitiateMultipartUploadResult",
    Object.entries({ Bucket: bucketName, Key: key, UploadId: upload.id }),
  ]);
}

function uploadOf({ bucket, key, query }: Call): PendingUpload {
  const upload = bucket.uploads.get(query.get("uploadId") ?? "");
  if (upload?.key !== key) throw new S3Error(404, "NoSuchUpload", "the upload does not exist");
  return upload;
}

function uploadPart(call: Call): Reply {
  const { payload, query } = call;
  const upload = uploadOf(call);
  const number = Number(query.get("partNumber"));
  if (!Number.isInteger(number) || number < 1 || number > 10_000)
    throw new S3Error(400, "InvalidArgument", "no such part number");
  const { checksumAlgorithm } = upload;
  if (checksumAlgorithm !== null && payload.checksum?.[0] !== sumName(checksumAlgorithm))
    throw new S3Error(400, "InvalidRequest", "another kind of checksum");
  const etag = tagOf(payload.content);
  upload.parts.set(number, { content: payload.content, etag, checksum: payload.checksum });
  return { status: 200, headers: { etag, ...(payload.checksum && Object.fromEntries([payload.checksum])) } };
}

const sumName = (algorithm: string) => `x-amz-checksum-${algorithm.toLowerCase()}`;

function completeUpload(call: Call): Reply {
  const { bucket, bucketName, key, now } = call;
  const upload = uploadOf(call);
  const asked = readXml(call.payload.content.toString(), "CompleteMultipartUpload").children;
  const parts = partsOf(upload, asked);
  requireCondition(call);
  const md5 = createHash("md5");
  for (const { content } of parts) md5.update(createHash("md5").update(content).digest());
  const object = bucket.put(
    key,
    {
      content: Buffer.concat(parts.map(({ content }) => content)),
      headers: upload.headers,
      modified: now,
      checksum: null,
    },
    `"${md5.digest("hex")}-${parts.length}"`,
  );
  bucket.uploads.delete(upload.id);
  return xmlReply([
    "CompleteMultipartUploadResult",
    Object.entries({ Bucket: bucketName, Key: key, ETag: object.etag }),
  ]);
}

function partsOf({ parts, checksumAlgorithm }: PendingUpload, asked: readonly XmlElement[]): StoredPart[] {
  if (asked.length === 0) throw new S3Error(400, "MalformedXML", "not well-formed");
  const numbers = asked.map((element) => Number(textIn(element, "PartNumber")));
  if (numbers.some((number, index) => number <= (numbers[index - 1] ?? 0)))
    throw new S3Error(400, "InvalidPartOrder", "not in ascending order");
  return asked.map((element, index) => {
    const part = parts.get(numbers[index] ?? 0);
    if (part === undefined || part.etag !== textIn(element, "ETag"))
      throw new S3Error(400, "InvalidPart", "a part could not be found");
    if (checksumAlgorithm !== null && textIn(element, `Checksum${checksumAlgorithm}`) !== part.checksum?.[1])
      throw new S3Error(400, "InvalidRequest", "a checksum is missing");
    if (index < asked.length - 1 && part.content.length < smallestPart)
      throw new S3Error(400, "EntityTooSmall", "smaller than the minimum");
    return part;
  });
}

function abortUpload(call: Call): Reply {
  call.bucket.uploads.delete(uploadOf(call).id);
  return { status: 204 };
}

function listUploads({ bucket, bucketName, query, pageSize }: Call): Reply {
  const encoded = encodingOf(query);
  const encode = (text: string) => (encoded ? urlEncoded(text) : text);
  const most = Math.min(Number(query.get("max-uploads") ?? pageSize), pageSize);
  const [key, id] = [query.get("key-marker") ?? "", query.get("upload-id-marker") ?? ""];
  const all = [...bucket.uploads.values()]
    .sort((a, b) => byBytes(a.key, b.key) || byBytes(a.id, b.id))
    .filter(
      (upload) =>
        byBytes(upload.key, key) > 0 || (upload.key === key && id !== "" && byBytes(upload.id, id) > 0),
    );
  const page = all.slice(0, most);
  const last = page.at(-1);
  const more = last !== undefined && page.length < all.length;
  return xmlReply([
    "ListMultipartUploadsResult",
    [
      ["Bucket", bucketName],
      ...(encoded ? [["EncodingType", "url"] as const] : []),
      ["MaxUploads", most],
      ["IsTruncated", more],
      ...(more
        ? [["NextKeyMarker", encode(last.key)] as const, ["NextUploadIdMarker", last.id] as const]
        : []),
      ...page.map(
        ({ key, id, begun }) =>
          [
            "Upload",
            Object.entries({ Key: encode(key), UploadId: id, Initiated: begun.toISOString() }),
          ] as const,
      ),
    ],
  ]);
}

// biome-ignore format: one case a line
export const multipartOperations: readonly Operation[] = [
  { name: "ListMultipartUploads", method: "GET", on: "bucket", marks: ["uploads"],
    parameters: ["encoding-type", "key-marker", "upload-id-marker", "max-uploads", "prefix"], run: listUploads },
  { name: "CreateMultipartUpload", method: "POST", on: "object", marks: ["uploads"], headers: ["x-amz-checksum-algorithm"], run: createUpload },
  { name: "UploadPart", method: "PUT", on: "object", marks: ["partNumber", "uploadId"], headers: ["x-amz-sdk-checksum-algorithm"], run: uploadPart },
  { name: "CompleteMultipartUpload", method: "POST", on: "object", marks: ["uploadId"], run: completeUpload },
  { name: "AbortMultipartUpload", method: "DELETE", on: "object", marks: ["uploadId"], run: abortUpload },
];
