import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { service as definition } from "../generator/support/definitions.ts";
import { clientModule, type Row } from "../support/client.ts";
import { frontOf } from "../support/front.ts";
import { pictureFile } from "../support/pictures.ts";
import { tokenOf } from "../support/service-token.ts";
import { signedLink, storageService } from "../support/storage.ts";
import { unhandledErrors } from "../support/unhandled-errors.ts";

const unlimited = { origin: "manifest", limit: null } as const;
const limits = { upload: unlimited, delete: unlimited, url: unlimited, list: unlimited, move: unlimited };
const document = openApiDocument({
  ...definition(),
  storage: { slug: "storage", servesFiles: true, resumable: false, limits },
});
const service = await storageService();
const front = await frontOf(service.origin);
const { createClient } = await clientModule(document);
const client = createClient({ url: front.url, token: tokenOf("admin"), timeout: 5_000 });
const { storage } = client;

beforeEach(async () => {
  await service.place({});
  front.reset();
});

describe("an upload", () => {
  test("sends a File with the fields of its form", async () => {
    const file = new File(["abc"], "a.txt", { type: "text/plain" });
    const path = "docs/b.txt";
    expect(await storage.uploadFile({ file, path })).toEqual({
      ...{ url: signedLink(service, path), filename: "b.txt", size: 3, mime_type: "text/plain" },
    });
    await expect(storage.uploadFile({ file, path })).rejects.toMatchObject({ status: 409 });
    await storage.uploadFile({ file: new Blob(["abcd"]), path, overwrite: true });
    await storage.uploadFile({ file, path: "docs/" });
    expect(await service.files()).toEqual({ "docs/b.txt": "abcd", "docs/a.txt": "abc" });
  });

  test("sends the sizes of thumbnails", async () => {
    const file = new Blob([new Uint8Array(await pictureFile("png", 40, 30))]);
    const made = await storage.uploadImage({
      file,
      path: "a.png",
      thumbnails: [{ name: "tiny", width: 10 }],
    });
    expect(made).toMatchObject({ original: { width: 40 }, thumbnails: [{ name: "tiny", width: 10 }] });
  });

  test("reports its progress at the end, where there is no XMLHttpRequest", async () => {
    const told: object[] = [];
    const onProgress = (progress: object) => void told.push(progress);
    await storage.uploadFile({ file: new Blob(["abc"]), path: "a.txt", onProgress });
    await expect(
      storage.uploadFile({ file: new Blob(["abc"]), path: "a.txt", onProgress }),
    ).rejects.toThrow();
    expect(told).toEqual([{ loaded: 3, total: 3 }]);
  });

  test("is done where the listener of its progress throws", async () => {
    const own = new Error("no");
    const onProgress = () => {
      throw own;
    };
    const errors = await unhandledErrors(() =>
      storage.uploadFile({ file: new Blob(["abc"]), path: "a.txt", onProgress }),
    );
    expect(errors).toEqual([own]);
    expect(await service.files()).toEqual({ "a.txt": "abc" });
  });

  test("rejects with ABORTED, and leaves nothing", async () => {
    const controller = new AbortController();
    front.always("/storage/upload/file", "silence");
    const call = storage.uploadFile(
      { file: new Blob(["abc"]), path: "a.txt" },
      { signal: controller.signal },
    );
    await front.reached(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "ApiError", error: "ABORTED" });
    await expect.poll(() => front.left.length).toBe(1);
    expect([await service.files(), await service.leftovers()]).toEqual([{}, []]);
  });

  test("has no timeout but that of the call", async () => {
    const hasty = createClient({ url: front.url, token: tokenOf("admin"), timeout: 30 });
    front.always("/storage/upload/file", "silence");
    const controller = new AbortController();
    const file = new Blob(["abc"]);
    const call = hasty.storage.uploadFile({ file, path: "a.txt" }, { signal: controller.signal });
    await expect(hasty.storage.uploadFile({ file }, { timeout: 60 })).rejects.toMatchObject({
      error: "TIMEOUT",
    });
    controller.abort();
    await expect(call).rejects.toMatchObject({ error: "ABORTED" });
  });
});

test("move takes a body", async () => {
  await service.place({ "a.txt": "abc" });
  const moved = await storage.move({ from: "a.txt", to: "b/c.txt" });
  expect(moved).toMatchObject({ path: "b/c.txt", filename: "c.txt", size: 3, mime_type: "text/plain" });
  expect(await service.files()).toEqual({ "b/c.txt": "abc" });
});

test("url and delete take the query as one object", async () => {
  await service.place({ "a/b c.txt": "abc" });
  const path = "a/b c.txt";
  expect(await storage.url({ path, expires: 60 })).toEqual({ url: signedLink(service, path) });
  expect(await storage.delete({ path, with_thumbnails: true })).toEqual({ path });
  expect(await service.files()).toEqual({});
  await service.place({ "a/b.txt": "abc" });
  const report = { path: "a/", deleted: 1, failed: [], more: false };
  expect(await storage.delete({ prefix: "a/" })).toEqual(report);
});

describe("list", () => {
  const paths = ["a/1", "a/2", "a/3", "a/4", "a/5"];
  const names = (files: readonly Row[]) => files.map(({ path }) => path);
  beforeEach(() => service.place(Object.fromEntries([...paths, "b/1"].map((path) => [path, "x"]))));

  test("goes out at once, and gives a page", async () => {
    const call = storage.list({ prefix: "a/", limit: 2 });
    await front.reached(1);
    const page = await call;
    expect(names(page.files)).toEqual(["a/1", "a/2"]);
    expect(page.next).toEqual(expect.any(String));
  });

  test("iterates over the files of all pages", async () => {
    const found: Row[] = [];
    for await (const file of storage.list({ prefix: "a/", limit: 2 })) found.push(file);
    expect(names(found)).toEqual(paths);
    expect(front.arrived).toHaveLength(3);
    for await (const file of storage.list({ limit: 2 })) if (file["path"] === "a/2") break;
    expect(front.arrived).toHaveLength(4);
  });

  test("fails in the iteration", async () => {
    front.play({ status: 400 });
    const walk = async () => {
      for await (const _ of storage.list()) expect.unreachable();
    };
    await expect(walk()).rejects.toMatchObject({ error: "UNEXPECTED_ANSWER" });
  });
});
