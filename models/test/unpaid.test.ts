import { startTestService } from "kirak/testing";
import { afterAll, expect, test } from "vitest";
import { service } from "../../generated/index.ts";
import { seedShop } from "./shop-service.ts";

const app = await startTestService(service);
afterAll(() => app.stop());
const { query } = app.database;
await seedShop(app.database.url, 400);

test("an order that nobody pays for within a month is cancelled at night, and no other one", async () => {
  const ids = (await query("select id from orders order by id limit 3")).map(({ id }) => id);
  await query("update orders set status = 'delivered'");
  const state = "update orders set status = $2, placed_at = now() - $3::interval where id = $1";
  await query(state, [ids[0], "pending", "31 days"]);
  await query(state, [ids[1], "pending", "29 days"]);
  await query(state, [ids[2], "paid", "31 days"]);
  await app.jobs.enqueue("cancel-unpaid", {});
  await app.runJobs();
  const states = await query("select status from orders where id = any($1) order by id", [ids]);
  expect(states.map(({ status }) => status)).toEqual(["cancelled", "pending", "paid"]);
  expect(await query("select id from orders where status = 'cancelled'")).toHaveLength(1);
});
