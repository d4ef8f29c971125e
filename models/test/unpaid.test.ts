import { expect, test } from "vitest";
import { service } from "../../generated/index.ts";
import { runJobs } from "../../test/support/service-worker.ts";
import { shopService } from "./shop-service.ts";

const { query, place } = await shopService();

test("an order that nobody pays for within a month is cancelled at night, and no other one", async () => {
  const ids = (await query("select id from orders order by id limit 3")).map(({ id }) => id);
  await query("update orders set status = 'delivered'");
  const state = "update orders set status = $2, placed_at = now() - $3::interval where id = $1";
  await query(state, [ids[0], "pending", "31 days"]);
  await query(state, [ids[1], "pending", "29 days"]);
  await query(state, [ids[2], "paid", "31 days"]);
  const runNow = await runJobs(service, place);
  await runNow("cancel-unpaid");
  const states = async () =>
    (await query("select status from orders where id = any($1) order by id", [ids])).map(
      ({ status }) => status,
    );
  await expect.poll(states, { timeout: 10_000 }).toEqual(["cancelled", "pending", "paid"]);
  expect(await query("select id from orders where status = 'cancelled'")).toHaveLength(1);
});
