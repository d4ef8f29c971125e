import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startTestService } from "kirak/testing";
import { service } from "../../../../generated/index.ts";

const app = await startTestService(service);
after(() => app.stop());

test("a customer gets a mail when the parcel is sent", async () => {
  const ann = await app.createUser({ email: "ann@example.com" });
  const customer = { user_id: ann.user_id, name: "Ann", email: ann.email };
  await app.request("/customers/create", { as: ann, body: { data: customer } });
  const [order] = await app.database.query<{ id: string }>(
    "insert into orders (customer_id, reference, placed_at, status) values ($1, 'BK-1', now(), 'paid') returning id",
    [ann.user_id],
  );
  const parcel = { order_id: order?.id, carrier: "bicycle", shipped_at: new Date() };
  const { status } = await app.request("/shipments/create", { as: "staff", body: { data: parcel } });
  assert.equal(status, 200);
  await app.runJobs();
  const mails = app.mails.map(({ to, subject }) => [to, subject]);
  assert.deepEqual(mails, [["ann@example.com", "Your order BK-1 is on its way"]]);
});
