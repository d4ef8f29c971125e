import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, promises } from "node:fs";
import { link, mkdir, readdir, readFile, readlink, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TimedOut } from "#runtime/core/concurrency/index";
import { thumbnailFolder, thumbnailKey } from "#runtime/modules/storage/keys/file-key";
import { KeyConflict } from "#runtime/modules/storage/stores/file-store";
import {
  fileKey as key,
  replaceOnDisk,
  systemError,
  testFolder,
  localUnderTest as testStore,
  withoutHardLinks,
} from "../../../../../support/stores.ts";

describe("put", () => {
  test("makes the root and the folders of the key, and leaves nothing in the staging folder", async () => {
    const { store, root, put, read } = await testStore();
    await put(key("a/b/c.txt"), "hello");
    expect(await read(key("a/b/c.txt"))).toBe("hello");
    expect(await readFile(join(root, "a/b/c.txt"), "utf8")).toBe("hello");
    expect(await readdir(store.stagingFolder)).toEqual([]);
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

describe("put on a disk without hard links", () => {
  test.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])(
    "%s: one wins, and what is there stays",
    async (code) => {
      withoutHardLinks(code);
      const { put, read, tree, leftovers } = await testStore();
      const contents = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(1000));
      const outcomes = await Promise.allSettled(contents.map((content) => put(key("f/a"), content)));
      const won = contents.filter((_, index) => outcomes[index]?.status === "fulfilled");
      expect(won).toEqual([await read(key("f/a"))]);
      expect([await tree(), await leftovers()]).toEqual([["f", "f/a"], []]);
    },
  );

  test("leaves no empty file if the file cannot be moved onto it, and takes nothing else away", async () => {
    const { rename } = promises;
    for (const other of [false, true]) {
      const { root, put, tree, read } = await testStore();
      withoutHardLinks();
      replaceOnDisk({
        async rename(_from, to) {
          await writeFile(join(root, "other"), "of another process");
          if (other) await rename(join(root, "other"), to);
          throw systemError("EIO");
        },
      });
      await expect(put(key("f/a"))).rejects.toThrow("EIO");
      if (other) expect(await read(key("f/a"))).toBe("of another process");
      else expect(await tree()).not.toContain("f/a");
    }
  });
});

describe("move", () => {
  test.each([false, true])("onto another name of the same file (overwrite: %s)", async (overwrite) => {
    const { root, store, put, tree } = await testStore();
    await put(key("a"));
    await promises.link(join(root, "a"), join(root, "b"));
    const moved = store.move(key("a"), key("b"), { overwrite });
    if (overwrite) expect(await moved).toBe(true);
    else await expect(moved).rejects.toBeInstanceOf(KeyConflict);
    expect(await tree()).toEqual(overwrite ? ["b"] : ["a", "b"]);
  });

  test("keeps a file that replaced the old name meanwhile", async () => {
    const { root, store, put, read } = await testStore();
    await put(key("a"), "mine");
    const { link, rename } = promises;
    replaceOnDisk({
      async link(from, to) {
        await link(from, to);
        await writeFile(join(root, "other"), "of another process");
        await rename(join(root, "other"), from);
      },
    });
    expect(await store.move(key("a"), key("b"), { overwrite: false })).toBe(true);
    expect([await read(key("a")), await read(key("b"))]).toEqual(["of another process", "mine"]);
  });
});

test("of several files, none is removed after a disk did not answer", async () => {
  const { store, put, tree } = await testStore();
  const keys = ["a", "b", "c"].map(key);
  for (const one of keys) await put(one);
  const { unlink } = promises;
  const silence = new TimedOut("the disk is silent");
  let calls = 0;
  replaceOnDisk({
    async unlink(path) {
      if (++calls === 2) throw silence;
      await unlink(path);
    },
  });
  const failed = await store.removeAll(keys);
  expect(failed).toEqual(["b", "c"].map((key) => ({ key, cause: silence })));
  expect([await tree(), calls]).toEqual([["b", "c"], 2]);
});

describe("put, where it cannot be", () => {
  test("rejects without a conflict, and makes nothing", async () => {
    const folder = await testFolder();
    await writeFile(join(folder, "file"), "");
    const elsewhere = await testStore();
    for (const root of [join(folder, "file"), join(folder, "file", "root")]) {
      const { store, tree } = await testStore(root);
      const staged = await elsewhere.stage("content");
      const putting = store.put(key("a/b"), staged, { overwrite: false });
      await expect(putting).rejects.not.toBeInstanceOf(KeyConflict);
      expect(await store.get(key("a/b"))).toBeNull();
      expect(await store.list({ prefix: "", after: "", limit: 1 })).toEqual({ files: [], more: false });
      expect(await store.purge(new Date())).toBe(0);
      if (root.endsWith("root")) expect(await tree()).toEqual([]);
    }
  });

  test.each([false, true])(
    "a staged file that is not there leaves no folders (overwrite: %s)",
    async (overwrite) => {
      const { store, tree, put } = await testStore();
      await put(key("a/file"));
      const staged = { path: join(store.stagingFolder, "none"), size: 1, mediaType: "text/plain" };
      await expect(store.put(key("a/b/c"), staged, { overwrite })).rejects.toThrow("ENOENT");
      expect(await tree()).toEqual(["a", "a/file"]);
    },
  );
});

describe("get and head", () => {
  test.each(["missing", "folder", "a/below", "missing/a"])("find nothing at %s", async (path) => {
    const { store, put } = await testStore();
    await put(key("a"));
    await put(key("folder/a"));
    expect(await store.get(key(path))).toBeNull();
    expect(await store.head(key(path))).toBeNull();
    expect(await store.remove(key(path))).toBe(false);
  });
});

describe("the type of a file", () => {
  test("is the hash of its content for every way to write it", async () => {
    const { store, place } = await testStore();
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    const types = {
      "a.html": ["<p>", "text/html"],
      "b.html": [png, "image/png"],
      "c.png": ["text", "text/plain"],
      "d.csv": ["a\0b", "application/octet-stream"],
      "f/e": ["", "text/plain"],
    } as const;
    for (const [path, [content, mediaType]] of Object.entries(types)) {
      await place(path, typeof content === "string" ? content : Buffer.from(content));
      expect((await store.head(key(path)))?.mediaType, path).toBe(mediaType);
      const file = await store.get(key(path));
      file?.content.destroy();
      expect(file?.mediaType).toBe(mediaType);
    }
  });

  test("is computed again when the content changed, and only from the name when the file was renamed", async () => {
    const { store, place, root } = await testStore();
    await place("a.html", "<p>");
    expect((await store.head(key("a.html")))?.mediaType).toBe("text/html");
    await writeFile(join(root, "a.html"), "a\0b");
    expect((await store.head(key("a.html")))?.mediaType).toBe("application/octet-stream");
    await place("b.css", "c");
    await link(join(root, "b.css"), join(root, "b.md"));
    expect((await store.head(key("b.css")))?.mediaType).toBe("text/css");
    expect((await store.head(key("b.md")))?.mediaType).toBe("text/markdown");
  });

  test.runIf(existsSync("/proc/self/io"))("is read once, by however many", async () => {
    const { store, place } = await testStore();
    await place("a.txt", "text ".repeat(400_000));
    const bytesRead = async () => Number(/rchar: (\d+)/.exec(await readFile("/proc/self/io", "utf8"))?.[1]);
    const before = await bytesRead();
    await Promise.all(Array.from({ length: 10 }, () => store.head(key("a.txt"))));
    const first = (await bytesRead()) - before;
    await store.head(key("a.txt"));
    expect(first).toBeGreaterThan(2_000_000);
    expect(first).toBeLessThan(3_000_000);
    expect((await bytesRead()) - before - first).toBeLessThan(100_000);
  });
});

describe("a file that is being read", () => {
  const large = "0123456789".repeat(100_000);

  test("keeps its content when another file replaces it, or it is removed", async () => {
    const { store, put } = await testStore();
    await put(key("a"), large);
    const [first, second] = [await store.get(key("a")), await store.get(key("a"))];
    await put(key("a"), "other", true);
    expect(first && (await text(first.content))).toBe(large);
    await store.remove(key("a"));
    expect(second && (await text(second.content))).toBe(large);
  });

  test("fails when it becomes shorter, or is written to", async () => {
    const { store, place, root } = await testStore();
    await place("a", large);
    const [shorter, other] = [await store.get(key("a")), await store.get(key("a"))];
    await writeFile(join(root, "a"), large.replaceAll("0", "1"));
    await expect(other && text(other.content)).rejects.toThrow("written to while it was read");
    await truncate(join(root, "a"), 10);
    await expect(shorter && text(shorter.content)).rejects.toThrow("became shorter while it was read");
  });

  test.runIf(existsSync("/proc/self/fd"))(
    "is closed after every outcome, like all opened files",
    async () => {
      const { store, root, place } = await testStore();
      await place("a", large);
      await place("folder/b");
      await symlink(join(root, "folder"), join(root, "link"));
      const whole = await store.get(key("a"));
      const left = await store.get(key("a"));
      const part = await store.get(key("a"), { start: 5, end: 5 });
      for (const path of ["folder", "link/b", "missing"]) expect(await store.get(key(path))).toBeNull();
      await store.head(key("a"));
      expect(part && (await text(part.content))).toBe("5");
      if (whole !== null) await text(whole.content);
      left?.content.destroy();
      const opened = async () => {
        const all = (await readdir("/proc/self/fd")).map((fd) =>
          readlink(`/proc/self/fd/${fd}`).catch(() => ""),
        );
        return (await Promise.all(all)).filter((path) => path.startsWith(root));
      };
      await vi.waitFor(async () => expect(await opened()).toEqual([]));
    },
  );
});

describe("an entry that is not a regular file", () => {
  test("does not exist for the store: pipes, sockets, folders, hidden files, and names that are not keys", async () => {
    const { root, store, place, list } = await testStore();
    await place("a");
    execFileSync("mkfifo", [join(root, "pipe")]);
    const server = createServer().listen(join(root, "socket"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    await place(".hidden/a");
    await place("e\u0301");
    for (const path of ["pipe", "socket", "é"]) {
      expect(await store.get(key(path))).toBeNull();
      expect(await store.head(key(path))).toBeNull();
      expect(await store.remove(key(path))).toBe(false);
    }
    expect(await list()).toEqual(["a"]);
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

describe("thumbnails", () => {
  test("go all at once, and those of others stay", async () => {
    const { store, put, tree } = await testStore();
    const [one, other] = [key("a/b.jpg"), key("a/c.jpg")];
    for (const picture of [one, other]) {
      await put(picture);
      for (const name of ["small", "large"]) await put(thumbnailKey(picture, `${name}.jpg`));
    }
    await store.removeBelow(thumbnailFolder(one));
    await store.removeBelow(thumbnailFolder(one));
    expect((await tree()).filter((path) => path.includes(".thumbnails/"))).toEqual([
      "a/.thumbnails/c.jpg",
      "a/.thumbnails/c.jpg/large.jpg",
      "a/.thumbnails/c.jpg/small.jpg",
    ]);
    await store.removeBelow(thumbnailFolder(other));
    await store.removeBelow(thumbnailFolder(key("missing/d.jpg")));
    expect(await tree()).toEqual(["a", "a/b.jpg", "a/c.jpg"]);
    expect(await readdir(store.stagingFolder)).toEqual([]);
  });
});

describe("symbolic links", () => {
  test("are followed nowhere below the root", async () => {
    const { store, root, put, place, list } = await testStore();
    const outside = await testFolder();
    await writeFile(join(outside, "secret"), "secret");
    await mkdir(join(outside, "empty"));
    await place("inside/a");
    await symlink(join(outside, "secret"), join(root, "file"));
    await symlink(outside, join(root, "folder"));
    await symlink(join(root, "inside"), join(root, "other"));
    expect(await list()).toEqual(["inside/a"]);
    expect(await list("folder/")).toEqual([]);
    for (const at of ["file", "folder/secret", "other/a"].map(key)) {
      expect(await store.get(at)).toBeNull();
      expect(await store.head(at)).toBeNull();
      expect(await store.remove(at)).toBe(false);
      await expect(put(at)).rejects.toBeInstanceOf(KeyConflict);
    }
    await symlink(outside, join(root, ".thumbnails"));
    await mkdir(join(outside, "inside"));
    await writeFile(join(outside, "inside", "small.png"), "");
    await store.removeBelow(thumbnailFolder(key("inside")));
    expect(await store.get(thumbnailKey(key("inside"), "small.png"))).toBeNull();
    await expect(put(key("folder/empty/a/b"))).rejects.toBeInstanceOf(KeyConflict);
    expect(await readdir(outside)).toEqual(["empty", "inside", "secret"]);
    expect(await readdir(join(outside, "inside"))).toEqual(["small.png"]);
    expect(await readdir(join(outside, "empty"))).toEqual([]);
  });

  test("may lead to the root itself", async () => {
    const folder = await testFolder();
    await mkdir(join(folder, "disk"));
    await symlink(join(folder, "disk"), join(folder, "root"));
    const { store, put, read, list } = await testStore(join(folder, "root"));
    await put(key("a/b"));
    expect(await read(key("a/b"))).toBe("a/b");
    expect(await list()).toEqual(["a/b"]);
    expect(await store.remove(key("a/b"))).toBe(true);
    expect(await readdir(join(folder, "disk"))).toEqual([".uploads"]);
  });

  test("are overwritten themselves, and never their targets", async () => {
    const { root, put, read } = await testStore();
    const outside = join(await testFolder(), "secret");
    await writeFile(outside, "secret");
    await mkdir(root, { recursive: true });
    await symlink(outside, join(root, "a"));
    await put(key("a"), "new", true);
    expect(await read(key("a"))).toBe("new");
    expect(await readFile(outside, "utf8")).toBe("secret");
  });
});
