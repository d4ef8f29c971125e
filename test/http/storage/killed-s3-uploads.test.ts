import { describe, expect, test } from "vitest";
import { S3Store } from "#runtime/storage/stores/s3/s3-store";
import { eventually } from "../../support/eventually.ts";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { pictureFile } from "../../support/pictures.ts";
import { sendRequest } from "../../support/request.ts";
import { testS3 } from "../../support/s3/s3-server.ts";
import { outcome } from "../../support/scenarios.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { testFolder } from "../../support/stores.ts";

const program = new URL("storage-process.ts", import.meta.url);
const s3 = await testS3();
const settings = s3.settings(await testFolder());
const { accessKeyId, secretAccessKey } = s3;
const environment = {
  BUCKET: JSON.stringify({ ...settings, credentials: { accessKeyId, secretAccessKey } }),
};

const upload = (origin: string, kind: "file" | "image", parts: readonly Part[]) =>
  sendRequest(origin, { method: "POST", path: `/storage/upload/${kind}`, ...formOf(...parts) });

/** Between two of these the bucket stays as it is. */
// biome-ignore format: many on a line
const writes = [
  "PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "AbortMultipartUpload", "DeleteObject",
  "DeleteObjects",
];
const writesSoFar = () => s3.requests.filter(({ operation }) => writes.includes(operation)).length;

/** All that callers can see: contents by path. */
const visible = () =>
  Object.fromEntries([...s3.objects].map(([path, { content }]) => [path, content.toString("base64")]));

/**
 * Kills a process in the midst of an upload, when its write to S3 of that number has arrived and nothing of it is done. Tells whether
 * there was such a write.
 */
async function killAt(moment: number, kind: "file" | "image", parts: readonly Part[]): Promise<boolean> {
  await s3.mend();
  const { child, exit, listening } = startServiceProcess(program, "", environment);
  const origin = await listening();
  const before = writesSoFar();
  s3.fault({ kind: "idle", on: writes, after: moment });
  let isOver = false;
  const answered = upload(origin, kind, parts).then(
    (reply) => {
      expect(outcome(reply)).toBe("200");
      isOver = true;
    },
    () => {},
  );
  await eventually(() => expect(isOver || writesSoFar() > before + moment).toBe(true));
  child.kill("SIGKILL");
  await Promise.all([answered, exit]);
  await s3.mend();
  return !isOver;
}

/** Kills at each moment that there is. Each begins with the same objects. Tells what could be seen after each. */
async function killAtEach(kind: "file" | "image", parts: readonly Part[]) {
  const objects = [...s3.objects];
  const seen: ReturnType<typeof visible>[] = [];
  for (let moment = 0; ; moment++) {
    s3.objects.clear();
    for (const [path, object] of objects) s3.objects.set(path, object);
    const wasKilled = await killAt(moment, kind, parts);
    seen.push(visible());
    await expectPurged();
    if (!wasKilled) return seen;
  }
}

/** A day later nothing is left of it but what could be seen. */
async function expectPurged(): Promise<void> {
  const before = visible();
  await new S3Store({ settings }).purge(new Date(Date.now() + 60_000));
  expect(s3.uploads.size).toBe(0);
  expect(visible()).toEqual(before);
}

describe("a process that is killed at any moment leaves in S3", { timeout: 60_000 }, () => {
  test("of a file that goes in parts all or nothing", async () => {
    s3.objects.clear();
    const content = Buffer.alloc(12 * 1024 * 1024, 7);
    const seen = await killAtEach("file", [["path", "a.bin"], filePart(content)]);
    expect(seen.pop()).toEqual({ "a.bin": content.toString("base64") });
    // To begin, three parts, and to complete.
    expect(seen).toEqual(Array.from({ length: 5 }, () => ({})));
  });

  test("of a picture that is replaced the former or the new one whole, and no thumbnail of the other", async () => {
    s3.objects.clear();
    const picture = async (format: "jpeg" | "png") =>
      [
        ["path", "a"],
        ["overwrite", "true"],
        ["thumbnails", "true"],
        filePart(await pictureFile(format, 400, 300)),
      ] satisfies Part[];
    await killAt(Number.POSITIVE_INFINITY, "image", await picture("jpeg"));
    const former = visible();
    expect(Object.keys(former).sort()).toEqual([".thumbnails/a/large.jpg", ".thumbnails/a/small.jpg", "a"]);
    const seen = await killAtEach("image", await picture("png"));
    const now = seen.at(-1) ?? {};
    expect(Object.keys(now).sort()).toEqual([".thumbnails/a/large.png", ".thumbnails/a/small.png", "a"]);
    for (const each of seen) expect(each["a"] === now["a"] ? now : former).toMatchObject(each);
    expect(new Set(seen.map((each) => Object.keys(each).length))).toEqual(new Set([1, 2, 3]));
  });
});
