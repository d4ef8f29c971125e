import { describe, expect, test } from "vitest";
import { compareBytes } from "#runtime/storage/keys/file-key";
import { thumbnailKey } from "#runtime/storage/keys/stored-key";
import { KeyConflict } from "#runtime/storage/stores/file-store";
import { withoutHardLinks } from "../../../support/faulty-disk.ts";
import { fileKey as key, localUnderTest, type StoreUnderTest, s3UnderTest } from "../../../support/stores.ts";

interface Scenario {
  readonly name: string;
  readonly run: (under: StoreUnderTest) => Promise<void>;
}

const picture = key("a/b.jpg");
const small = thumbnailKey(picture, "small", "jpg");
const large = thumbnailKey(picture, "large", "jpg");
const soon = () => new Date(Date.now() + 60_000);

const putting: readonly Scenario[] = [
  {
    name: "what was put is there, whole, with its size and type",
    async run({ stage, read, store }) {
      const file = await stage("%PDF-1.7\n", "application/pdf");
      await store.put(key("a/b c/é.pdf"), file, { overwrite: false });
      expect(await read(key("a/b c/é.pdf"))).toBe("%PDF-1.7\n");
      expect(await store.head(key("a/b c/é.pdf"))).toMatchObject({ size: 9, mediaType: "application/pdf" });
    },
  },
  {
    name: "a file without content is one",
    async run({ put, read, store, list }) {
      await put(key("empty.txt"), "");
      expect(await read(key("empty.txt"))).toBe("");
      expect(await store.head(key("empty.txt"))).toMatchObject({ size: 0 });
      expect(await list()).toEqual(["empty.txt"]);
    },
  },
  {
    name: "a key that is taken is a conflict, and nothing changes",
    async run({ put, read, leftovers }) {
      await put(key("a.txt"), "first");
      await expect(put(key("a.txt"), "second")).rejects.toBeInstanceOf(KeyConflict);
      expect(await read(key("a.txt"))).toBe("first");
      expect(await leftovers()).toEqual([]);
    },
  },
  {
    name: "unless it may be overwritten; other bytes have another ETag, and it is strong",
    async run({ put, read, store }) {
      await put(key("a.txt"), "first");
      const before = await store.head(key("a.txt"));
      await put(key("a.txt"), "other", true);
      const after = await store.head(key("a.txt"));
      expect(await read(key("a.txt"))).toBe("other");
      expect(before?.etag).toMatch(/^"[^"]+"$/);
      expect(after?.etag).toMatch(/^"[^"]+"$/);
      expect(after?.etag).not.toBe(before?.etag);
    },
  },
  {
    name: "of many at once one wins",
    async run({ put, read, leftovers }) {
      const contents = Array.from({ length: 12 }, (_, index) => `${index}`.repeat(20_000));
      const outcomes = await Promise.allSettled(contents.map((content) => put(key("f/a"), content)));
      const lost = outcomes.filter((outcome) => outcome.status === "rejected");
      expect(lost.map(({ reason }) => reason instanceof KeyConflict)).toEqual(Array(11).fill(true));
      const won = contents.filter((_, index) => outcomes[index]?.status === "fulfilled");
      expect(won).toEqual([await read(key("f/a"))]);
      expect(await leftovers()).toEqual([]);
    },
  },
  {
    name: "of many at once that may overwrite all succeed, and one stays, whole",
    async run({ put, read }) {
      const contents = Array.from({ length: 12 }, (_, index) => `${index}`.repeat(20_000));
      await Promise.all(contents.map((content) => put(key("f/a"), content, true)));
      expect(contents).toContain(await read(key("f/a")));
    },
  },
];

const reading: readonly Scenario[] = [
  {
    name: "what is not there is null, and was not there to be removed",
    async run({ store, read }) {
      expect(await store.head(key("a"))).toBeNull();
      expect(await read(key("a"))).toBeNull();
      expect(await read(key("a"), { start: 0, end: 0 })).toBeNull();
      expect(await store.remove(key("a"))).toBe(false);
    },
  },
  {
    name: "a part is that part, with the size of all",
    async run({ put, store, read }) {
      await put(key("a"), "0123456789");
      expect(await read(key("a"), { start: 0, end: 0 })).toBe("0");
      expect(await read(key("a"), { start: 3, end: 9 })).toBe("3456789");
      const part = await store.get(key("a"), { start: 3, end: 5 });
      part?.content.destroy();
      expect(part).toMatchObject({ ...(await store.head(key("a"))) });
    },
  },
  {
    name: "what was removed is gone, once",
    async run({ put, store, read, list }) {
      await put(key("f/a"));
      await put(key("f/b"));
      expect(await store.remove(key("f/a"))).toBe(true);
      expect(await store.remove(key("f/a"))).toBe(false);
      expect(await read(key("f/a"))).toBeNull();
      expect(await list()).toEqual(["f/b"]);
      await put(key("f/a"), "again");
      expect(await read(key("f/a"))).toBe("again");
    },
  },
  {
    name: "a file that came by another way is one like any other",
    async run({ place, read, list, store }) {
      await place("by/hand.txt", "hand");
      expect(await read(key("by/hand.txt"))).toBe("hand");
      expect(await list()).toEqual(["by/hand.txt"]);
      expect(await store.remove(key("by/hand.txt"))).toBe(true);
    },
  },
  {
    name: "a link can be signed whether there is such a file or not",
    async run({ store }) {
      expect(await store.sign(key("a b/é"), 60)).toMatch(/\/a%20b\/%C3%A9\?/);
      expect(await store.sign(small, 604_800)).toMatch(/\/a\/\.thumbnails\/b\.jpg\/small\.jpg\?/);
    },
  },
];

/** In the order of their bytes, which differs from that of UTF-16 in the last two. */
const ordered = ["B", "a", "a b", "a-b", "a.b", "a/b", "a/b-c", "a/c", "a0", "ab", "é", "ﬁ", "𝒳", "𝒳/a"].map(
  key,
);

const listing: readonly Scenario[] = [
  {
    name: "keys stand in the order of their UTF-8 bytes",
    async run({ place, list }) {
      // On a disk a key is a file or a folder.
      const names = ordered.filter((name) => name !== "a" && name !== "a/b" && name !== "𝒳");
      for (const name of names.toReversed()) await place(name);
      expect(await list()).toEqual(names);
      expect(names).toEqual(names.toSorted(compareBytes));
    },
  },
  {
    name: "of a prefix, which may be empty and end anywhere",
    async run({ place, list }) {
      for (const name of ["a-b", "a/b", "a/c/d", "ab", "b"]) await place(name);
      expect(await list("a")).toEqual(["a-b", "a/b", "a/c/d", "ab"]);
      expect(await list("a/")).toEqual(["a/b", "a/c/d"]);
      expect(await list("a/c")).toEqual(["a/c/d"]);
      expect(await list("ab")).toEqual(["ab"]);
      expect(await list("c")).toEqual([]);
    },
  },
  {
    name: "every page but the last is full, after each key, whether it is there or not",
    async run({ place, list }) {
      const names = ["a-b", "a.b", "a/b", "a/c", "a0", "ﬁ", "𝒳"];
      for (const name of names) await place(name);
      for (const limit of [1, 2, 3, 6, 7, 8]) {
        const seen: string[] = [];
        for (let page = await list("", "", limit); ; page = await list("", seen.at(-1), limit)) {
          seen.push(...page.filter((name) => name !== "…"));
          if (!page.includes("…")) break;
          expect(page).toHaveLength(limit + 1);
        }
        expect(seen).toEqual(names);
      }
      expect(await list("", "a/bb", 2)).toEqual(["a/c", "a0", "…"]);
      expect(await list("", "𝒳")).toEqual([]);
      expect(await list("a/", "Z", 1)).toEqual(["a/b", "…"]);
      expect(await list("a/", "a-b")).toEqual(["a/b", "a/c"]);
      expect(await list("a/", "b")).toEqual([]);
    },
  },
  {
    name: "thumbnails, hidden folders and what has no key are no files, and cost no place on a page",
    async run({ put, place, list }) {
      await put(picture);
      for (let index = 0; index < 30; index += 1) await put(thumbnailKey(picture, `size-${index}`, "jpg"));
      // biome-ignore format: many on a line
      const strange = [
        ".hidden/x", "a/.hidden", "a/.x/y/z", "co:lon", "tab\tname", "cafe\u0301", "a/sub:folder/x",
      ];
      for (const path of strange) await place(path);
      await place("a/c");
      await place("z");
      expect(await list()).toEqual(["a/b.jpg", "a/c", "z"]);
      expect(await list("", "", 1)).toEqual(["a/b.jpg", "…"]);
      expect(await list("", "", 2)).toEqual(["a/b.jpg", "a/c", "…"]);
      expect(await list("", "", 3)).toEqual(["a/b.jpg", "a/c", "z"]);
      expect(await list("a/", "a/b.jpg", 1)).toEqual(["a/c"]);
    },
  },
];

const thumbnailsAndPurge: readonly Scenario[] = [
  {
    name: "thumbnails are files beside their picture, and go together",
    async run({ put, read, store, list }) {
      await put(picture);
      await put(small, "small");
      await put(large, "large");
      await put(thumbnailKey(key("a/b.jpg2"), "small", "jpg"), "of another");
      expect(await read(small)).toBe("small");
      expect(await store.head(large)).toMatchObject({ size: 5 });
      await store.removeThumbnails(picture);
      expect([await read(small), await read(large)]).toEqual([null, null]);
      expect(await read(thumbnailKey(key("a/b.jpg2"), "small", "jpg"))).toBe("of another");
      expect(await list()).toEqual(["a/b.jpg"]);
      await store.removeThumbnails(picture);
    },
  },
  {
    name: "a version is known before it is stored, and only a file of that version is removed",
    async run({ stage, store, read }) {
      const [first, second] = [await stage("first"), await stage("second")];
      const versions = [await store.versionOf(first), await store.versionOf(second)];
      await store.put(picture, first, { overwrite: false });
      expect((await store.head(picture))?.version).toBe(versions[0]);
      await store.put(picture, second, { overwrite: true });
      expect(await store.remove(picture, versions[0])).toBe(false);
      expect(await read(picture)).toBe("second");
      expect(await store.remove(picture, versions[1])).toBe(true);
      expect(await read(picture)).toBeNull();
    },
  },
  {
    name: "the purge removes what was left behind before a moment, and no file",
    async run({ put, read, stage, store, leftovers }) {
      await put(picture);
      await put(small);
      await stage("half an upload");
      expect(await store.purge(new Date(Date.now() - 60_000))).toBe(0);
      expect(await leftovers()).not.toEqual([]);
      expect(await store.purge(soon())).toBeGreaterThan(0);
      expect(await leftovers()).toEqual([]);
      expect([await read(picture), await read(small)]).toEqual([picture, small]);
      expect(await store.purge(soon())).toBe(0);
    },
  },
];

function localWithoutHardLinks(): Promise<StoreUnderTest> {
  withoutHardLinks();
  return localUnderTest();
}

describe.each([
  { provider: "local", make: () => localUnderTest() },
  { provider: "local, without hard links", make: localWithoutHardLinks },
  { provider: "s3", make: () => s3UnderTest() },
])("$provider", ({ make }) => {
  describe.each([
    { what: "putting", scenarios: putting },
    { what: "reading", scenarios: reading },
    { what: "listing", scenarios: listing },
    { what: "thumbnails, versions, the purge", scenarios: thumbnailsAndPurge },
  ])("$what", ({ scenarios }) => {
    test.each(scenarios)("$name", async ({ run }) => run(await make()));
  });
});
