import { once } from "node:events";
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { requestHead } from "../../support/application.ts";
import { eventually } from "../../support/eventually.ts";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { pictureFile } from "../../support/pictures.ts";
import { tokenOf } from "../../support/service-token.ts";
import { storageService } from "../../support/storage.ts";

const service = await storageService();

/** Uploads a picture on a connection of its own. */
async function upload(...parts: readonly Part[]) {
  const { headers, body } = formOf(...parts);
  const { hostname, port } = new URL(service.origin);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const token = `Authorization: Bearer ${tokenOf("user")}`;
  const type = `Content-Type: ${headers["content-type"]}`;
  socket.write(requestHead("POST /storage/upload/image", token, type, `Content-Length: ${body.length}`));
  socket.write(body);
  return socket;
}

/** How many uploads of this file have come in whole and are not stored yet. */
async function waiting({ length }: Buffer): Promise<number> {
  const sizes = (await service.leftovers()).map(async (name) => {
    const staged = await stat(join(service.root, ".uploads", name)).catch(() => null);
    return staged?.size;
  });
  return (await Promise.all(sizes)).filter((size) => size === length).length;
}

test("a picture whose client has left before its turn is dropped, and others are served", async () => {
  const sizes = Array.from({ length: 10 }, (_, at) => ({ name: `t${at}`, width: 1500 }));
  const thumbnails = ["thumbnails", JSON.stringify(sizes)] as const;
  const content = await pictureFile("jpeg", 3000, 2000);
  const staying = await upload(["path", "staying.jpg"], thumbnails, filePart(content));
  const answer = once(staying, "data");
  await expect.poll(() => waiting(content)).toBe(1);
  const leaving = await upload(["path", "left.jpg"], thumbnails, filePart(content));
  await expect.poll(() => waiting(content)).toBe(2);
  leaving.destroy();
  expect(String(await answer)).toMatch(/^HTTP\/1.1 200 /);
  await eventually(async () => expect(await service.leftovers()).toEqual([]));
  expect(Object.keys(await service.files()).filter((path) => path.includes("left"))).toEqual([]);
});
