import { describe, expect, test } from "vitest";
import type { StorageLimit } from "#runtime/core/config/storage-settings";
import { PostgresWindow } from "#runtime/modules/rate-limit/index";
import { limited } from "../../support/limited-service.ts";
import { filePart, formOf } from "../../support/multipart.ts";
import { requestOf } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import type { Settings } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import { storageProviders } from "../../support/storage-providers.ts";

describe.each(storageProviders)("on $name", ({ start }) => {
  const by = (per: StorageLimit["per"], maxRequests = 2) => ({ maxRequests, windowSeconds: 60, per });

  /** A service with these limits, with all files of a path, and what it has counted. */
  async function limitedStorage(
    limits: Partial<Record<"url" | "list" | "delete" | "upload", StorageLimit>>,
    rateLimit: Settings["rateLimit"] = {},
  ) {
    const service = await start({ limits }, limited({ rateLimit }));
    const window = new PostgresWindow({
      database: service.pool,
      counting: service.pool,
      log: silent,
      now: null,
    });
    const ask = async (send: string, from = "10.0.0.1", sub = "7") => {
      const headers = { "x-forwarded-for": from };
      return service.send({ ...requestOf(send), headers }, sub === "" ? null : { role: "user", sub });
    };
    const counted = async () =>
      Object.fromEntries((await window.list("", 1000)).map(({ key, count }) => [key, count]));
    return { service, ask, counted };
  }

  test.each([
    ["by default there is no limit and no header", {}, {}],
    ["rate_limit.enabled: false disables these limits, too", { list: by("user", 1) }, { enabled: false }],
  ])("%s", async (_, limits, rateLimit) => {
    const { ask, counted } = await limitedStorage(limits, rateLimit);
    for (let time = 0; time < 5; time++) {
      const reply = await ask("GET /storage/list");
      expect(reply.status).toBe(200);
      expect(reply.headers).not.toHaveProperty("x-ratelimit-limit");
    }
    expect(await counted()).toEqual({});
  });

  describe("what is counted", () => {
    test("each operation by itself, of a user, an address, or all together", async () => {
      const { ask, counted } = await limitedStorage({ url: by("user"), list: by("ip"), delete: by("model") });
      await ask("GET /storage/url?path=a");
      await ask("GET /storage/url?path=a", "10.0.0.2");
      await ask("GET /storage/url?path=a", "10.0.0.1", "8");
      await ask("GET /storage/list");
      await ask("GET /storage/list", "10.0.0.2");
      await ask("DELETE /storage/delete?path=a");
      await ask("DELETE /storage/delete?path=a", "10.0.0.2", "8");
      expect(await counted()).toEqual({
        "storage:url:user:7": 2,
        "storage:url:user:8": 1,
        "storage:list:ip:10.0.0.1": 1,
        "storage:list:ip:10.0.0.2": 1,
        "storage:delete": 2,
      });
    });

    test("counts invalid requests, but none without a credential or of another method", async () => {
      const { ask, counted } = await limitedStorage({ url: by("ip", 9) });
      expect(outcome(await ask("GET /storage/url?nothing=1"))).toBe("400 VALIDATION_ERROR path");
      expect(outcome(await ask("GET /storage/url?path=a"))).toBe("404 NOT_FOUND");
      expect((await ask("HEAD /storage/url?path=a")).status).toBe(404);
      expect(outcome(await ask("GET /storage/url?path=a", "10.0.0.1", ""))).toBe("401 MISSING_TOKEN");
      expect(outcome(await ask("POST /storage/url?path=a"))).toBe("405 HTTP_ERROR");
      expect(await counted()).toEqual({ "storage:url:ip:10.0.0.1": 3 });
    });
  });

  test("beyond the limit it is 429, and nothing happens", async () => {
    const { service, ask } = await limitedStorage({ delete: by("user") });
    await service.place({ "a.txt": "a", "b.txt": "b" });
    const first = await ask("DELETE /storage/delete?path=a.txt");
    expect(first.headers).toMatchObject({ "x-ratelimit-limit": "2", "x-ratelimit-remaining": "1" });
    expect(outcome(await ask("DELETE /storage/delete?path=a.txt"))).toBe("404 NOT_FOUND");
    const refused = await ask("DELETE /storage/delete?path=b.txt");
    expect(outcome(refused)).toBe("429 RATE_LIMIT_EXCEEDED");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.envelope.message).toContain("storage.rate_limit");
    expect(await service.files()).toEqual({ "b.txt": "b" });
  });

  test("uploads of files and of images are counted together, and one too many stores nothing", async () => {
    const { service, counted } = await limitedStorage({ upload: by("user") });
    const upload = (kind: string, path: string) => {
      const sent = formOf(["path", path], filePart("not a picture"));
      return service.send(
        { method: "POST", path: `/storage/upload/${kind}`, ...sent },
        { role: "user", sub: "7" },
      );
    };
    expect(outcome(await upload("file", "a.txt"))).toBe("200");
    expect(outcome(await upload("image", "b.png"))).toBe("400 VALIDATION_ERROR file");
    expect(outcome(await upload("file", "c.txt"))).toBe("429 RATE_LIMIT_EXCEEDED");
    expect(await counted()).toMatchObject({ "storage:upload:user:7": expect.any(Number) });
    expect(await service.files()).toEqual({ "a.txt": "not a picture" });
  });
});
