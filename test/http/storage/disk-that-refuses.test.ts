import { chmod, chown, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sendRequest } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { testFolder } from "../../support/stores.ts";

const program = new URL("storage-process.ts", import.meta.url);
/** `nobody`, where the tests run as root. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

test("what the disk refuses to delete is 500, leaves the original, and can be repeated", async () => {
  const root = await testFolder();
  const thumbnails = join(root, "a/.thumbnails/b.jpg");
  await mkdir(thumbnails, { recursive: true });
  await writeFile(join(root, "a/b.jpg"), "picture");
  await writeFile(join(thumbnails, "small.jpg"), "small");
  if (isRoot)
    for (const path of [
      "",
      "a",
      "a/b.jpg",
      "a/.thumbnails",
      "a/.thumbnails/b.jpg",
      "a/.thumbnails/b.jpg/small.jpg",
    ])
      await chown(join(root, path), nobody, nobody);
  const { child, exit, listening } = startServiceProcess(
    program,
    root,
    isRoot ? { RUN_AS: `${nobody}` } : {},
  );
  const origin = await listening();
  const path = "/storage/delete?path=a/b.jpg&with_thumbnails=true";
  const send = async () => outcome(await sendRequest(origin, { method: "DELETE", path }));
  await chmod(thumbnails, 0o555);
  expect(await send()).toBe("500 STORAGE_ERROR");
  expect(await readdir(join(root, "a"))).toContain("b.jpg");
  await chmod(thumbnails, 0o755);
  expect(await send()).toBe("200");
  expect(await readdir(root, { recursive: true })).toEqual([".uploads"]);
  child.kill("SIGKILL");
  await exit;
});
