import { createHash } from "node:crypto";
import { promises } from "node:fs";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { KeyConflict } from "#runtime/storage/stores/file-store";
import { renameIfFree } from "#runtime/storage/stores/local/rename-if-free";
import { eventually } from "../../../../support/eventually.ts";
import { replaceOnDisk, withoutHardLinks } from "../../../../support/faulty-disk.ts";
import { fileKey as key, localUnderTest, testFolder } from "../../../../support/stores.ts";

afterEach(() => void vi.useRealTimers());

async function folders() {
  const root = await testFolder();
  const staging = join(root, ".uploads");
  await mkdir(staging);
  const move = async (name: string, content = name) => {
    await writeFile(join(staging, name), content);
    return renameIfFree(staging, join(staging, name), join(root, "a"));
  };
  const content = () => readFile(join(root, "a"), "utf8");
  const claim = join(staging, `claim-${createHash("sha256").update(join(root, "a")).digest("hex")}`);
  return { root, staging, move, content, claim };
}

test("without hard links too, of many at once one wins", async () => {
  const { staging, move, content } = await folders();
  const names = Array.from({ length: 20 }, (_, index) => `${index}`);
  const outcomes = await Promise.allSettled(names.map((name) => move(name)));
  const won = names.filter((_, index) => outcomes[index]?.status === "fulfilled");
  expect(won).toEqual([await content()]);
  expect((await readdir(staging)).sort()).toEqual(names.filter((name) => name !== won[0]).sort());
});

test("what is there stays", async () => {
  const { root, move, content } = await folders();
  await move("first");
  await expect(move("second")).rejects.toBeInstanceOf(KeyConflict);
  expect(await content()).toBe("first");
  expect(await readdir(root)).toEqual([".uploads", "a"]);
});

test("a claim that a killed process left is in nobody's way for long", async () => {
  const { move, content, claim } = await folders();
  await writeFile(claim, "");
  await expect(move("first")).rejects.toMatchObject({ code: "EEXIST" });
  const minutesAgo = Date.now() / 1000 - 120;
  await utimes(claim, minutesAgo, minutesAgo);
  await move("second");
  expect(await content()).toBe("second");
});

test("nor do two take its place at once", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}`);
  for (let round = 0; round < 5; round += 1) {
    const { move, content, claim } = await folders();
    await writeFile(claim, "");
    const minutesAgo = Date.now() / 1000 - 120;
    await utimes(claim, minutesAgo, minutesAgo);
    const outcomes = await Promise.allSettled(names.map((name) => move(name)));
    const won = names.filter((_, index) => outcomes[index]?.status === "fulfilled");
    expect(won).toEqual([await content()]);
  }
});

test("the age of a claim is by the clock of the disk, not by that of the machine", async () => {
  const { move, claim } = await folders();
  await writeFile(claim, "");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  await expect(move("first")).rejects.toMatchObject({ code: "EEXIST" });
});

test("a claim is held until a stuck disk has answered, though nobody waits any more", async () => {
  const { move, content } = await folders();
  let goOn: (() => void) | null = null;
  const { rename } = promises;
  replaceOnDisk({
    async rename(from, to) {
      if (goOn === null)
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      return rename(from, to);
    },
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stuck = move("stuck").catch((error: unknown) => error);
  const release = await vi.waitUntil(() => goOn);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await stuck).toMatchObject({ message: expect.stringContaining("not answered") });
  vi.useRealTimers();
  await expect(move("next")).rejects.toMatchObject({ code: "EEXIST" });
  release();
  await eventually(async () => expect(await content()).toBe("stuck"));
  await eventually(() => expect(move("last")).rejects.toBeInstanceOf(KeyConflict));
});

test.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])(
  "a store on a disk that answers %s to a second name has one winner, and keeps what it replaces",
  async (code) => {
    withoutHardLinks(code);
    const { store, put, read, leftovers } = await localUnderTest();
    const outcomes = await Promise.allSettled(
      ["1", "2", "3", "4"].map((content) => put(key("f/a"), content)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const before = await store.head(key("f/a"));
    const content = await read(key("f/a"));
    const kept = await store.keep(key("f/a"));
    // By that it is known that nobody else has stored another one since.
    expect(kept?.version).toBe(before?.version);
    await put(key("f/a"), "new", true);
    if (kept !== null) await store.restore(kept);
    expect(await read(key("f/a"))).toBe(content);
    expect(await leftovers()).toEqual([]);
  },
);
