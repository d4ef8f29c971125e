import { promises as disk } from "node:fs";
import { describe, expect, test } from "vitest";
import { KeyLocks } from "#runtime/storage/files/key-locks";
import { removeFile } from "#runtime/storage/files/remove-file";
import { thumbnailKey } from "#runtime/storage/keys/thumbnail-key";
import { replaceOnDisk, systemError } from "../../../support/faulty-disk.ts";
import { fileKey, localUnderTest, type StoreUnderTest, s3UnderTest } from "../../../support/stores.ts";

const picture = fileKey("a/b.jpg");
const small = thumbnailKey(picture, "small", "jpg");
const large = thumbnailKey(picture, "large", "jpg");

async function filled<Under extends StoreUnderTest>(under: Under): Promise<Under> {
  for (const key of [picture, small, large]) await under.put(key);
  return under;
}

/** The picture and its thumbnails, as far as they are there. */
async function left({ read }: StoreUnderTest): Promise<(string | null)[]> {
  return Promise.all([picture, small, large].map((key) => read(key)));
}

const remove = ({ store }: StoreUnderTest) =>
  removeFile({ store, locks: new KeyLocks() }, picture, { withThumbnails: true });

describe("a picture with its thumbnails goes after them, so that what failed can be sent again", () => {
  test("on disk: they cannot be removed", async () => {
    const under = await filled(await localUnderTest());
    let refuses = true;
    const { rename } = disk;
    replaceOnDisk({
      rename: async (from, to) => (refuses ? Promise.reject(systemError("EACCES")) : rename(from, to)),
    });
    await expect(remove(under)).rejects.toMatchObject({ code: "STORAGE_ERROR", cause: { code: "EACCES" } });
    expect(await left(under)).toEqual([picture, small, large]);
    refuses = false;
    expect(await remove(under)).toBe(true);
    expect(await under.tree()).toEqual([]);
  });

  test("on disk: it cannot be removed itself", async () => {
    const under = await filled(await localUnderTest());
    let refuses = true;
    const { unlink } = disk;
    replaceOnDisk({
      unlink: async (path) => (refuses ? Promise.reject(systemError("EACCES")) : unlink(path)),
    });
    await expect(remove(under)).rejects.toMatchObject({ code: "STORAGE_ERROR", cause: { code: "EACCES" } });
    expect(await left(under)).toEqual([picture, null, null]);
    refuses = false;
    expect(await remove(under)).toBe(true);
    expect(await under.tree()).toEqual([]);
  });

  test.each([
    { what: "they cannot be removed", operation: "DeleteObjects", thumbnails: [small, large] },
    { what: "it cannot be removed itself", operation: "DeleteObject", thumbnails: [null, null] },
  ])("in S3: $what", async ({ operation, thumbnails }) => {
    const under = await filled(await s3UnderTest());
    under.s3.fault({ kind: "error", status: 403, code: "AccessDenied", on: [operation] });
    await expect(remove(under)).rejects.toMatchObject({ code: "STORAGE_ERROR", cause: { operation } });
    await under.s3.mend();
    expect(await left(under)).toEqual([picture, ...thumbnails]);
    const { length } = under.s3.requests;
    expect(await remove(under)).toBe(true);
    const sent = under.s3.requests.slice(length).filter(({ operation }) => operation.startsWith("Delete"));
    expect(sent.map(({ operation, key }) => [operation, key])).toEqual([
      ...(thumbnails[0] !== null ? [["DeleteObjects", ""]] : []),
      ["DeleteObject", picture],
    ]);
    expect([...under.s3.objects.keys()]).toEqual([]);
  });
});
