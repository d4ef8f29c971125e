import { describe, expect, test } from "vitest";
import { AfterEffects } from "#runtime/database/after-effects";
import { Part } from "#runtime/database/transaction-part";
import { KeyLocks, type StorageServices } from "#runtime/storage/files/storage-services";
import { staged, storeFile } from "#runtime/storage/files/store-file";
import { TransactionFiles } from "#runtime/storage/files/transaction-files";
import { ImageWorkshop } from "#runtime/storage/images/image-workshop";
import { discard, receiveData } from "#runtime/storage/incoming/receive-file";
import { UploadSlots } from "#runtime/storage/incoming/upload-slots";
import { silent } from "../../../support/silent-log.ts";
import { leastStorageSettings } from "../../../support/storage-settings.ts";
import { fileKey, localUnderTest, type StoreUnderTest, s3UnderTest } from "../../../support/stores.ts";

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
    images: new ImageWorkshop({ folder: store.stagingFolder, maxPixels: 1 }),
    log: silent,
  };
  const effects = new AfterEffects<Part>(silent);
  const part = new Part(null, () => effects);
  const files = new TransactionFiles(services);
  return {
    async put(path: string) {
      const file = await receiveData("new", { folder: store.stagingFolder, limit: 3 });
      await files.store(part, { key: fileKey(path), file, overwrite: true });
      await discard(file.path);
    },
    remove(path: string) {
      files.remove(part, fileKey(path), { withThumbnails: true });
    },
    /** What stores a file of somebody else. */
    async upload(path: string) {
      const file = await receiveData("other", { folder: store.stagingFolder, limit: 5 });
      return async () => {
        const key = fileKey(path);
        await storeFile(services, { key, file: staged({ key, file, overwrite: false }), overwrite: false });
        await discard(file.path);
      };
    },
    async end(outcome: "committed" | "rolled_back") {
      count.most = 0;
      await effects.follow(outcome);
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
