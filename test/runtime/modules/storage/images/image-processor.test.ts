import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { ImageProcessor, rasterFormatOf } from "#runtime/modules/storage/images/image-processor";
import { pictureFile } from "../../../../support/pictures.ts";
import { replaceOnDisk, testFolder } from "../../../../support/stores.ts";

/** A workshop, its folder, and a picture. */
async function workshop(options: { readonly longestSeconds?: number } = {}) {
  const [folder, other] = [await testFolder(), await testFolder()];
  const path = join(other, "picture.jpg");
  await writeFile(path, await pictureFile("jpeg", 2000, 1500));
  const jpeg = rasterFormatOf("image/jpeg");
  if (jpeg === null) throw new Error("a JPEG is a picture");
  const images = new ImageProcessor({ folder, maxPixels: 40_000_000, ...options });
  return {
    made: () => readdir(folder),
    /** Looks at the picture, and makes a thumbnail of it in the time that is left. */
    both: async () => {
      const turn = { user: "7", signal: staying, budget: images.startBudget() };
      await images.inspect(path, jpeg, turn);
      return images.thumbnails(path, jpeg, { ...turn, sizes: [{ name: "small", width: 10 }] });
    },
    thumbnails: (count: number, signal: AbortSignal, user = "7") =>
      images.thumbnails(path, jpeg, {
        sizes: Array.from({ length: count }, (_, at) => ({ name: `t${at}`, width: 1000 + at })),
        user,
        signal,
      }),
  };
}

const staying = new AbortController().signal;
const gone = new Error("the client is gone");

test("a waiting client that disconnects frees its place, and its picture is not begun", async () => {
  const { made, thumbnails } = await workshop();
  const client = new AbortController();
  let isWorking = true;
  const others = thumbnails(8, staying).finally(() => {
    isWorking = false;
  });
  const mine = thumbnails(3, client.signal);
  await expect.poll(made).not.toEqual([]);
  client.abort(gone);
  await expect(mine).rejects.toBe(gone);
  expect(isWorking).toBe(true);
  expect(await others).toHaveLength(8);
  expect(await made()).toHaveLength(8);
  // The places are free again.
  expect(await thumbnails(3, staying)).toHaveLength(3);
});

test("a client that disconnects while its picture is processed leaves nothing behind", async () => {
  const { made, thumbnails } = await workshop();
  // Loads sharp.
  await thumbnails(0, staying);
  // As many as are made at once, and more.
  for (const count of [2, 5]) {
    const client = new AbortController();
    const mine = thumbnails(count, client.signal);
    await setImmediate();
    client.abort(gone);
    await expect(mine).rejects.toBe(gone);
    expect(await made()).toEqual([]);
  }
});

test("a client that has already disconnected is not served", async () => {
  const { made, thumbnails } = await workshop();
  await expect(thumbnails(2, AbortSignal.abort(gone))).rejects.toBe(gone);
  await expect(thumbnails(0, AbortSignal.abort(gone))).rejects.toBe(gone);
  expect(await made()).toEqual([]);
});

test.each(["writeFile", "stat"] as const)(
  "a disk that says nothing to %s fails after 30 seconds",
  async (name) => {
    const { thumbnails } = await workshop();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let isAsked = false;
    replaceOnDisk({
      [name]: () => {
        isAsked = true;
        return new Promise<never>(() => {});
      },
    });
    const outcome = thumbnails(1, staying).catch((error: unknown) => error);
    await vi.waitUntil(() => isAsked, { timeout: 10_000 });
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await outcome).toMatchObject({ code: "STORAGE_ERROR" });
  },
);

test("a picture has so many seconds for all of its thumbnails", async () => {
  const { made, thumbnails } = await workshop({ longestSeconds: 1 });
  await expect(thumbnails(1000, staying)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: { field: "file" },
  });
  expect(await made()).toEqual([]);
});

test("the time in which a picture is inspected counts, too", async () => {
  expect(await (await workshop()).both()).toHaveLength(1);
  const { both, made } = await workshop({ longestSeconds: 0.000_001 });
  await expect(both()).rejects.toMatchObject({ code: "VALIDATION_ERROR", details: { field: "file" } });
  expect(await made()).toEqual([]);
});

test("users take turns: a user behind many pictures of another user waits for few of them", async () => {
  const { thumbnails } = await workshop();
  const ended: string[] = [];
  const picture = (user: string) => thumbnails(1, staying, user).then(() => ended.push(user));
  // Loads sharp.
  await thumbnails(0, staying);
  await Promise.all([...Array.from({ length: 12 }, () => picture("7")), picture("8")]);
  // Without turns it is the last or the last but one.
  expect(ended.indexOf("8")).toBeLessThan(8);
});

test("sixty-four pictures wait, and the next one is 503 with Retry-After", async () => {
  const { made, thumbnails } = await workshop();
  await thumbnails(0, staying);
  const leaving = new AbortController();
  const waiting = Array.from({ length: 66 }, () => thumbnails(1, leaving.signal).catch(() => {}));
  // Each is in the queue once its file is there.
  await expect.poll(async () => (await made()).length).toBe(66);
  await expect(thumbnails(1, staying)).rejects.toMatchObject({
    status: 503,
    headers: { "Retry-After": expect.any(String) },
  });
  leaving.abort(gone);
  await Promise.all(waiting);
});
