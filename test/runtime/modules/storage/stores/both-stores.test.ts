import { describe, expect, test } from "vitest";
import { thumbnailKey } from "#runtime/modules/storage/keys/file-key";
import { KeyConflict } from "#runtime/modules/storage/stores/file-store";
import {
  fileKey as key,
  localUnderTest,
  type StoreUnderTest,
  s3UnderTest,
  withoutHardLinks,
} from "../../../../support/stores.ts";

const picture = key("a/b.jpg");
const small = thumbnailKey(picture, "small.jpg");

function localWithoutHardLinks(): Promise<StoreUnderTest> {
  withoutHardLinks();
  return localUnderTest();
}

/** Routes have all else: test/http/storage runs on both stores. */
describe.each([
  { provider: "local", make: () => localUnderTest() },
  { provider: "local, without hard links", make: localWithoutHardLinks },
  { provider: "s3", make: () => s3UnderTest() },
])("$provider", ({ make }) => {
  test("a removed file is gone, once, and its key is free", async () => {
    const { put, store, read, list } = await make();
    for (const name of ["f/a", "f/b"]) await put(key(name));
    expect(await store.remove(key("f/a"))).toBe(true);
    expect(await store.remove(key("f/a"))).toBe(false);
    expect([await read(key("f/a")), await list()]).toEqual([null, ["f/b"]]);
    await put(key("f/a"), "again");
    expect(await read(key("f/a"))).toBe("again");
  });

  test("lists show thumbnails only if the request includes them", async () => {
    const { put, store, place } = await make();
    for (const one of [picture, small, key("a/c/ d"), thumbnailKey(key("e"), "small.jpg")]) await put(one);
    for (const hidden of ["a/.other/b.jpg/small.jpg", "a/.thumbnails/x", "a/.other/.thumbnails/b/s.jpg"])
      await place(hidden);
    const request = { prefix: "", after: "", limit: 9 };
    const keysOf = async (withThumbnails: boolean) =>
      (await store.list({ ...request, withThumbnails })).files.map((file) => file.key);
    expect(await keysOf(false)).toEqual(["a/b.jpg", "a/c/ d"]);
    expect(await keysOf(true)).toEqual([".thumbnails/e/small.jpg", small, picture, "a/c/ d"]);
  });

  test("of several files, those that cannot be removed are reported", async () => {
    const { put, store, list, keep } = await make();
    const keys = ["f/a", "f/ b ", "f/c", "g/d"].map(key);
    for (const one of keys) await put(one);
    keep("f/ b ");
    const failed = await store.removeAll([...keys, key("f/none")]);
    expect(failed).toEqual([{ key: "f/ b ", cause: expect.any(Error) }]);
    expect(await list()).toEqual(["f/ b "]);
    expect(await store.removeAll([])).toEqual([]);
  });

  test("a moved file has its content and type, and no old key", async () => {
    const { put, store, read, list } = await make();
    await put(key("a/b"), "content");
    const before = await store.head(key("a/b"));
    expect(await store.move(key("a/b"), key("c/d e"), { overwrite: false })).toBe(true);
    expect([await list(), await read(key("c/d e"))]).toEqual([["c/d e"], "content"]);
    expect(await store.head(key("c/d e"))).toMatchObject({ size: 7, mediaType: before?.mediaType });
    expect(await store.move(key("a/b"), key("e"), { overwrite: false })).toBe(false);
    expect(await store.move(key("a/b"), key("e"), { overwrite: true })).toBe(false);
    expect(await list()).toEqual(["c/d e"]);
  });

  test("a move replaces a file only if the caller wants it", async () => {
    const { put, store, read, list } = await make();
    for (const name of ["a", "b"]) await put(key(name));
    await expect(store.move(key("a"), key("b"), { overwrite: false })).rejects.toBeInstanceOf(KeyConflict);
    expect([await read(key("a")), await read(key("b"))]).toEqual(["a", "b"]);
    expect(await store.move(key("a"), key("b"), { overwrite: true })).toBe(true);
    expect([await list(), await read(key("b"))]).toEqual([["b"], "a"]);
  });

  test("of moves to one key at the same time, one succeeds, and no file is lost", async () => {
    const { put, store, list } = await make();
    const names = ["a", "b", "c"];
    for (const name of names) await put(key(name));
    const moves = names.map((name) => store.move(key(name), key("d"), { overwrite: false }));
    const outcomes = await Promise.allSettled(moves);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const left = names.filter((_, index) => outcomes[index]?.status === "rejected");
    expect(await list()).toEqual([...left, "d"]);
  });

  test("a link can be signed whether the file exists or not", async () => {
    const { store } = await make();
    expect(await store.sign(key("a b/é"), 60)).toMatch(/\/a%20b\/%C3%A9\?/);
    expect(await store.sign(small, 604_800)).toMatch(/\/a\/\.thumbnails\/b\.jpg\/small\.jpg\?/);
  });

  test("a version is known before it is stored, and only a file of that version is removed", async () => {
    const { stage, store, read } = await make();
    const [first, second] = [await stage("first"), await stage("second")];
    const versions = [await store.versionOf(first), await store.versionOf(second)];
    await store.put(picture, first, { overwrite: false });
    expect((await store.head(picture))?.version).toBe(versions[0]);
    await store.put(picture, second, { overwrite: true });
    expect(await store.remove(picture, versions[0])).toBe(false);
    expect(await read(picture)).toBe("second");
    expect(await store.remove(picture, versions[1])).toBe(true);
    expect(await read(picture)).toBeNull();
  });

  test("the purge removes leftovers from before a moment, and no file", async () => {
    const { put, read, stage, store, leftovers } = await make();
    const soon = new Date(Date.now() + 60_000);
    for (const one of [picture, small]) await put(one);
    await stage("half an upload");
    expect(await store.purge(new Date(Date.now() - 60_000))).toBe(0);
    expect(await leftovers()).not.toEqual([]);
    expect(await store.purge(soon)).toBeGreaterThan(0);
    expect(await leftovers()).toEqual([]);
    expect([await read(picture), await read(small), await store.purge(soon)]).toEqual([picture, small, 0]);
  });
});
