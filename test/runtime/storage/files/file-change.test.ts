import { createSecretKey, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pino from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { StorageSettings } from "#runtime/config/index";
import { type NewFile, storeForGood, storeForNow } from "#runtime/storage/files/file-change";
import { KeyLocks } from "#runtime/storage/files/key-locks";
import type { StorageServices } from "#runtime/storage/files/storage-services";
import { UnsettledChanges } from "#runtime/storage/files/unsettled-changes";
import { ImageWorkshop } from "#runtime/storage/images/image-workshop";
import { UploadSlots } from "#runtime/storage/incoming/upload-slots";
import { type FileKey, readFileKey } from "#runtime/storage/keys/file-key";
import { thumbnailKey } from "#runtime/storage/keys/thumbnail-key";
import type { FileStore, StagedFile } from "#runtime/storage/stores/file-store";
import { LinkSignatures } from "#runtime/storage/stores/local/link-signatures";
import { LocalStore } from "#runtime/storage/stores/local/local-store";
import { silent } from "../../../support/silent-log.ts";
import { leastStorageSettings } from "../../../support/storage-settings.ts";

const root = await mkdtemp(join(tmpdir(), "file-change-"));
afterAll(() => rm(root, { recursive: true }));

const signatures = new LinkSignatures(createSecretKey(Buffer.alloc(32)));
const store = new LocalStore({ root, address: "", signatures });
const settings: StorageSettings = { ...leastStorageSettings, store: { provider: "local", root } };

const changes = ["keep", "removeThumbnails", "put", "remove", "restore", "forget"] as const;

/** The store, which fails once at the so many'th change; `calls` counts them. */
function faulty(failingCall: number) {
  let calls = 0;
  const guarded = new Proxy<FileStore>(store, {
    get(target, name: keyof FileStore) {
      const value = target[name];
      if (typeof value !== "function" || !changes.some((change) => change === name)) {
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async (...words: unknown[]) => {
        if (++calls === failingCall) throw new Error("the disk is gone");
        return Reflect.apply(value, target, words);
      };
    },
  });
  return { store: guarded, calls: () => calls };
}

function servicesOn(store: FileStore, log = silent): StorageServices {
  const images = new ImageWorkshop({ folder: store.stagingFolder, maxPixels: 1 });
  const [locks, unsettled, uploads] = [new KeyLocks(), new UnsettledChanges(), new UploadSlots()];
  return { settings, store, locks, unsettled, uploads, images, log };
}

async function place(files: Readonly<Record<string, string>>): Promise<void> {
  await rm(root, { recursive: true });
  await mkdir(root);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** Contents by path, with what is kept or staged. */
async function files(): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = paths.map(async (path) => [path.slice(root.length + 1), await readFile(path, "utf8")]);
  return Object.fromEntries(await Promise.all(contents));
}

function fileKey(text: string): FileKey {
  const key = readFileKey(text);
  if (key === null) throw new Error(`${text} is no key`);
  return key;
}

async function stage(content: string): Promise<StagedFile> {
  const path = join(store.stagingFolder, randomUUID());
  await mkdir(store.stagingFolder, { recursive: true });
  await writeFile(path, content);
  return { path, size: content.length, mediaType: "text/plain" };
}

const key = fileKey("a/b");

async function newFile(overwrite: boolean, content = "new"): Promise<NewFile> {
  const thumbnails = await Promise.all(
    ["x", "y"].map(
      async (name) => [thumbnailKey(key, name, "png"), await stage(`${content} ${name}`)] as const,
    ),
  );
  return { key, file: await stage(content), thumbnails, overwrite };
}

const old = { "a/b": "old", "a/.thumbnails/b/o.png": "old o", "a/.thumbnails/b/x.png": "old x" };
const now = { "a/b": "new", "a/.thumbnails/b/x.png": "new x", "a/.thumbnails/b/y.png": "new y" };
const orphans = { "a/.thumbnails/b/o.png": "old o" };
const others = { "a/c": "other", "a/.thumbnails/c/o.png": "other o" };

/** What is visible; staged files are removed by whoever staged them. */
async function visible() {
  return Object.fromEntries(Object.entries(await files()).filter(([path]) => !path.startsWith(".uploads/")));
}
const kept = async () => Object.keys(await files()).filter((path) => path.includes("/kept-"));

beforeEach(() => place(others));

test.each([true, false])("a file takes its place, with its thumbnails (overwrite %s)", async (overwrite) => {
  for (const before of overwrite ? [{}, old, orphans] : [{}, orphans]) {
    await place({ ...others, ...before });
    await storeForGood(servicesOn(store), await newFile(overwrite));
    expect(await visible()).toEqual({ ...others, ...now });
    expect(await kept()).toEqual([]);
  }
});

describe("whatever fails, all is as it was", () => {
  test.each([
    [true, "a file with thumbnails", old],
    [true, "nothing", {}],
    [false, "nothing", {}],
  ])("overwrite %s on %s", async (overwrite, _, before) => {
    for (let failing = 1; ; failing++) {
      await place({ ...others, ...before });
      const { store: guarded, calls } = faulty(failing);
      const storing = storeForGood(servicesOn(guarded), await newFile(overwrite));
      const outcome = await storing.then(
        () => "stored",
        (error: unknown) => error,
      );
      if (outcome === "stored") {
        expect(await visible()).toEqual({ ...others, ...now });
        // The last one is to let go of what was kept.
        if (calls() < failing) break;
      } else {
        expect(outcome).toMatchObject({ code: "STORAGE_ERROR", cause: { message: "the disk is gone" } });
        expect(await visible()).toEqual({ ...others, ...before });
        expect(await kept()).toEqual([]);
      }
    }
  });
});

test.each([old, {}])("what is stored and then fails goes again (overwrite, on %j)", async (before) => {
  await place({ ...others, ...before });
  const mute = new Proxy<FileStore>(store, {
    get(target, name: keyof FileStore) {
      const value = target[name];
      if (name === "put")
        return async (...words: Parameters<FileStore["put"]>) => {
          await target.put(...words);
          throw new Error("the answer is lost");
        };
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await expect(storeForGood(servicesOn(mute), await newFile(true))).rejects.toMatchObject({
    code: "STORAGE_ERROR",
  });
  expect(await visible()).toEqual({ ...others, ...before });
  expect(await kept()).toEqual([]);
});

test("a new file goes also where its thumbnails cannot be removed any more", async () => {
  const stuck = new Proxy<FileStore>(store, {
    get(target, name: keyof FileStore) {
      const value = target[name];
      if (name === "removeThumbnails") return () => Promise.reject(new Error("the disk is gone"));
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await expect(storeForGood(servicesOn(stuck), await newFile(true))).rejects.toMatchObject({
    code: "STORAGE_ERROR",
  });
  expect(await visible()).toEqual(others);
});

test("a key that is taken is 409, and nothing changes", async () => {
  await place({ ...others, ...old });
  await expect(storeForGood(servicesOn(store), await newFile(false))).rejects.toMatchObject({
    code: "HTTP_ERROR",
    status: 409,
  });
  expect(await visible()).toEqual({ ...others, ...old });
});

describe("a change that may be undone", () => {
  test.each<[string, Record<string, string>, boolean]>([
    ["a file with thumbnails", old, true],
    ["nothing", {}, true],
    ["nothing, without overwriting", {}, false],
  ])("over %s", async (_, before, overwrite) => {
    await place({ ...others, ...before });
    const { undo } = await storeForNow(servicesOn(store), await newFile(overwrite));
    expect(await visible()).toEqual({ ...others, ...now });
    await undo();
    expect(await visible()).toEqual({ ...others, ...before });
    expect(await kept()).toEqual([]);
    const { settle } = await storeForNow(servicesOn(store), await newFile(overwrite));
    await settle();
    expect(await visible()).toEqual({ ...others, ...now });
    expect(await kept()).toEqual([]);
  });

  test("leaves what somebody else has stored since", async () => {
    await place({ ...others, ...old });
    const services = servicesOn(store);
    const { undo } = await storeForNow(services, await newFile(true, "mine"));
    await storeForGood(services, await newFile(true));
    await undo();
    expect(await visible()).toEqual({ ...others, ...now });
    expect(await kept()).toEqual([]);
  });

  test("undone one after the other, the first one first", async () => {
    for (const before of [old, {}]) {
      await place({ ...others, ...before });
      const services = servicesOn(store);
      const first = await storeForNow(services, await newFile(true, "one"));
      const second = await storeForNow(services, await newFile(true, "two"));
      await first.undo();
      expect(await visible()).toMatchObject({ "a/b": "two", "a/.thumbnails/b/y.png": "two y" });
      await second.undo();
      expect(await visible()).toEqual({ ...others, ...before });
      expect(await kept()).toEqual([]);
    }
  });

  test("undone one after the other, the last one first", async () => {
    await place({ ...others, ...old });
    const services = servicesOn(store);
    const first = await storeForNow(services, await newFile(true, "one"));
    const second = await storeForNow(services, await newFile(true, "two"));
    await second.undo();
    expect(await visible()).toMatchObject({ "a/b": "one", "a/.thumbnails/b/y.png": "one y" });
    await first.undo();
    expect(await visible()).toEqual({ ...others, ...old });
    expect(await kept()).toEqual([]);
  });

  test("and cannot be put back: the log says where the former file is kept", async () => {
    await place({ ...others, ...old });
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    // The change itself takes keep, removeThumbnails and three puts.
    const { undo } = await storeForNow(servicesOn(faulty(6).store, log), await newFile(true));
    await undo();
    const [left = ""] = await kept();
    expect(lines).toMatchObject([
      { level: 50, key: "a/b", kept: dirname(join(root, left)), err: { message: "the disk is gone" } },
    ]);
  });
});
