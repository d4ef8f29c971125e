import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { expectDiscreet, expectEnvelope } from "./support/envelope.ts";
import { type Garbage, garbage } from "./support/garbage.ts";
import { runs } from "./support/runs.ts";
import { startWorld, type World } from "./support/world.ts";

describe("random garbage at every route", () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
    await world.db.query(`
      insert into folders (owner_id) values (1), (2);
      insert into papers (owner_id, title, code) select n % 3, 'b' || n, n from generate_series(1, 20) as n;
      insert into things (name, count, ratio, at, day) select n, n, n, now(), now() from generate_series(1, 20) as n;
      insert into slips (folder_id, code) select n % 2 + 1, n from generate_series(1, 20) as n;
    `);
  });

  it("is answered with the envelope, never with a 5xx, and tells nothing", { timeout: 60_000 }, async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(garbage, async (wanted) => {
        statuses.add(await probe(wanted));
      }),
      runs(2000),
    );
    const health = await world.send({ path: "/readyz" });
    expect(health.status).toBe(200);
    // The garbage is no good if it never comes through.
    expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 405, 415, 431]);
  });

  async function probe(wanted: Garbage): Promise<number> {
    const reply = await world.send(wanted);
    expect(reply.status, `${reply.text} for ${JSON.stringify(wanted)}`).toBeLessThan(500);
    if (wanted.method === "HEAD") return reply.status;
    expectEnvelope(reply, wanted);
    expectDiscreet(reply);
    return reply.status;
  }
});
