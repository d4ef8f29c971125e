import { join } from "node:path";
import { expect, test } from "vitest";
import { answered, codeOf, ifThere, makeFolder } from "#runtime/storage/stores/disk";
import { testFolder } from "../../../support/stores.ts";

test("a disk that does not answer is given up", async () => {
  await expect(answered(new Promise(() => {}), 5)).rejects.toThrow(
    "The disk has not answered within 0.005 s.",
  );
  expect(await answered(Promise.resolve("content"), 5)).toBe("content");
});

test("what leads nowhere is null, and all else fails", async () => {
  const fails = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  for (const code of ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"])
    expect(await ifThere(fails(code))).toBeNull();
  for (const code of ["EACCES", "EIO", "EMFILE", "ESTALE"])
    await expect(ifThere(fails(code))).rejects.toThrow(code);
  await expect(ifThere(Promise.reject(new Error("other")))).rejects.toThrow("other");
  expect(codeOf("no error")).toBeNull();
});

test("folders are made by many at once, and not where none can be", async () => {
  const folder = await testFolder();
  const path = join(folder, "a", "b", "c");
  await Promise.all(Array.from({ length: 8 }, () => makeFolder(path)));
  await makeFolder(path);
  await expect(makeFolder("/dev/null/a/b")).rejects.toThrow("ENOTDIR");
});
