import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFileKey, isThumbnailKey } from "#runtime/modules/storage/keys/file-key";
import { localUnderTest, testFolder } from "../../../../../support/stores.ts";

/** Names whose order among files and folders is easy to get wrong, and some that are not keys. */
const name = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom("a", "a b", "a-", "a.", "a.b", "a0", "aa", "b", "é", "\u{20000}", "ﬀ"),
  },
  { weight: 2, arbitrary: fc.constantFrom(".a", ".thumbnails", "e\u0301", "a+", "a\nb", "\uff71") },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-c]{1,3}$/) },
);
const thumbnail = fc
  .tuple(fc.array(name, { maxLength: 2 }), name)
  .map(([folders, file]) => [...folders, ".thumbnails", file, "a.b"].join("/"));
const path = fc.oneof(
  { weight: 3, arbitrary: fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/")) },
  { weight: 1, arbitrary: thumbnail },
);

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Writes the files whose paths do not conflict. */
async function writeFiles(root: string, paths: readonly string[]): Promise<string[]> {
  await rm(root, { recursive: true, force: true });
  const written: string[] = [];
  for (const each of paths) {
    const target = join(root, each);
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, "", { flag: "wx" });
      written.push(each);
    } catch {
      // Something else is there.
    }
  }
  return written.sort(byBytes);
}

test("every query returns the pages of a plain sort of all keys", async () => {
  const root = join(await testFolder(), "root");
  const { store } = await localUnderTest(root);
  // biome-ignore format: many a line
  const asked = fc.record({
    paths: fc.array(path, { maxLength: 40 }),
    prefix: fc.oneof(fc.constant(""), path, path.map((text) => `${text}/`), fc.constantFrom("a", "a.", "b/a", "é/")),
    after: fc.oneof(fc.constant(""), path, path.map((text) => `${text}/`), fc.constant("a/")),
    limit: fc.integer({ min: 1, max: 7 }),
    withThumbnails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ paths, prefix, after, limit, withThumbnails }) => {
      const all = await writeFiles(root, paths);
      const isListed = (key: string) => isFileKey(key) || (withThumbnails && isThumbnailKey(key));
      const expected = all.filter(
        (key) => isListed(key) && key.startsWith(prefix) && byBytes(key, after) > 0,
      );
      const found: string[] = [];
      for (let [from, more] = [after, true]; more; ) {
        const page = await store.list({ prefix, after: from, limit, withThumbnails });
        const keys = page.files.map(({ key }) => key);
        expect(keys).toEqual(expected.slice(found.length, found.length + limit));
        found.push(...keys);
        expect(page.more).toBe(found.length < expected.length);
        [from, more] = [keys.at(-1) ?? "", page.more];
      }
      expect(found).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test("a folder of thousands is listed whole, and pages of it are full", async () => {
  const { root, store } = await localUnderTest();
  await mkdir(join(root, "f"), { recursive: true });
  const names = Array.from({ length: 9500 }, (_, index) => `${(index * 7919) % 9500}`.padStart(5, "0"));
  for (const each of names)
    if (Number(each) % 100 === 0) {
      await mkdir(join(root, "f", each));
      // An empty folder, or one with a file.
      if (Number(each) % 200 === 0) await writeFile(join(root, "f", each, "a"), "");
    } else await writeFile(join(root, "f", each), "");
  const expected = names
    .filter((each) => Number(each) % 100 !== 0 || Number(each) % 200 === 0)
    .map((each) => `f/${each}${Number(each) % 200 === 0 ? "/a" : ""}`)
    .sort(byBytes);
  const found: string[] = [];
  for (let more = true; more; ) {
    const page = await store.list({ prefix: "", after: found.at(-1) ?? "", limit: 1000 });
    found.push(...page.files.map(({ key }) => key));
    expect(page.files.length === 1000 || !page.more).toBe(true);
    more = page.more;
  }
  expect(found).toEqual(expected);
  expect((await store.list({ prefix: "f/0001", after: "f/00012", limit: 3 })).files).toEqual(
    ["f/00013", "f/00014", "f/00015"].map((key) => ({ key, size: 0 })),
  );
});

describe("folders that nothing asked for can be in are not read", async () => {
  /** Folders that were read since they were made to look unread. */
  async function foldersRead(root: string, list: () => Promise<unknown>): Promise<string[]> {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const folders = entries
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name));
    const [then, later] = [new Date(1_000_000_000_000), new Date(1_100_000_000_000)];
    // A look at a folder that changed after the last one is noted, but where the file system notes none.
    for (const folder of folders) await utimes(folder, then, later);
    await list();
    const states = await Promise.all(folders.map((folder) => stat(folder)));
    return folders
      .filter((_, index) => states[index]?.atimeMs !== then.getTime())
      .map((folder) => folder.slice(root.length + 1))
      .sort();
  }

  test.each([
    ["", "", ["a", "a/b", "a/c", "d", "d/e"]],
    ["a/", "", ["a", "a/b", "a/c"]],
    ["a/b", "", ["a", "a/b"]],
    ["a/b/", "", ["a/b"]],
    ["a/b/x", "", ["a/b"]],
    ["d/e/1", "", ["d/e"]],
    ["", "a/b/1", ["a", "a/b", "a/c", "d", "d/e"]],
    ["", "a/c/1", ["a", "a/c", "d", "d/e"]],
    ["", "a0", ["d", "d/e"]],
    ["", "e", []],
    ["x/", "", []],
  ])("prefix %j, after %j", async (prefix, after, expected) => {
    const { root, store, place } = await localUnderTest();
    for (const each of ["a/b/1", "a/c/1", "d/e/1", ".hidden/f/1", "a/.hidden/1"]) await place(each);
    const notes = (await foldersRead(root, () => readdir(join(root, "a")))).length > 0;
    const read = await foldersRead(root, () => store.list({ prefix, after, limit: 1000 }));
    if (notes) expect(read).toEqual(expected);
  });

  test("nor are other hidden folders than those of thumbnails", async () => {
    const { root, store, place } = await localUnderTest();
    for (const each of ["a/.thumbnails/b/c.d", "a/.thumbnails/b/c/d", ".hidden/f/1", "a/.hidden/1"])
      await place(each);
    const notes = (await foldersRead(root, () => readdir(join(root, "a")))).length > 0;
    const all = { prefix: "", after: "", limit: 1000, withThumbnails: true };
    const read = await foldersRead(root, () => store.list(all));
    if (notes) expect(read).toEqual(["a", "a/.thumbnails", "a/.thumbnails/b"]);
  });

  test("nor those behind a page that is full", async () => {
    const { root, store, place } = await localUnderTest();
    for (const each of ["a/1", "b/1", "c/1", "d/1"]) await place(each);
    const notes = (await foldersRead(root, () => readdir(join(root, "a")))).length > 0;
    const read = await foldersRead(root, () => store.list({ prefix: "", after: "", limit: 1 }));
    if (notes) expect(read).toEqual(["a", "b"]);
  });
});
