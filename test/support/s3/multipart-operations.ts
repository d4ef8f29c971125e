import { createHash } from "node:crypto";
import { byBytes, type PendingUpload, type StoredPart, tagOf } from "./bucket.ts";
import { encodingOf, requireCondition, urlEncoded } from "./object-operations.ts";
import { type Call, keptHeaders, type Operation, type Reply, xmlReply } from "./operation.ts";
import { S3Error } from "./s3-error.ts";
import { readXml, textIn, type XmlElement } from "./xml.ts";

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
    [
      ["Bucket", bucketName],
      ["Key", key],
      ["UploadId", upload.id],
    ],
  ]);
}

function uploadOf({ bucket, key, query }: Call): PendingUpload {
  const upload = bucket.uploads.get(query.get("uploadId") ?? "");
  if (upload?.key !== key)
    throw new S3Error(404, "NoSuchUpload", "The specified multipart upload does not exist.");
  return upload;
}

function uploadPart(call: Call): Reply {
  const { payload, query, bucket } = call;
  const upload = uploadOf(call);
  const number = Number(query.get("partNumber"));
  if (!Number.isInteger(number) || number < 1 || number > 10_000)
    throw new S3Error(
      400,
      "InvalidArgument",
      "Part number must be an integer between 1 and 10000, inclusive",
    );
  const { checksumAlgorithm } = upload;
  if (checksumAlgorithm !== null && payload.checksum?.[0] !== sumName(checksumAlgorithm))
    throw new S3Error(
      400,
      "InvalidRequest",
      "Checksum Type mismatch occurred, expected checksum Type is not the actual one",
    );
  bucket.requireRoom(payload.content.length);
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
    [
      ["Bucket", bucketName],
      ["Key", key],
      ["ETag", object.etag],
    ],
  ]);
}

function partsOf({ parts, checksumAlgorithm }: PendingUpload, asked: readonly XmlElement[]): StoredPart[] {
  if (asked.length === 0) throw new S3Error(400, "MalformedXML", "The XML you provided was not well-formed");
  const numbers = asked.map((element) => Number(textIn(element, "PartNumber")));
  if (numbers.some((number, index) => number <= (numbers[index - 1] ?? 0)))
    throw new S3Error(400, "InvalidPartOrder", "The list of parts was not in ascending order.");
  return asked.map((element, index) => {
    const part = parts.get(numbers[index] ?? 0);
    if (part === undefined || part.etag !== textIn(element, "ETag"))
      throw new S3Error(400, "InvalidPart", "One or more of the specified parts could not be found.");
    if (checksumAlgorithm !== null && textIn(element, `Checksum${checksumAlgorithm}`) !== part.checksum?.[1])
      throw new S3Error(
        400,
        "InvalidRequest",
        "The complete request must include the checksum for each part.",
      );
    if (index < asked.length - 1 && part.content.length < smallestPart)
      throw new S3Error(
        400,
        "EntityTooSmall",
        "Your proposed upload is smaller than the minimum allowed size",
      );
    return part;
  });
}

function abortUpload(call: Call): Reply {
  call.bucket.uploads.delete(uploadOf(call).id);
  return { status: 204 };
}

function listUploads({ bucket, bucketName, query }: Call): Reply {
  const encoded = encodingOf(query);
  const encode = (text: string) => (encoded ? urlEncoded(text) : text);
  const most = Math.min(Number(query.get("max-uploads") ?? 1000), 1000);
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
        (upload) =>
          [
            "Upload",
            [
              ["Key", encode(upload.key)],
              ["UploadId", upload.id],
              ["Initiated", upload.begun.toISOString()],
            ],
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
