import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { S3Store } from "#runtime/modules/storage/stores/s3/s3-store";
import { eventually } from "../../support/eventually.ts";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { pictureFile } from "../../support/pictures.ts";
import { sendRequest } from "../../support/request.ts";
import type { StoredObject } from "../../support/s3/call.ts";
import { testS3 } from "../../support/s3/s3-server.ts";
import { outcome } from "../../support/scenarios.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { testFolder } from "../../support/stores.ts";

const program = new URL("storage-process.ts", import.meta.url);
const upload = (origin: string, kind: "file" | "image", parts: readonly Part[]) =>
  sendRequest(origin, { method: "POST", path: `/storage/upload/${kind}`, ...formOf(...parts) });

/** Does the work of each item, three at a time: most of it is the start of a process. */
async function threeAtOnce<Item, Value>(items: readonly Item[], work: (item: Item) => Promise<Value>) {
  const values: Value[] = [];
  for (let at = 0; at < items.length; at += 3)
    values.push(...(await Promise.all(items.slice(at, at + 3).map(work))));
  return values;
}

/** What can be seen of the files in a folder: paths. */
async function visibleIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith(".uploads/"))
    .sort();
}

const underWayIn = (root: string) => readdir(join(root, ".uploads")).catch(() => []);

test("a process that is killed in the middle of an upload leaves nothing that is visible", async () => {
  const root = await testFolder();
  const { child, exit, listening } = startServiceProcess(program, root);
  const origin = await listening();
  const { headers, body } = formOf(["path", "a.bin"], filePart(Buffer.alloc(20_000_000, 1)));
  const { hostname, port } = new URL(origin);
  const outgoing = request({ hostname, port, method: "POST", path: "/storage/upload/file", headers });
  outgoing.on("error", () => {}).write(body.subarray(0, 10_000_000));
  await expect.poll(() => underWayIn(root)).toHaveLength(1);
  child.kill("SIGKILL");
  await exit;
  expect(await visibleIn(root)).toEqual([]);
});

/** When a process is killed: as soon as this holds, by what is on the disk and how many uploads were answered. */
const moments: readonly ((root: string, answered: number) => boolean | Promise<boolean>)[] = [
  () => true,
  async (root) => (await underWayIn(root)).length > 0,
  async (root) => (await underWayIn(root)).length > 6,
  async (root) => (await visibleIn(root)).length > 0,
  async (root) => (await visibleIn(root)).length > 1,
  (_, answered) => answered > 3,
];

test("at any moment, a picture is there whole or not at all, and no thumbnail without it", async () => {
  const contents = await Promise.all(
    ["jpeg", "png"].map((format) => pictureFile(format === "png" ? "png" : "jpeg", 400, 300)),
  );
  /** Overwrites one picture with two others, three times each; gives how many files are left. */
  const killAt = async ({ isNow, afterFirst }: { isNow: (typeof moments)[number]; afterFirst: boolean }) => {
    const root = await testFolder();
    const { child, exit, listening } = startServiceProcess(program, root);
    const origin = await listening();
    let answered = 0;
    const uploads = contents.flatMap((content) =>
      [0, 1, 2].map(async () => {
        await upload(origin, "image", [
          ["path", "a.img"],
          ["overwrite", "true"],
          ["thumbnails", "true"],
          filePart(content),
        ]);
        answered++;
      }),
    );
    // The first takes longest: sharp is loaded with it.
    if (afterFirst) await Promise.any(uploads);
    // What is over quickly may be missed.
    await eventually(async () =>
      expect(answered === uploads.length || (await isNow(root, answered))).toBe(true),
    );
    child.kill("SIGKILL");
    await Promise.allSettled([...uploads, exit]);
    const paths = await visibleIn(root);
    if (paths.length === 0) return 0;
    const original = await readFile(join(root, "a.img"));
    const which = contents.findIndex((content) => content.equals(original));
    expect(which, "the original is whole").toBeGreaterThanOrEqual(0);
    for (const path of paths.filter((path) => path !== "a.img")) {
      const thumbnail = await readFile(join(root, path));
      const { format } = await sharp(thumbnail, { failOn: "warning" }).metadata();
      expect(format, "a thumbnail of the picture that is there").toBe(["jpeg", "png"][which]);
      await sharp(thumbnail, { failOn: "warning" }).stats();
    }
    return paths.length;
  };
  // Half of the moments are before the end of the first upload, which loads sharp, and half after it.
  const kills = moments.map((isNow, at) => ({ isNow, afterFirst: at % 2 === 1 }));
  expect(new Set(await threeAtOnce(kills, killAt)).size).toBeGreaterThan(1);
}, 120_000);

/** Between two of these the bucket stays as it is. */
// biome-ignore format: many on a line
const writes = [
  "PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "AbortMultipartUpload", "DeleteObject", "DeleteObjects",
];

/**
 * Uploads to a bucket of its own with these objects, and kills the process when its write to S3 of that number has arrived and nothing
 * of it is done. Gives what callers can see then (tags of contents by path), and how many writes there were.
 */
async function killAt(
  moment: number,
  objects: ReadonlyMap<string, StoredObject>,
  kind: "file" | "image",
  parts: readonly Part[],
) {
  const s3 = await testS3();
  for (const [path, object] of objects) s3.objects.set(path, object);
  const settings = s3.settings(await testFolder());
  const { accessKeyId, secretAccessKey } = s3;
  const bucket = JSON.stringify({ ...settings, credentials: { accessKeyId, secretAccessKey } });
  const { child, exit, listening } = startServiceProcess(program, "", { BUCKET: bucket });
  const origin = await listening();
  const writesSoFar = () => s3.requests.filter(({ operation }) => writes.includes(operation)).length;
  s3.fault({ kind: "idle", on: writes, after: moment });
  let isOver = false;
  const answered = upload(origin, kind, parts).then(
    (reply) => {
      expect(outcome(reply)).toBe("200");
      isOver = true;
    },
    () => {},
  );
  await eventually(() => expect(isOver || writesSoFar() > moment).toBe(true));
  child.kill("SIGKILL");
  await Promise.all([answered, exit]);
  await s3.mend();
  const visible = () => Object.fromEntries([...s3.objects].map(([path, { etag }]) => [path, etag]));
  const before = visible();
  // A day later nothing is left of it but what could be seen.
  await new S3Store({ settings }).purge(new Date(Date.now() + 60_000));
  expect([s3.uploads.size, visible()]).toEqual([0, before]);
  return { visible: before, objects: new Map(s3.objects), writes: writesSoFar() };
}

/** Kills at each moment that there is. Gives what can be seen after each, and after an upload that nothing ends. */
async function killAtEach(
  ...sent: readonly [ReadonlyMap<string, StoredObject>, "file" | "image", readonly Part[]]
) {
  const whole = await killAt(Number.POSITIVE_INFINITY, ...sent);
  const all = Array.from({ length: whole.writes }, (_, moment) => moment);
  const seen = await threeAtOnce(all, async (moment) => (await killAt(moment, ...sent)).visible);
  return { seen, now: whole.visible, objects: whole.objects };
}

describe("a process that is killed at any moment leaves in S3", { timeout: 120_000 }, () => {
  test("of a file that goes in parts all or nothing", async () => {
    const content = Buffer.alloc(10.5 * 1024 * 1024, 7);
    const { seen, now, objects } = await killAtEach(new Map(), "file", [
      ["path", "a.bin"],
      filePart(content),
    ]);
    expect(Object.keys(now)).toEqual(["a.bin"]);
    expect(objects.get("a.bin")?.content.equals(content)).toBe(true);
    // To begin, three parts, and to complete.
    expect(seen).toEqual(Array.from({ length: 5 }, () => ({})));
  });

  test("of a picture that is replaced the former or the new one whole, and no thumbnail of the other", async () => {
    const picture = async (format: "jpeg" | "png") =>
      [
        ["path", "a"],
        ["overwrite", "true"],
        ["thumbnails", "true"],
        filePart(await pictureFile(format, 400, 300)),
      ] satisfies Part[];
    const { visible: former, objects } = await killAt(
      Number.POSITIVE_INFINITY,
      new Map(),
      "image",
      await picture("jpeg"),
    );
    expect(Object.keys(former).sort()).toEqual([".thumbnails/a/large.jpg", ".thumbnails/a/small.jpg", "a"]);
    const { seen, now } = await killAtEach(objects, "image", await picture("png"));
    expect(Object.keys(now).sort()).toEqual([".thumbnails/a/large.png", ".thumbnails/a/small.png", "a"]);
    for (const each of seen) expect(each["a"] === now["a"] ? now : former).toMatchObject(each);
    expect(new Set(seen.map((each) => Object.keys(each).length))).toEqual(new Set([1, 2, 3]));
  });
});
