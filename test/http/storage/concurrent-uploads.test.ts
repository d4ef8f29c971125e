import { once } from "node:events";
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { requestHead } from "../../support/application.ts";
import { eventually } from "../../support/eventually.ts";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { pictureFile } from "../../support/pictures.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { type StorageService, storageService } from "../../support/storage.ts";
import { storageProviders } from "../../support/storage-providers.ts";

const settings = {
  thumbnails: [
    { name: "s", width: 20 },
    { name: "t", height: 30 },
  ],
};

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start(settings);
  /** Another process in front of the same files. */
  const second = await testService({ storage: service.config.storage });

  afterEach(async () => {
    expect(await service.leftovers()).toEqual([]);
  });

  const upload = (kind: "file" | "image", parts: readonly Part[], to: TestService = service) =>
    to.send({ method: "POST", path: `/storage/upload/${kind}`, ...formOf(...parts) }, "user");

  const twenty = Array.from({ length: 20 }, (_, at) => at);
  const contentOf = (at: number) => `${at} `.repeat(10_000 + at);

  describe("twenty uploads to one key", () => {
    test.each([
      ["of one process", [service]],
      ["of two", [service, second]],
    ])("%s: one wins", async (_, services) => {
      await service.place({});
      const replies = await Promise.all(
        twenty.map((at) =>
          upload("file", [["path", "a/b/c"], filePart(contentOf(at))], services[at % services.length]),
        ),
      );
      const outcomes = replies.map(outcome);
      const winner = outcomes.indexOf("200");
      expect(outcomes.filter((each) => each !== "200")).toEqual(
        Array.from({ length: 19 }, () => "409 HTTP_ERROR"),
      );
      expect(await service.files()).toEqual({ "a/b/c": contentOf(winner) });
    });

    test("that overwrite all succeed, and one stays whole", async () => {
      await service.place({});
      const replies = await Promise.all(
        twenty.map((at) => upload("file", [["path", "a"], ["overwrite", "true"], filePart(contentOf(at))])),
      );
      expect(replies.map(outcome)).toEqual(twenty.map(() => "200"));
      const { a } = await service.files();
      expect(twenty.map(contentOf)).toContain(a);
    });

    test("of pictures that overwrite: the one that stays has its own thumbnails", async () => {
      await service.place({});
      const pictures = await Promise.all(
        twenty.map((at) =>
          sharp({ create: { width: 40, height: 60, channels: 3, background: { r: at * 12, g: 0, b: 0 } } })
            .png()
            .toBuffer(),
        ),
      );
      const replies = await Promise.all(
        pictures.map((content) =>
          upload("image", [["path", "a"], ["overwrite", "true"], ["thumbnails", "true"], filePart(content)]),
        ),
      );
      expect(replies.map(outcome)).toEqual(twenty.map(() => "200"));
      expect(Object.keys(await service.files())).toEqual([".thumbnails/a/s.png", ".thumbnails/a/t.png", "a"]);
      const red = async (path: string) =>
        Math.round((await sharp(await service.read(path)).stats()).channels[0]?.mean ?? -1);
      const original = await red("a");
      for (const path of [".thumbnails/a/s.png", ".thumbnails/a/t.png"])
        expect(await red(path)).toBe(original);
    });

    test("of pictures that do not: one wins, with its thumbnails", async () => {
      await service.place({});
      const content = await sharp({ create: { width: 40, height: 60, channels: 3, background: "red" } })
        .png()
        .toBuffer();
      const replies = await Promise.all(
        twenty.map((at) =>
          upload(
            "image",
            [["path", "a"], ["thumbnails", "true"], filePart(content)],
            at % 2 === 0 ? service : second,
          ),
        ),
      );
      expect(replies.map(outcome).sort().slice(0, 2)).toEqual(["200", "409 HTTP_ERROR"]);
      expect(Object.keys(await service.files())).toEqual([".thumbnails/a/s.png", ".thumbnails/a/t.png", "a"]);
    });
  });

  test("many pictures at once are worked on by turns, and others are served meanwhile", async () => {
    await service.place({});
    const noise = { type: "gaussian", sigma: 50 } as const;
    const content = await sharp({
      create: { width: 1500, height: 1500, channels: 3, background: "red", noise },
    })
      .jpeg()
      .toBuffer();
    const sizes = JSON.stringify([500, 400, 300].map((width) => ({ name: `w${width}`, width })));
    const uploads = Promise.all(
      twenty
        .slice(0, 6)
        .map((at) => upload("image", [["path", `p/${at}`], ["thumbnails", sizes], filePart(content)])),
    );
    let isOver = false;
    const over = uploads.finally(() => {
      isOver = true;
    });
    const waits: number[] = [];
    while (!isOver) {
      const from = performance.now();
      expect((await service.send({ method: "GET", path: "/healthz" })).status).toBe(200);
      waits.push(performance.now() - from);
    }
    expect((await over).map(outcome)).toEqual(twenty.slice(0, 6).map(() => "200"));
    expect(waits.length).toBeGreaterThan(5);
    expect(Object.keys(await service.files())).toHaveLength(24);
  });
});

/** Uploads a picture on a connection of its own. */
async function uploadOn(service: StorageService, ...parts: readonly Part[]) {
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
async function waitingFor(service: StorageService, { length }: Buffer): Promise<number> {
  const sizes = (await service.leftovers()).map(async (name) => {
    const staged = await stat(join(service.root, ".uploads", name)).catch(() => null);
    return staged?.size;
  });
  return (await Promise.all(sizes)).filter((size) => size === length).length;
}

test("a picture whose client has left before its turn is dropped, and others are served", async () => {
  const service = await storageService();
  const sizes = Array.from({ length: 10 }, (_, at) => ({ name: `t${at}`, width: 1500 }));
  const thumbnails = ["thumbnails", JSON.stringify(sizes)] as const;
  const content = await pictureFile("jpeg", 3000, 2000);
  const staying = await uploadOn(service, ["path", "staying.jpg"], thumbnails, filePart(content));
  const answer = once(staying, "data");
  await expect.poll(() => waitingFor(service, content)).toBe(1);
  const leaving = await uploadOn(service, ["path", "left.jpg"], thumbnails, filePart(content));
  await expect.poll(() => waitingFor(service, content)).toBe(2);
  leaving.destroy();
  expect(String(await answer)).toMatch(/^HTTP\/1.1 200 /);
  await eventually(async () => expect(await service.leftovers()).toEqual([]));
  expect(Object.keys(await service.files()).filter((path) => path.includes("left"))).toEqual([]);
});
