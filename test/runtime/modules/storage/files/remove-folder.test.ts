import { expect, test } from "vitest";
import { removeFolder } from "#runtime/modules/storage/files/remove-folder";
import { KeyLocks, type Locks } from "#runtime/modules/storage/files/storage-services";
import { thumbnailKey } from "#runtime/modules/storage/keys/file-key";
import { silent as log } from "../../../../support/silent-log.ts";
import { fileKey, localUnderTest } from "../../../../support/stores.ts";

test("an upload that ends before a folder is removed leaves no thumbnails without their picture", async () => {
  const { put, store } = await localUnderTest();
  const picture = fileKey("a/b.jpg");
  await put(picture);
  const own = new KeyLocks();
  let isListed = () => {};
  const listed = new Promise<void>((resolve) => {
    isListed = resolve;
  });
  const uploading = own.run(picture, async () => {
    await listed;
    await put(thumbnailKey(picture, "small.jpg"));
  });
  const locks: Locks = {
    run(keys, work) {
      isListed();
      return own.run(keys, work);
    },
  };
  expect(await removeFolder({ store, locks, log }, "a/")).toMatchObject({
    deleted: 1,
    failed: [],
    more: false,
  });
  await uploading;
  const all = { prefix: "", after: "", limit: 10, withThumbnails: true };
  expect((await store.list(all)).files).toEqual([]);
});
