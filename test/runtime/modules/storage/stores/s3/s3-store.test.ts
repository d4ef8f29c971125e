import { createSecretKey } from "node:crypto";
import { utimes } from "node:fs/promises";
import { S3Client } from "@aws-sdk/client-s3";
import { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import { afterEach, expect, test, vi } from "vitest";
import type { S3StorageSettings } from "#runtime/core/config/index";
import { servedHeaders } from "#runtime/modules/storage/content/served-headers";
import { thumbnailFolder, thumbnailKey } from "#runtime/modules/storage/keys/file-key";
import { KeyConflict } from "#runtime/modules/storage/stores/file-store";
import { ObjectLinks } from "#runtime/modules/storage/stores/s3/s3-connection";
import { S3Store } from "#runtime/modules/storage/stores/s3/s3-store";
import { eventually } from "../../../../../support/eventually.ts";
import { fileKey as key, type S3UnderTest, s3UnderTest } from "../../../../../support/stores.ts";

const megabyte = 1024 * 1024;
const day = 86_400_000;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test("objects are stored with the headers that a local file is served with", async () => {
  const { s3, store, stage } = await s3UnderTest();
  for (const [name, size, mediaType] of [
    ["páge one.html", 10, "text/html"],
    ["pictures/a.png", 10, "image/png"],
    ["films/é.mp4", 5 * megabyte + 1, "video/mp4"],
  ] as const) {
    const file = key(name);
    await store.put(file, await stage(Buffer.alloc(size), mediaType), { overwrite: false });
    const { contentType, disposition } = servedHeaders({ key: file, mediaType });
    expect(s3.objects.get(name)?.headers.get("content-type")).toBe(contentType);
    expect(s3.objects.get(name)?.headers.get("content-disposition")).toBe(disposition);
    const answer = await fetch(await store.sign(file, 60));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toBe(disposition);
    expect((await answer.arrayBuffer()).byteLength).toBe(size);
  }
});

test("a file of more than the threshold goes in parts, whole, and only where the key is free", async () => {
  const { s3, store, stage } = await s3UnderTest();
  const content = Buffer.alloc(12 * megabyte, "0123456789abcdef\n");
  const file = await stage(content);
  await store.put(key("a"), file, { overwrite: false });
  expect(s3.objects.get("a")?.content.equals(content)).toBe(true);
  await expect(store.put(key("a"), file, { overwrite: false })).rejects.toBeInstanceOf(KeyConflict);
  await store.put(key("a"), file, { overwrite: true });
  expect([...s3.uploads]).toEqual([]);
  // What is refused is not sent before.
  const operations = s3.requests.filter(({ operation }) => operation === "UploadPart");
  expect(operations).toHaveLength(6);
});

test("of several at once in parts one wins", async () => {
  const { s3, store, stage } = await s3UnderTest();
  const files = await Promise.all(["a", "b", "c"].map((letter) => stage(Buffer.alloc(6 * megabyte, letter))));
  const outcomes = await Promise.allSettled(
    files.map((file) => store.put(key("a"), file, { overwrite: false })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect([...s3.uploads]).toEqual([]);
});

test("a moved object keeps its metadata, and has the headers of its new name", async () => {
  const { s3, store, stage } = await s3UnderTest();
  await store.put(key("a.txt"), await stage("text", "text/plain"), { overwrite: false });
  s3.place("b.bin", "x", "application/x-custom; a=b");
  const headersOf = (name: string) => Object.fromEntries(s3.objects.get(name)?.headers ?? []);
  const id = headersOf("a.txt")["x-amz-meta-kirak-upload"];
  await store.move(key("a.txt"), key("é/c.csv"), { overwrite: false });
  expect(headersOf("é/c.csv")).toEqual({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": servedHeaders({ key: "é/c.csv", mediaType: "text/csv" }).disposition,
    "x-amz-meta-kirak-upload": expect.not.stringMatching(id ?? ""),
  });
  const custom = { "cache-control": "no-cache", "content-language": "en", "x-amz-meta-own": "1" };
  const object = s3.objects.get("b.bin");
  if (object !== undefined)
    s3.objects.set("b.bin", { ...object, headers: new Map([...object.headers, ...Object.entries(custom)]) });
  await store.move(key("b.bin"), key("c.html"), { overwrite: false });
  expect(headersOf("c.html")).toMatchObject({ ...custom, "content-type": "application/x-custom; a=b" });
});

test.each([false, true])(
  "a move whose answer was lost is not in its own way (overwrite: %s)",
  async (overwrite) => {
    const { s3, store, put, list } = await s3UnderTest();
    await put(key("a"));
    s3.fault({ kind: "lost", on: ["CopyObject"], times: 1 });
    expect(await store.move(key("a"), key("b"), { overwrite })).toBe(true);
    expect(await list()).toEqual(["b"]);
  },
);

/** A move whose copy S3 holds until the test goes on. */
async function heldMove({ s3, store }: S3UnderTest, overwrite: boolean) {
  let goOn = () => {};
  const until = new Promise<void>((resolve) => (goOn = resolve));
  s3.fault({ kind: "held", on: ["CopyObject"], until, times: 1 });
  const moved = store.move(key("a"), key("b"), { overwrite });
  await eventually(() => expect(s3.requests.at(-1)?.operation).toBe("CopyObject"));
  return { moved, goOn };
}

test.each([false, true])(
  "a file that is removed during its move is missing (overwrite: %s)",
  async (overwrite) => {
    const under = await s3UnderTest();
    await under.put(key("a"));
    const { moved, goOn } = await heldMove(under, overwrite);
    await under.store.remove(key("a"));
    goOn();
    expect(await moved).toBe(false);
    expect(await under.list()).toEqual([]);
  },
);

test.each([false, true])(
  "a file that is replaced during its move is no conflict (overwrite: %s)",
  async (overwrite) => {
    const under = await s3UnderTest();
    await under.put(key("a"), "old");
    const { moved, goOn } = await heldMove(under, overwrite);
    const failed = expect(moved).rejects.toThrow("S3 CopyObject: 412 PreconditionFailed");
    await under.put(key("a"), "new", true);
    goOn();
    await failed;
    expect([await under.list(), await under.read(key("a"))]).toEqual([["a"], "new"]);
  },
);

test("both objects exist if the old one cannot be removed", async () => {
  const { s3, store, put, list } = await s3UnderTest();
  await put(key("a"));
  s3.fault({ kind: "error", status: 403, code: "AccessDenied", on: ["DeleteObject"] });
  await expect(store.move(key("a"), key("b"), { overwrite: false })).rejects.toThrow("AccessDenied");
  expect(await list()).toEqual(["a", "b"]);
});

test("a file that is stored during a move at the old key stays", async () => {
  const { s3, store, put, read } = await s3UnderTest();
  await put(key("a"), "old");
  let goOn = () => {};
  const until = new Promise<void>((resolve) => (goOn = resolve));
  s3.fault({ kind: "held", on: ["DeleteObject"], until, times: 1 });
  const moved = store.move(key("a"), key("b"), { overwrite: false });
  await eventually(() => expect(s3.requests.at(-1)?.operation).toBe("DeleteObject"));
  await put(key("a"), "new", true);
  goOn();
  expect(await moved).toBe(true);
  expect([await read(key("a")), await read(key("b"))]).toEqual(["new", "old"]);
});

test("a link expires on time, and covers only its key", async () => {
  const { s3, store, put } = await s3UnderTest();
  await put(key("a b/é"));
  await put(key("b"));
  const link = await store.sign(key("a b/é"), 30);
  expect((await fetch(link)).status).toBe(200);
  expect((await fetch(link.replace("/a%20b/%C3%A9?", "/b?"))).status).toBe(403);
  expect((await fetch(`${link}&response-content-type=text/html`)).status).toBe(403);
  expect((await fetch(link.replace("X-Amz-Expires=30", "X-Amz-Expires=31"))).status).toBe(403);
  s3.aheadMs = 31_000;
  expect((await fetch(link)).status).toBe(403);
  expect((await fetch(await store.sign(key("b"), 604_800))).status).toBe(200);
});

test("region and credentials are those that the SDK finds, where no setting names them", async () => {
  const { s3, store, put } = await s3UnderTest({}, { region: null, credentials: null });
  vi.stubEnv("AWS_REGION", s3.region);
  vi.stubEnv("AWS_ACCESS_KEY_ID", s3.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", s3.secretAccessKey);
  await put(key("a"), "hello");
  expect(await (await fetch(await store.sign(key("a"), 60))).text()).toBe("hello");
  expect(s3.requests.map(({ operation, status }) => [operation, status])).toEqual([
    ["PutObject", 200],
    ["GetObject", 200],
  ]);
});

test("files that a bucket's policy makes public are at the public address", async () => {
  const { s3, store, put } = await s3UnderTest();
  await put(key("public/é.txt"), "hello");
  await put(key("private"), "secret");
  s3.publicPrefixes = ["public/"];
  const address = await store.publicBaseUrl();
  expect(await (await fetch(`${address}/public/%C3%A9.txt`)).text()).toBe("hello");
  expect((await fetch(`${address}/private`)).status).toBe(403);
});

test("the public address is the one that the SDK sends requests to", async () => {
  const usual: S3StorageSettings = {
    provider: "s3",
    bucket: "pictures",
    region: "eu-central-1",
    endpoint: null,
    forcePathStyle: false,
    credentials: { accessKeyId: "id", secretAccessKey: createSecretKey(Buffer.from("secret")) },
    stagingFolder: "/nowhere",
  };
  // biome-ignore format: one case a line
  const cases: readonly [string, Partial<S3StorageSettings>, Record<string, string>?][] = [
    ["https://pictures.s3.eu-central-1.amazonaws.com", {}],
    ["https://pictures.s3.us-east-1.amazonaws.com", { region: "us-east-1" }],
    ["https://pictures.s3.cn-north-1.amazonaws.com.cn", { region: "cn-north-1" }],
    ["https://s3.eu-central-1.amazonaws.com/pictures", { forcePathStyle: true }],
    ["https://s3.eu-central-1.amazonaws.com/pictures.example.com", { bucket: "pictures.example.com" }],
    ["https://pictures.minio.example:9000", { endpoint: "https://minio.example:9000" }],
    ["https://minio.example:9000/pictures", { endpoint: "https://minio.example:9000/", forcePathStyle: true }],
    ["http://127.0.0.1:9000/pictures", { endpoint: "http://127.0.0.1:9000" }],
    ["http://[::1]:9000/pictures", { endpoint: "http://[::1]:9000", forcePathStyle: true }],
    ["https://files.example/s3/pictures", { endpoint: "https://files.example/s3", forcePathStyle: true }],
    ["https://pictures.files.example/s3", { endpoint: "https://files.example/s3" }],
    ["https://pictures.s3.eu-south-1.amazonaws.com", { region: null }, { AWS_REGION: "eu-south-1" }],
    ["https://pictures.s3.eu-central-1.amazonaws.com", {}, { AWS_REGION: "eu-south-1" }],
    ["http://pictures.minio.example:9000", {}, { AWS_ENDPOINT_URL_S3: "http://minio.example:9000" }],
    [
      "http://minio.example:9000/pictures",
      { region: null, forcePathStyle: true },
      { AWS_REGION: "eu-south-1", AWS_ENDPOINT_URL_S3: "http://minio.example:9000" },
    ],
  ];
  for (const [expected, settings, variables = {}] of cases) {
    vi.unstubAllEnvs();
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const store = new S3Store({ settings: { ...usual, ...settings } });
    expect(await store.publicBaseUrl()).toBe(expected);
    expect((await store.sign(key("a/b"), 60)).split("?")[0]).toBe(`${expected}/a/b`);
  }
});

test("folders of thumbnails are passed over in one step each, and objects without a key at all", async () => {
  const { s3, store, list } = await s3UnderTest();
  s3.pageSize = 100;
  for (const folder of ["a/.thumbnails/b.jpg/t", ".hidden/", "b/"])
    for (let index = 0; index < 150; index += 1) s3.place(`${folder}${index}`);
  for (const name of ["a/b.jpg", "a//b", "a/", "/", "b/x ", " c", "d+e", "f\u0001", "g%20h", "i\uFFFF"])
    s3.place(name);
  s3.requests.length = 0;
  expect(await list("", "", 2)).toEqual([" c", "a/b.jpg", "…"]);
  expect(s3.requests.length).toBeLessThan(6);
  const { files, more } = await store.list({ prefix: "b/", after: "", limit: 100 });
  const all = Array.from({ length: 150 }, (_, index) => `b/${index}`).toSorted();
  expect([files.map((file) => file.key), more]).toEqual([all.slice(0, 100), true]);
  const rest = await list("", files.at(-1)?.key);
  expect(rest).toEqual([...all.slice(100), "b/x "]);
});

test("of a picture with more thumbnails than a page of S3 all are removed", async () => {
  const { s3, store, put } = await s3UnderTest();
  await put(key("a.jpg"));
  s3.pageSize = 100;
  for (let index = 0; index < 120; index += 1) s3.place(`.thumbnails/a.jpg/${index}.jpg`);
  await store.removeBelow(thumbnailFolder(key("a.jpg")));
  expect([...s3.objects.keys()]).toEqual(["a.jpg"]);
});

test("the purge aborts uploads in parts of our keys, and removes staged files, all from before a moment", async () => {
  const { s3, store, stage } = await s3UnderTest();
  s3.aheadMs = -10 * 60_000;
  for (const name of ["a b/é", thumbnailKey(key("a.jpg"), "small.jpg"), "of:others"]) s3.begin(name);
  const old = await stage("old");
  await utimes(old.path, new Date(Date.now() - 2 * day), new Date(Date.now() - 2 * day));
  await stage("new");
  expect([await store.purge(new Date(Date.now() - day)), s3.uploads.size]).toEqual([1, 3]);
  expect(await store.purge(new Date(Date.now() - 60_000))).toBe(2);
  expect([...s3.uploads.values()].map((upload) => upload.key)).toEqual(["of:others"]);
});

test("files are sent eight at a time", async () => {
  const { s3, store, stage } = await s3UnderTest();
  let [now, most] = [0, 0];
  s3.fault({ kind: "slow reader", pauseMs: 5, on: ["PutObject"] });
  s3.onBody = (change) => {
    now += change;
    most = Math.max(most, now);
  };
  const files = await Promise.all(Array.from({ length: 32 }, () => stage(Buffer.alloc(megabyte))));
  await Promise.all(files.map((file, at) => store.put(key(`f/${at}`), file, { overwrite: false })));
  expect([most, s3.objects.size]).toEqual([8, 32]);
});

test("a file that waits for its turn lasts as long as S3 gives signs of life", async () => {
  const { s3, store, stage } = await s3UnderTest();
  await store.sign(key("a"), 60);
  const files = await Promise.all(Array.from({ length: 9 }, () => stage("x")));
  s3.fault({ kind: "idle", on: ["PutObject"], times: 8 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const puts = Promise.allSettled(
    files.map((file, at) => store.put(key(`f/${at}`), file, { overwrite: false })),
  );
  await eventually(() => expect(s3.requests).toHaveLength(8));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await store.head(key("none"))).toBeNull();
  await vi.advanceTimersByTimeAsync(10_500);
  const outcomes = (await puts).map(({ status }) => status);
  expect(outcomes).toEqual([...Array.from({ length: 8 }, () => "rejected"), "fulfilled"]);
  expect([...s3.objects.keys()]).toEqual(["f/8"]);
});

test("files that wait for their turn at a silent S3 are given up with the others", async () => {
  const { s3, store, stage } = await s3UnderTest({ idleMs: 400 });
  s3.fault({ kind: "deaf" });
  const files = await Promise.all(Array.from({ length: 20 }, () => stage("x")));
  const puts = files.map((file, at) => store.put(key(`f/${at}`), file, { overwrite: false }));
  const outcomes = await Promise.allSettled(puts);
  expect(outcomes.map((one) => one.status === "rejected" && one.reason.name)).toEqual(
    files.map(() => "ProviderSilence"),
  );
});

test("the purge goes through all pages of uploads in parts", async () => {
  const { s3, store } = await s3UnderTest();
  s3.aheadMs = -day;
  s3.pageSize = 20;
  for (let index = 0; index < 50; index += 1) s3.begin(`f/${index % 15}`);
  s3.aheadMs = 0;
  expect(await store.purge(new Date())).toBe(50);
  expect(s3.uploads.size).toBe(0);
});

test("a machine whose clock is wrong learns it from S3", async () => {
  const { s3, put, read } = await s3UnderTest();
  s3.aheadMs = 60 * 60_000;
  await put(key("a"), "hello");
  expect(await read(key("a"))).toBe("hello");
});

const client = new S3Client({
  region: "eu-central-1",
  credentials: { accessKeyId: "id", secretAccessKey: "secret" },
});

/** Links whose address comes from the given function, with the number of its calls. */
function linksOf(signSlowly: () => Promise<string>) {
  const asked = { times: 0 };
  const links = new ObjectLinks({
    bucket: "pictures",
    signer: new S3RequestPresigner(client.config),
    signWithSdk() {
      asked.times += 1;
      return signSlowly();
    },
  });
  return { links, asked };
}

test("of a list with a thousand links one goes through all of the SDK", async () => {
  const { links, asked } = linksOf(async () => "https://pictures.example/a?X-Amz-Signature=1");
  const keys = Array.from({ length: 1000 }, (_, index) => `f/${index}`);
  const signed = await Promise.all(keys.map((key) => links.sign(key, 60)));
  expect(signed.map((link) => new URL(link).pathname)).toEqual(keys.map((key) => `/${key}`));
  expect([await links.baseUrl(), asked.times]).toEqual(["https://pictures.example", 1]);
});

test("an address that could not be learnt is asked for again", async () => {
  const answers = [Promise.reject(new Error("no region")), Promise.resolve("https://pictures.example/a")];
  const { links, asked } = linksOf(() => answers.shift() ?? Promise.reject(new Error("asked too often")));
  await expect(links.baseUrl()).rejects.toThrow("no region");
  expect([await links.baseUrl(), asked.times]).toEqual(["https://pictures.example", 2]);
});
