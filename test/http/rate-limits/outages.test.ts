import { afterAll, describe, expect, test, vi } from "vitest";
import { connectCache } from "../../../runtime/cache/index.ts";
import { loadMigrations } from "../../../runtime/database/index.ts";
import { connectCounters } from "../../../runtime/rate-limit/index.ts";
import { testDatabase } from "../../support/database.ts";
import { sendGraphql } from "../../support/graphql.ts";
import { proxyTo } from "../../support/proxy.ts";
import { hasRedis, testRedis } from "../../support/redis.ts";
import { type Peers, testService } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import { service as fixture } from "../fixture/generated/index.ts";

/** Where requests are counted, and what can happen to it. */
interface Store {
  readonly name: string;
  readonly peers: Peers;
  readonly fail: () => Promise<void>;
  readonly mend: () => Promise<void>;
}

async function onPostgres(): Promise<readonly Store[]> {
  const migrations = await loadMigrations(fixture.migrations);
  const [one, { url, query }] = [await testDatabase(migrations), await testDatabase(migrations)];
  const proxy = await proxyTo(one.url);
  const cut = await connectCounters(proxy.url, silent);
  const locked = await connectCounters(url, silent);
  afterAll(() => Promise.all([cut.close(), locked.close()]));
  return [
    {
      name: "PostgreSQL that is gone",
      peers: { counting: cut },
      fail: async () => proxy.cut(),
      mend: async () => proxy.mend(),
    },
    {
      name: "PostgreSQL that does not answer",
      peers: { counting: locked },
      fail: async () => void (await query("BEGIN; LOCK TABLE kirak_rate_limits IN ACCESS EXCLUSIVE MODE")),
      mend: async () => void (await query("ROLLBACK")),
    },
  ];
}

async function onRedis(): Promise<readonly Store[]> {
  const [killed, paused] = [await testRedis(), await testRedis()];
  const caches = [await connectCache(killed.url, silent), await connectCache(paused.url, silent)] as const;
  afterAll(() => Promise.all(caches.map((cache) => cache.close())));
  return [
    { name: "Redis that is gone", peers: { cache: caches[0] }, fail: killed.kill, mend: killed.start },
    {
      name: "Redis that does not answer",
      peers: { cache: caches[1] },
      fail: async () => paused.pause(),
      mend: async () => paused.resume(),
    },
  ];
}

const stores = [...(await onPostgres()), ...(hasRedis ? await onRedis() : [])];
const rateLimit = { enabled: true, defaultMaxRequests: 3, defaultWindowSeconds: 3600 };
const services = await Promise.all(
  stores.map(async (store) => ({ ...store, service: await testService({ rateLimit }, store.peers) })),
);

describe.each(services)("$name", ({ service, fail, mend }) => {
  const fetch = (path: string) => service.send({ method: "GET", path });
  const statuses = async (path: string, times: number) => {
    const replies = await Promise.all(Array.from({ length: times }, () => fetch(path)));
    return replies.map(({ status }) => status).sort();
  };
  const said = (text: string) => service.log.filter(({ msg }) => String(msg).startsWith(text));
  const down = () => said("rate limits cannot be counted");
  const back = () => said("rate limits are counted again");
  /** Each outage has a path of its own, so that nothing that was counted before is in the way. */
  const outages = [
    { at: 1, before: "/things/fetch", during: "/things/count", after: "/folders/fetch" },
    { at: 2, before: "/hooked/count", during: "/folders/count", after: "/notes/count" },
  ];

  test.each(outages)(
    "outage $at: requests pass without headers and with one warning, and limits hold again after it",
    async ({ at, before, during, after }) => {
      expect(await statuses(before, 4)).toEqual([200, 200, 200, 429]);
      expect([down().length, back().length]).toEqual([at - 1, at - 1]);
      await fail();
      try {
        for (let round = 0; round < 3; round++) {
          expect(await statuses(during, 10)).toEqual(Array(10).fill(200));
          expect((await fetch(before)).status).toBe(200);
          const { headers, text } = await fetch(during);
          expect(text).toContain('"status":"success"');
          expect(Object.keys(headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
          expect((await sendGraphql(service, "{ a: things { id } b: hooked { id } }")).status).toBe(200);
        }
        expect(down()).toHaveLength(at);
        expect(down().at(-1)).toMatchObject({ level: 40, reason: expect.stringMatching(/./) });
      } finally {
        await mend();
      }
      await vi.waitFor(
        async () => expect((await fetch("/stamps/count")).headers).toHaveProperty("x-ratelimit-limit"),
        { timeout: 15_000, interval: 50 },
      );
      expect([down().length, back().length]).toEqual([at, at]);
      expect(await statuses(after, 4)).toEqual([200, 200, 200, 429]);
    },
    30_000,
  );

  test("nothing of callers or secrets is in the warnings", () => {
    expect(JSON.stringify(down())).not.toMatch(/crud:|:ip:|postgres:|redis:/);
  });
});
