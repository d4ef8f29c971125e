import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { afterFile } from "../../support/after-file.ts";
import { compiled } from "../../support/compiled.ts";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { pictureFile, pictureFormats } from "../../support/pictures.ts";
import { sendRequest } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { tokenOf } from "../../support/service-token.ts";
import { storageService } from "../../support/storage.ts";
import { testFolder } from "../../support/stores.ts";

const program = new URL("storage-process.ts", import.meta.url);
const upload = (origin: string, kind: "file" | "image", parts: readonly Part[]) =>
  sendRequest(origin, { method: "POST", path: `/storage/upload/${kind}`, ...formOf(...parts) });

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

test("only the user of the service can read files and thumbnails", async () => {
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

/** The uid of an unprivileged account, for tests that run as root. */
const unprivileged = 65_534;
const isRoot = process.getuid?.() === 0;

test("what the disk refuses to delete is 500, leaves the original, and can be repeated", async () => {
  const root = await testFolder();
  const thumbnails = join(root, "a/.thumbnails/b.jpg");
  await mkdir(thumbnails, { recursive: true });
  await writeFile(join(root, "a/b.jpg"), "picture");
  await writeFile(join(thumbnails, "small.jpg"), "small");
  if (isRoot)
    // biome-ignore format: many a line
    for (const path of [
      "", "a", "a/b.jpg", "a/.thumbnails", "a/.thumbnails/b.jpg", "a/.thumbnails/b.jpg/small.jpg",
    ])
      await chown(join(root, path), unprivileged, unprivileged);
  const { child, exit, listening } = startServiceProcess(
    program,
    root,
    isRoot ? { RUN_AS: `${unprivileged}` } : {},
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

test("a disk that is full is 500, leaves nothing, and smaller files are stored", async () => {
  const root = await testFolder();
  const text = `ulimit -f 200; exec "$0" "$1" "$2"`;
  const child = spawn("sh", ["-c", text, process.execPath, compiled(program).pathname, root], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] },
  });
  afterFile(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const origin = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
  const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, at) => (at * 7919) % 251));
  for (const path of ["large.bin", "again.bin"])
    expect(outcome(await upload(origin, "file", [["path", path], filePart(bytes)]))).toBe(
      "500 STORAGE_ERROR",
    );
  expect(
    outcome(await upload(origin, "file", [["path", "small.bin"], filePart(bytes.subarray(0, 1000))])),
  ).toBe("200");
  // The picture is small, its thumbnail is not.
  const noise = { type: "gaussian", sigma: 60 } as const;
  const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: "red", noise } })
    .jpeg({ quality: 10 })
    .toBuffer();
  expect(picture.length).toBeLessThan(100_000);
  const gif = await sharp(picture).gif({ colours: 2 }).toBuffer();
  const sizes = JSON.stringify([
    { name: "a", width: 10 },
    { name: "b", width: 900 },
  ]);
  const reply = await upload(origin, "image", [["path", "p"], ["thumbnails", sizes], filePart(gif)]);
  expect([gif.length, outcome(reply)]).toEqual([expect.any(Number), "500 STORAGE_ERROR"]);
  expect(await readdir(root, { recursive: true })).toEqual([".uploads", "small.bin"]);
  child.kill("SIGKILL");
  await once(child, "close");
});

test("a root that cannot be written is 500, and the service goes on", async () => {
  const root = await testFolder();
  await writeFile(join(root, "file"), "");
  const { child, exit, listening } = startServiceProcess(program, join(root, "file", "below"));
  const origin = await listening();
  for (const kind of ["file", "image"] as const)
    expect(outcome(await upload(origin, kind, [filePart(await pictureFile("png", 9, 9), "a.png")]))).toBe(
      "500 STORAGE_ERROR",
    );
  expect((await sendRequest(origin, { method: "GET", path: "/storage/list" })).status).toBe(200);
  child.kill("SIGKILL");
  await exit;
});
