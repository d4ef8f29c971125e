import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { describe, expect, test } from "vitest";
import { type TestS3, testS3 } from "../../../../../support/s3/s3-server.ts";

function clientOf(s3: TestS3, changes: S3ClientConfig = {}): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = s3;
  const credentials = { accessKeyId, secretAccessKey };
  const quiet = () => {};
  // biome-ignore format: many a line
  return new S3Client({
    endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1,
    logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet }, ...changes,
  });
}

async function filled() {
  const s3 = await testS3();
  const client = clientOf(s3);
  const place = { Bucket: s3.bucket, Key: "a b/é" };
  await client.send(new PutObjectCommand({ ...place, Body: "content" }));
  const link = await getSignedUrl(client, new GetObjectCommand(place), { expiresIn: 60 });
  return { s3, client, place, link };
}

const codeOf = async (answer: Response) =>
  `${answer.status} ${/<Code>(\w+)</.exec(await answer.text())?.[1] ?? ""}`;

describe("the test server is as strict as S3", () => {
  test("a signature by another secret, key or region, or none, is refused", async () => {
    const { s3, place, link } = await filled();
    const { accessKeyId, secretAccessKey } = s3;
    const send = (changes: S3ClientConfig) =>
      clientOf(s3, changes).send(new PutObjectCommand({ ...place, Body: "x" }));
    await expect(send({ credentials: { accessKeyId, secretAccessKey: "wrong" } })).rejects.toThrow(
      "does not match",
    );
    await expect(send({ credentials: { accessKeyId: "AKID", secretAccessKey } })).rejects.toThrow(
      "does not exist",
    );
    await expect(send({ region: "us-east-1" })).rejects.toThrow("expecting 'eu-test-1'");
    expect(await codeOf(await fetch(`${s3.endpoint}/${s3.bucket}/a%20b/%C3%A9`))).toBe("403 AccessDenied");
    expect(await codeOf(await fetch(link.replace("X-Amz-Expires=60", "X-Amz-Expires=61")))).toBe(
      "403 SignatureDoesNotMatch",
    );
    expect(await codeOf(await fetch(link, { headers: { "x-amz-meta-a": "b" } }))).toBe("403 AccessDenied");
    expect(await codeOf(await fetch(link, { method: "PUT", body: "x" }))).toBe("501 NotImplemented");
  });

  test("an expired link, and a request of another time, are refused", async () => {
    const { s3, client, place, link } = await filled();
    expect((await fetch(link)).status).toBe(200);
    s3.aheadMs = 61_000;
    expect(await codeOf(await fetch(link))).toBe("403 AccessDenied");
    s3.aheadMs = 16 * 60_000;
    await expect(client.send(new GetObjectCommand(place))).rejects.toThrow("too large");
  });

  test("bytes that do not fit their sums are refused", async () => {
    const { client, place } = await filled();
    const put = (changes: object) => client.send(new PutObjectCommand({ ...place, Body: "x", ...changes }));
    await expect(put({ ChecksumCRC32: "AAAAAA==" })).rejects.toThrow("did not match");
    await expect(put({ ContentMD5: createHash("md5").update("y").digest("base64") })).rejects.toThrow(
      "did not match",
    );
    await put({ ChecksumAlgorithm: "CRC32" });
    for (const ChecksumAlgorithm of ["CRC32C", "SHA256"])
      await expect(put({ ChecksumAlgorithm })).rejects.toThrow("here");
  });

  test("a body in a signed request is the one that was signed", async () => {
    const { s3, client, place } = await filled();
    client.middlewareStack.add(
      (next) => (args) =>
        next({ ...args, request: Object.assign({ ...Object(args.request) }, { body: "other" }) }),
      { step: "finalizeRequest", priority: "low" },
    );
    await expect(client.send(new PutObjectCommand({ ...place, Body: "bytes" }))).rejects.toThrow();
    expect(s3.objects.get(place.Key)?.content.toString()).toBe("content");
  });

  test("parts are whole, in order, large enough and all there", async () => {
    const { client, place } = await filled();
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
    const part = async (PartNumber: number) => {
      const { ETag } = await client.send(
        new UploadPartCommand({ ...place, UploadId, PartNumber, Body: "x" }),
      );
      return { PartNumber, ETag };
    };
    const [one, two] = [await part(1), await part(2)];
    const complete = (Parts: { PartNumber: number; ETag: string | undefined }[]) =>
      client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }));
    await expect(complete([one, two])).rejects.toThrow("smaller than the minimum");
    await expect(complete([two, one])).rejects.toThrow("ascending");
    await expect(complete([{ ...one, ETag: '"x"' }])).rejects.toThrow("could not be found");
    await complete([two]);
    await expect(complete([two])).rejects.toThrow("does not exist");
  });

  test("everyone can read below public prefixes, without parameters for the response headers", async () => {
    const { s3, client, place } = await filled();
    s3.publicPrefixes = ["a b/"];
    const url = `${s3.endpoint}/${s3.bucket}/a%20b/%C3%A9`;
    expect(await (await fetch(url)).text()).toBe("content");
    expect(await codeOf(await fetch(`${url}?response-content-type=text/html`))).toBe("400 InvalidRequest");
    expect(await codeOf(await fetch(url, { method: "DELETE" }))).toBe("403 AccessDenied");
    expect(await codeOf(await fetch(`${s3.endpoint}/${s3.bucket}?list-type=2`))).toBe("403 AccessDenied");
    const override = new GetObjectCommand({ ...place, ResponseContentType: "text/html" });
    const signed = await fetch(await getSignedUrl(client, override, { expiresIn: 60 }));
    expect(signed.headers.get("content-type")).toBe("text/html");
  });

  test("a bucket in the name of the host is the same bucket", async () => {
    const { s3, place } = await filled();
    const client = clientOf(s3, { endpoint: `http://s3.test:${s3.port}`, forcePathStyle: false });
    const link = new URL(await getSignedUrl(client, new GetObjectCommand(place), { expiresIn: 60 }));
    expect(link.hostname).toBe(`${s3.bucket}.s3.test`);
    const path = link.pathname + link.search;
    const request = httpRequest({
      host: "127.0.0.1",
      port: s3.port,
      path,
      headers: { host: link.host },
    }).end();
    const [answer] = await once(request, "response");
    answer.resume();
    expect(answer.statusCode).toBe(200);
  });
});
