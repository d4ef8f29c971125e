import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { type FileKey, readFileKey } from "../../../../../runtime/storage/keys/file-key.ts";
import { thumbnailKey } from "../../../../../runtime/storage/keys/thumbnail-key.ts";
import { KeyConflict, type StoredKey } from "../../../../../runtime/storage/stores/file-store.ts";
import { LinkSignatures } from "../../../../../runtime/storage/stores/local/link-signatures.ts";
import { LocalStore } from "../../../../../runtime/storage/stores/local/local-store.ts";

function key(text: string): FileKey {
  const read = readFileKey(text);
  if (read === null) throw new Error(`${text} is no key`);
  return read;
}

async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function testStore() {
  const root = join(await testFolder(), "deep", "root");
  const signatures = new LinkSignatures(createSecretKey(randomBytes(32)));
  const store = new LocalStore({ root, address: "https://shop.example/storage", signatures });
  const stage = async (content: string) => {
    const path = join(store.stagingFolder, randomUUID());
    await mkdir(store.stagingFolder, { recursive: true });
    await writeFile(path, content);
    return { path, size: Buffer.byteLength(content), mediaType: "text/plain" };
  };
  const put = async (at: StoredKey, content = "content", overwrite = false) =>
    store.put(at, await stage(content), { overwrite });
  const read = async (at: StoredKey) => {
    const file = await store.get(at);
    return file === null ? null : text(file.content);
  };
  /** Puts a file there by another way. */
  const write = async (path: string, content = "content") => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  const tree = async () =>
    (await readdir(root, { recursive: true })).filter((path) => !path.startsWith(".uploads")).sort();
  const list = async (prefix = "", after = "", limit = 1000) => {
    const { files, more } = await store.list({ prefix, after, limit });
    return [...files.map((file) => file.key), ...(more ? ["…"] : [])];
  };
  return { root, store, stage, put, read, write, tree, list };
}

describe("put", () => {
  test("makes the root and the folders of the key, and leaves nothing in the staging folder", async () => {
    const { store, root, put, read } = await testStore();
    await put(key("a/b/c.txt"), "hello");
    expect(await read(key("a/b/c.txt"))).toBe("hello");
    expect(await readFile(join(root, "a/b/c.txt"), "utf8")).toBe("hello");
    expect(await readdir(store.stagingFolder)).toEqual([]);
  });

  test("refuses a key that is taken, unless it may be overwritten", async () => {
    const { put, read } = await testStore();
    await put(key("a.txt"), "first");
    await expect(put(key("a.txt"), "second")).rejects.toBeInstanceOf(KeyConflict);
    expect(await read(key("a.txt"))).toBe("first");
    await put(key("a.txt"), "third", true);
    expect(await read(key("a.txt"))).toBe("third");
  });

  test("of many at once one wins, and with overwrite all do and one stays, whole", async () => {
    const { put, read } = await testStore();
    const contents = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(1000));
    const outcomes = await Promise.allSettled(contents.map((content) => put(key("f/a"), content)));
    const won = contents.filter((_, index) => outcomes[index]?.status === "fulfilled");
    expect(won).toEqual([await read(key("f/a"))]);
    await Promise.all(contents.map((content) => put(key("f/a"), content, true)));
    expect(contents).toContain(await read(key("f/a")));
  });

  test.each([false, true])(
    "refuses a key that runs through a file, or is a folder with files (overwrite: %s)",
    async (overwrite) => {
      const { put, tree } = await testStore();
      await put(key("a/b/c"));
      for (const taken of ["a/b/c/d", "a/b/c/d/e", "a/b", "a"])
        await expect(put(key(taken), "x", overwrite)).rejects.toBeInstanceOf(KeyConflict);
      expect(await tree()).toEqual(["a", "a/b", "a/b/c"]);
    },
  );

  test.each([false, true])("takes the place of a folder without files (overwrite: %s)", async (overwrite) => {
    const { root, put, read } = await testStore();
    await mkdir(join(root, "a", "b", "c"), { recursive: true });
    await mkdir(join(root, "a", "d"), { recursive: true });
    await put(key("a"), "file", overwrite);
    expect(await read(key("a"))).toBe("file");
  });

  test("goes on while folders on its way come and go", async () => {
    const { store, put, tree } = await testStore();
    const change = async (name: string) => {
      for (let round = 0; round < 30; round++) {
        await put(key(`a/b/c/${name}`));
        expect(await store.remove(key(`a/b/c/${name}`))).toBe(true);
      }
    };
    await Promise.all(["1", "2", "3", "4"].map(change));
    expect(await tree()).toEqual([]);
  });
});

describe("get and head", () => {
  test("give size, type and a tag that other bytes do not have", async () => {
    const { store, put, write } = await testStore();
    await put(key("a.png"), "one");
    const first = await store.head(key("a.png"));
    expect(first).toMatchObject({ size: 3, etag: expect.stringMatching(/^"[\w-]+"$/) });
    expect(await store.head(key("a.png"))).toEqual(first);
    await write("a.png", "two");
    expect((await store.head(key("a.png")))?.etag).not.toBe(first?.etag);
  });

  test("read a part", async () => {
    const { store, put } = await testStore();
    await put(key("a"), "0123456789");
    const file = await store.get(key("a"), { start: 2, end: 4 });
    expect(file?.size).toBe(10);
    expect(file && (await text(file.content))).toBe("234");
  });

  test.each(["missing", "folder", "a/below", "missing/a"])("find nothing at %s", async (path) => {
    const { store, put } = await testStore();
    await put(key("a"));
    await put(key("folder/a"));
    expect(await store.get(key(path))).toBeNull();
    expect(await store.head(key(path))).toBeNull();
    expect(await store.remove(key(path))).toBe(false);
  });
});

describe("remove", () => {
  test("takes the folders with it that became empty", async () => {
    const { store, put, tree } = await testStore();
    await put(key("a/b/c/d"));
    await put(key("a/e"));
    expect(await store.remove(key("a/b/c/d"))).toBe(true);
    expect(await tree()).toEqual(["a", "a/e"]);
    expect(await store.remove(key("a/b/c/d"))).toBe(false);
    expect(await store.remove(key("a/e"))).toBe(true);
    expect(await tree()).toEqual([]);
  });
});

describe("keep", () => {
  test("puts back the file and its thumbnails, whatever stands there", async () => {
    const { store, put, read, tree } = await testStore();
    const picture = key("a/b.jpg");
    const [small, large] = [thumbnailKey(picture, "small", "jpg"), thumbnailKey(picture, "large", "png")];
    await put(picture, "old");
    await put(small, "old small");
    const before = await store.head(picture);
    const kept = await store.keep(picture);
    if (kept === null) throw new Error("nothing was kept");
    await put(picture, "new", true);
    await store.removeThumbnails(picture);
    await put(large, "new large");
    await store.restore(kept);
    expect([await read(picture), await read(small), await read(large)]).toEqual(["old", "old small", null]);
    expect(await store.head(picture)).toEqual(before);
    expect(await readdir(store.stagingFolder)).toEqual([]);
    const again = await store.keep(picture);
    await store.remove(picture);
    await store.removeThumbnails(picture);
    expect(await tree()).toEqual([]);
    if (again !== null) await store.restore(again);
    expect([await read(picture), await read(small)]).toEqual(["old", "old small"]);
  });
});

describe("list", () => {
  test("goes by bytes, over folders, without what has no key", async () => {
    const { put, write, list } = await testStore();
    const keys = ["a-b", "a.b", "a/b", "a/c/d", "a0", "b", "é", "\u{ff71}", "\u{20000}"].map(key);
    for (const each of [...keys].reverse()) await put(each);
    await put(thumbnailKey(key("a/b"), "small", "png"));
    for (const path of [".hidden", "c/.hidden/d", "e\u0301", "d+e"]) await write(path);
    expect(await list()).toEqual(keys);
    expect(await list("a")).toEqual(keys.slice(0, 5));
    expect(await list("a/")).toEqual(["a/b", "a/c/d"]);
    expect(await list("a/c/d")).toEqual(["a/c/d"]);
    expect(await list("", "a/b", 2)).toEqual(["a/c/d", "a0", "…"]);
    expect(await list("", "a0", 4)).toEqual(["b", "é", "\u{ff71}", "\u{20000}"]);
  });
});

describe("purge", () => {
  test("removes what is older than a moment", async () => {
    const { store, stage, put } = await testStore();
    await put(key("a"));
    expect(await store.purge(new Date())).toBe(0);
    const [old, young] = [await stage("old"), await stage("young")];
    await utimes(old.path, 1, 1);
    expect(await store.purge(new Date(2000))).toBe(1);
    await expect(stat(old.path)).rejects.toThrow("ENOENT");
    await stat(young.path);
  });
});

describe("symbolic links", () => {
  test("are followed nowhere below the root", async () => {
    const { store, root, put, write, list } = await testStore();
    const outside = await testFolder();
    await writeFile(join(outside, "secret"), "secret");
    await mkdir(join(outside, "empty"));
    await write("inside/a");
    await symlink(join(outside, "secret"), join(root, "file"));
    await symlink(outside, join(root, "folder"));
    await symlink(join(root, "inside"), join(root, "other"));
    expect(await list()).toEqual(["inside/a"]);
    expect(await list("folder/")).toEqual([]);
    for (const at of ["file", "folder/secret", "other/a"].map(key)) {
      expect(await store.get(at)).toBeNull();
      expect(await store.head(at)).toBeNull();
      expect(await store.remove(at)).toBe(false);
      expect(await store.keep(at)).toBeNull();
      await expect(put(at)).rejects.toBeInstanceOf(KeyConflict);
    }
    await expect(put(key("folder/empty/a/b"))).rejects.toBeInstanceOf(KeyConflict);
    expect(await readdir(outside)).toEqual(["empty", "secret"]);
  });
});
