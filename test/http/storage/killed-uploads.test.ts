import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { afterFile } from "../../support/after-file.ts";
import { compiled } from "../../support/compiled.ts";
import { eventually } from "../../support/eventually.ts";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { pictureFile } from "../../support/pictures.ts";
import { type Reply, sendRequest } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { startServiceProcess } from "../../support/service-process.ts";

const root = mkdtempSync(join(tmpdir(), "kirak-killed-"));
afterFile(() => rmSync(root, { recursive: true, force: true }));
const program = new URL("storage-process.ts", import.meta.url);

beforeEach(() => rm(root, { recursive: true, force: true }));

const upload = (origin: string, kind: "file" | "image", parts: readonly Part[]): Promise<Reply> =>
  sendRequest(origin, { method: "POST", path: `/storage/upload/${kind}`, ...formOf(...parts) });

/** What can be seen of the files: paths. */
async function visible(): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith(".uploads/"))
    .sort();
}

const underWay = () => readdir(join(root, ".uploads")).catch(() => []);

test("a process that is killed in the middle of an upload leaves nothing that is visible", async () => {
  const { child, exit, listening } = startServiceProcess(program, root);
  const origin = await listening();
  const { headers, body } = formOf(["path", "a.bin"], filePart(Buffer.alloc(20_000_000, 1)));
  const { hostname, port } = new URL(origin);
  const outgoing = request({ hostname, port, method: "POST", path: "/storage/upload/file", headers });
  outgoing.on("error", () => {}).write(body.subarray(0, 10_000_000));
  await expect.poll(underWay).toHaveLength(1);
  child.kill("SIGKILL");
  await exit;
  expect(await visible()).toEqual([]);
});

/** When a process is killed: as soon as this holds, by what is on the disk and how many uploads were answered. */
const moments: readonly ((answered: number) => boolean | Promise<boolean>)[] = [
  () => true,
  async () => (await underWay()).length > 0,
  async () => (await underWay()).length > 6,
  async () => (await visible()).length > 0,
  async () => (await visible()).length > 1,
  (answered) => answered > 3,
];

test("at any moment, a picture is there whole or not at all, and no thumbnail without it", {
  timeout: 120_000,
}, async () => {
  const contents = await Promise.all(
    ["jpeg", "png"].map((format) => pictureFile(format === "png" ? "png" : "jpeg", 400, 300)),
  );
  const seen = new Set<string>();
  for (let at = 0; at < 2 * moments.length; at++) {
    const { child, exit, listening } = startServiceProcess(program, root);
    const origin = await listening();
    let answered = 0;
    const uploads = contents.flatMap((content) =>
      [0, 1, 2].map(async () => {
        await upload(origin, "image", [
          ["path", "a.img"],
          ["overwrite", "true"],
          ["thumbnails", "true"],
          filePart(content),
        ]);
        answered++;
      }),
    );
    // The first takes longest: sharp is loaded with it.
    if (at % 2 === 1) await Promise.any(uploads);
    const isNow = moments[at >> 1] ?? (() => true);
    // What is over quickly may be missed.
    await eventually(async () => expect(answered === uploads.length || (await isNow(answered))).toBe(true));
    child.kill("SIGKILL");
    await Promise.allSettled([...uploads, exit]);
    const paths = await visible();
    seen.add(`${paths.length}`);
    if (paths.length === 0) continue;
    const original = await readFile(join(root, "a.img"));
    const which = contents.findIndex((content) => content.equals(original));
    expect(which, "the original is whole").toBeGreaterThanOrEqual(0);
    for (const path of paths.filter((path) => path !== "a.img")) {
      const { format } = await sharp(await readFile(join(root, path)), { failOn: "warning" }).metadata();
      expect(format, "a thumbnail of the picture that is there").toBe(["jpeg", "png"][which]);
      await sharp(await readFile(join(root, path)), { failOn: "warning" }).stats();
    }
  }
  expect(seen.size).toBeGreaterThan(1);
});

test("a disk that is full is 500, leaves nothing, and smaller files are stored", async () => {
  const text = `ulimit -f 200; exec "$0" "$1" "$2"`;
  const child = spawn("sh", ["-c", text, process.execPath, compiled(program).pathname, root], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] },
  });
  afterFile(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const origin = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
  const noise = Buffer.from(Array.from({ length: 600_000 }, (_, at) => (at * 7919) % 251));
  for (const path of ["large.bin", "again.bin"])
    expect(outcome(await upload(origin, "file", [["path", path], filePart(noise)]))).toBe(
      "500 STORAGE_ERROR",
    );
  expect(
    outcome(await upload(origin, "file", [["path", "small.bin"], filePart(noise.subarray(0, 1000))])),
  ).toBe("200");
  // The picture is small, its thumbnail is not.
  const picture = await sharp({
    create: {
      width: 900,
      height: 900,
      channels: 3,
      background: "red",
      noise: { type: "gaussian", sigma: 60 },
    },
  })
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
  expect(await visible()).toEqual(["small.bin"]);
  expect(await readdir(join(root, ".uploads"))).toEqual([]);
  child.kill("SIGKILL");
  await once(child, "close");
});

test("a root that cannot be written is 500, and the service goes on", async () => {
  await mkdir(root, { recursive: true });
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
