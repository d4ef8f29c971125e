import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { OpenSavepoint, TransactionCallbacks } from "#runtime/core/database/savepoint";
import { KeyLocks, type StorageServices } from "#runtime/modules/storage/files/storage-services";
import { removeFile, storeFile, toStagedFile, undoStore } from "#runtime/modules/storage/files/store-file";
import { TransactionFiles } from "#runtime/modules/storage/files/transaction-files";
import { ImageProcessor } from "#runtime/modules/storage/images/image-processor";
import { discard, receiveData } from "#runtime/modules/storage/incoming/receive-file";
import { UploadSlots } from "#runtime/modules/storage/incoming/upload-slots";
import { thumbnailKey } from "#runtime/modules/storage/keys/file-key";
import type { FileStore } from "#runtime/modules/storage/stores/file-store";
import { silent } from "../../../../support/silent-log.ts";
import { leastStorageSettings } from "../../../../support/storage.ts";
import {
  fileKey,
  type LocalUnderTest,
  localUnderTest,
  type StoreUnderTest,
  s3UnderTest,
} from "../../../../support/stores.ts";

const key = fileKey("a/b");
const changes: readonly (keyof FileStore)[] = ["put", "remove", "removeBelow"];

/** A store whose n-th change fails, and each later one if the disk stays broken. Counts the changes. */
function faulty({ store }: LocalUnderTest, failing: number, isLasting = false) {
  const seen = { changes: 0 };
  const log: Record<string, unknown>[] = [];
  const broken = new Proxy<FileStore>(store, {
    get(target, name: keyof FileStore) {
      const value = target[name];
      if (typeof value !== "function") return value;
      return async (...words: unknown[]) => {
        const isChange = changes.includes(name) && ++seen.changes >= failing;
        if (isChange && (isLasting || seen.changes === failing)) throw new Error("the disk is gone");
        return Reflect.apply(value, target, words);
      };
    },
  });
  const services = {
    store: broken,
    locks: new KeyLocks(),
    log: pino({}, { write: (line: string) => void log.push(JSON.parse(line)) }),
  };
  return { services, seen, log };
}

async function filesOf({ root, tree }: LocalUnderTest): Promise<Record<string, string>> {
  const contents = (await tree()).map(async (path) => [
    path,
    await readFile(join(root, path), "utf8").catch(() => null),
  ]);
  return Object.fromEntries((await Promise.all(contents)).filter(([, content]) => content !== null));
}

async function filled(files: Readonly<Record<string, string>>): Promise<LocalUnderTest> {
  const under = await localUnderTest();
  for (const [path, content] of Object.entries(files)) await under.place(path, content);
  return under;
}

const old = { "a/b": "old", "a/.thumbnails/b/o.png": "old o", "a/.thumbnails/b/x.png": "old x" };
const now = { "a/b": "new", "a/.thumbnails/b/x.png": "new x", "a/.thumbnails/b/y.png": "new y" };
const others = { "a/c": "other", "a/.thumbnails/c/o.png": "other o" };

async function newFile({ stage }: LocalUnderTest, overwrite: boolean) {
  const thumbnail = async (name: string) =>
    [thumbnailKey(key, `${name}.png`), await stage(`new ${name}`)] as const;
  return {
    key,
    file: await stage("new"),
    thumbnails: [await thumbnail("x"), await thumbnail("y")],
    overwrite,
  };
}

/** Lets each change fail once, one after the other, until all succeed. */
async function failEach(
  before: Readonly<Record<string, string>>,
  run: (under: LocalUnderTest, services: ReturnType<typeof faulty>["services"]) => Promise<unknown>,
  check: (files: Readonly<Record<string, string>>) => void,
): Promise<Record<string, string>> {
  for (let failing = 1; ; failing++) {
    const under = await filled({ ...others, ...before });
    const { services, seen } = faulty(under, failing);
    const outcome = await run(under, services).catch((error: unknown) => error);
    const files = await filesOf(under);
    expect(files).toMatchObject(others);
    if (seen.changes < failing) return files;
    expect(outcome).toMatchObject({ code: "STORAGE_ERROR", cause: { message: "the disk is gone" } });
    check(files);
  }
}

describe("any step fails", () => {
  // biome-ignore format: one case a line
  test.each([
    ["a new file leaves nothing", {}],
    ["a new file leaves nothing, and takes away thumbnails that lie there", { "a/.thumbnails/b/o.png": "old o" }],
  ])("%s", async (_, before) => {
    const stored = await failEach(
      before,
      async (under, services) => storeFile(services, await newFile(under, false)),
      (files) => expect(files).not.toHaveProperty("a/b"),
    );
    expect(stored).toEqual({ ...others, ...now });
  });

  test("an overwrite leaves the old or the new file, whole, and no thumbnail of the other", async () => {
    const seen = new Set<string | undefined>();
    const stored = await failEach(
      old,
      async (under, services) => storeFile(services, await newFile(under, true)),
      (files) => {
        const { "a/b": content } = files;
        seen.add(content);
        expect({ ...others, ...(content === "old" ? old : now) }).toMatchObject(files);
      },
    );
    expect(stored).toEqual({ ...others, ...now });
    expect(seen).toEqual(new Set(["old", "new"]));
  });

  test("a removal leaves the original or nothing, and can be repeated", async () => {
    const removed = await failEach(
      old,
      (_, services) => removeFile(services, key, { withThumbnails: true }),
      (files) => expect(files).toHaveProperty("a/b", "old"),
    );
    expect(removed).toEqual(others);
  });
});

test("a file that has replaced the new one since stays, with its thumbnails", async () => {
  const under = await filled({});
  const { services } = faulty(under, Number.POSITIVE_INFINITY);
  const version = await storeFile(services, await newFile(under, false));
  await storeFile(services, await newFile(under, true));
  await undoStore(services, key, version);
  expect(await filesOf(under)).toEqual(now);
});

test("the log names a new file that cannot be removed again", async () => {
  const under = await filled({});
  const { services, log } = faulty(under, 3, true);
  await expect(storeFile(services, await newFile(under, false))).rejects.toMatchObject({
    code: "STORAGE_ERROR",
  });
  expect(log).toMatchObject([{ level: 50, key: "a/b", err: { message: "the disk is gone" } }]);
});

/** Counts how many calls of a store are under way at once. */
function counted({ store }: StoreUnderTest) {
  const count = { now: 0, most: 0 };
  const watched = new Proxy(store, {
    get(target, name: keyof typeof store) {
      const value = target[name];
      if (typeof value !== "function") return value;
      return async (...words: unknown[]) => {
        count.most = Math.max(count.most, ++count.now);
        try {
          return await Reflect.apply(value, target, words);
        } finally {
          count.now--;
        }
      };
    },
  });
  return { watched, count };
}

/** The files of a transaction that ends as the test says. */
function transactionOn(under: StoreUnderTest) {
  const { watched: store, count } = counted(under);
  const services: StorageServices = {
    settings: leastStorageSettings,
    store,
    locks: new KeyLocks(),
    uploads: new UploadSlots(),
    images: new ImageProcessor({ folder: store.stagingFolder, maxPixels: 1 }),
    log: silent,
  };
  const effects = new TransactionCallbacks(silent);
  const part = new OpenSavepoint(null, () => effects);
  const files = new TransactionFiles(services);
  return {
    async put(path: string) {
      const file = await receiveData("new", { folder: store.stagingFolder, limit: 3 });
      const toStore = { key: fileKey(path), file, overwrite: true };
      await files.store(part, { ...toStore, file: toStagedFile(toStore) });
      await discard(file.path);
    },
    remove(path: string) {
      files.remove(part, fileKey(path), { withThumbnails: true });
    },
    /** Stores a file of another user. */
    async upload(path: string) {
      const file = await receiveData("other", { folder: store.stagingFolder, limit: 5 });
      return async () => {
        const key = fileKey(path);
        await storeFile(services, {
          key,
          file: toStagedFile({ key, file, overwrite: false }),
          overwrite: false,
        });
        await discard(file.path);
      };
    },
    async end(outcome: "committed" | "rolled_back") {
      count.most = 0;
      await effects.run(outcome);
      return count.most;
    },
  };
}

describe.each([
  { name: "a disk", start: localUnderTest },
  { name: "S3", start: () => s3UnderTest() },
])("on $name", ({ start }) => {
  const paths = Array.from({ length: 40 }, (_, at) => `covers/${at}.jpg`);

  test("many overwrites and removals follow a commit 16 at a time, thumbnails included", async () => {
    const under = await start();
    for (const path of paths) {
      await under.place(path);
      await under.place(path.replace("covers/", "covers/.thumbnails/").concat("/small.jpg"));
    }
    await under.place("covers/stays.jpg");
    const transaction = transactionOn(under);
    for (const path of paths.slice(0, 20)) transaction.remove(path);
    for (const path of paths.slice(20)) await transaction.put(path);
    expect(await transaction.end("committed")).toBe(16);
    expect(await under.list()).toEqual([...paths.slice(20), "covers/stays.jpg"].toSorted());
    expect(await under.read(fileKey("covers/39.jpg"))).toBe("new");
    expect(await under.leftovers()).toEqual([]);
  });

  test.each([
    ["committed", "removed"],
    ["rolled_back", "put"],
  ] as const)(
    "%s: who stores a file at the last of many keys that are %s comes after that",
    async (outcome, what) => {
      const under = await start();
      const transaction = transactionOn(under);
      for (const path of paths)
        if (what === "put") await transaction.put(path);
        else {
          await under.place(path, "old");
          transaction.remove(path);
        }
      const last = what === "put" ? paths[0] : paths.at(-1);
      const upload = await transaction.upload(last ?? "");
      const ended = transaction.end(outcome);
      await upload();
      await ended;
      expect(await under.list()).toEqual([last]);
      expect(await under.read(fileKey(last ?? ""))).toBe("other");
      expect(await under.leftovers()).toEqual([]);
    },
  );
});
