import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { thumbnailFolder, thumbnailKey } from "#runtime/modules/storage/keys/file-key";
import { fileKey as key, localUnderTest, testFolder } from "../../../../../support/stores.ts";

/** Mounts a file system of its own there until the end of the test. */
async function mounted(...options: string[]): Promise<string> {
  const folder = await testFolder();
  execFileSync("mount", ["-t", "tmpfs", ...options, "tmpfs", folder], { stdio: "ignore" });
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return folder;
}

/** The account of the tests can usually not mount one. */
function mayMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

describe.runIf(mayMount())("a disk", () => {
  test("that cannot be written to is read, and rejects all else", async () => {
    const folder = await mounted("-o", "size=1m");
    const { store, stage, place, read, list, tree } = await localUnderTest(folder);
    await place("a/b");
    const staged = await stage("content");
    execFileSync("mount", ["-o", "remount,ro", folder]);
    for (const overwrite of [false, true])
      for (const at of ["c", "a/c", "c/d/e"])
        await expect(store.put(key(at), staged, { overwrite })).rejects.toThrow("EROFS");
    await expect(store.remove(key("a/b"))).rejects.toThrow("EROFS");
    expect(await read(key("a/b"))).toBe("a/b");
    expect(await list()).toEqual(["a/b"]);
    expect(await tree()).toEqual(["a", "a/b"]);
  });

  test("that cannot even hold the root rejects", async () => {
    const folder = await mounted("-o", "ro");
    const { store, list } = await localUnderTest(join(folder, "deep", "root"));
    const staged = { path: join(folder, "none"), size: 1, mediaType: "text/plain" };
    await expect(store.put(key("a"), staged, { overwrite: false })).rejects.toThrow("EROFS");
    await expect(store.removeBelow(thumbnailFolder(key("a")))).resolves.toBeUndefined();
    expect(await list()).toEqual([]);
  });

  test("that is full keeps its files, and leaves no folder", async () => {
    // Each file, folder and name takes one of these.
    const folder = await mounted("-o", "nr_inodes=7");
    const { store, stage, put, list, tree } = await localUnderTest(folder);
    await put(key("a/b"));
    const staged = await stage("content");
    await expect(store.put(key("c/d/e/f/g"), staged, { overwrite: false })).rejects.toThrow("ENOSPC");
    expect(await tree()).toEqual(["a", "a/b"]);
    await rm(staged.path);
    await put(key("c"));
    expect(await list()).toEqual(["a/b", "c"]);
  });

  test("that is mounted below the root cannot be the target of a rename", async () => {
    const { root, store, stage, put, read, place } = await localUnderTest();
    await place("other/a");
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", join(root, "other")]);
    onTestFinished(() => void execFileSync("umount", ["-l", join(root, "other")]));
    await place("other/b");
    const staged = await stage("content");
    await expect(store.put(key("other/c"), staged, { overwrite: false })).rejects.toThrow("EXDEV");
    expect(await read(key("other/b"))).toBe("other/b");
    await put(thumbnailKey(key("d"), "small.png"));
  });
});
