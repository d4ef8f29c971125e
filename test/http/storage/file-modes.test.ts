import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filePart, formOf } from "../../support/multipart.ts";
import { pictureFile, pictureFormats } from "../../support/pictures.ts";
import { storageService } from "../../support/storage.ts";

test("the user of the service alone reads files and thumbnails", async () => {
  const service = await storageService();
  for (const format of pictureFormats) {
    const form = formOf(filePart(await pictureFile(format), format), ["thumbnails", "true"]);
    const reply = await service.send({ method: "POST", path: "/storage/upload/image", ...form }, "user");
    expect(reply.status, reply.text).toBe(200);
  }
  const paths = Object.keys(await service.files());
  expect(paths).toHaveLength(2 * pictureFormats.length);
  for (const path of paths) {
    const { mode } = await stat(join(service.root, path));
    expect([path, (mode & 0o777).toString(8)]).toEqual([path, "600"]);
  }
});
