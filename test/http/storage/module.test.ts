import { rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { filePart, formOf } from "../../support/multipart.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { storageService } from "../../support/storage.ts";

test("where the module is off there are no routes, not even for who has a credential", async () => {
  const service = await testService({ storage: null });
  const headers = { authorization: `Bearer ${tokenOf("admin")}` };
  for (const [method, path] of [
    ["POST", "upload/file"],
    ["POST", "upload/image"],
    ["GET", "url?path=a"],
    ["GET", "list"],
    ["DELETE", "delete?path=a"],
    ["GET", "files/a?expires=1&signature=0"],
  ] as const)
    expect([path, outcome(await service.send({ method, path: `/storage/${path}`, headers }))]).toEqual([
      path,
      "404 NOT_FOUND",
    ]);
});

test("the service is ready where files can be neither stored nor read", async () => {
  const service = await storageService();
  const ready = async () => (await service.send({ method: "GET", path: "/readyz" })).status;
  await rm(service.root, { recursive: true, force: true });
  expect(await ready()).toBe(200);
  // No folder can be made below a file, not even by root.
  await writeFile(service.root, "no folder");
  const sent = formOf(["path", "a.txt"], filePart("a"));
  const upload = await service.send({ method: "POST", path: "/storage/upload/file", ...sent }, "user");
  expect(outcome(upload)).toBe("500 STORAGE_ERROR");
  expect(await ready()).toBe(200);
});
