import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeyConflict } from "../../../../../runtime/storage/stores/file-store.ts";
import { renameIfFree } from "../../../../../runtime/storage/stores/local/place-file.ts";
import { testFolder } from "../../../../support/stores.ts";

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
