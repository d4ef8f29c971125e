import { createHmac } from "node:crypto";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { sendRequest } from "../../test/support/request.ts";
import { shopService } from "./shop-service.ts";

const { origin, query } = await shopService();
const secret = "shared with the provider";
vi.stubEnv("PAYMENT_WEBHOOK_SECRET", secret);
afterAll(() => vi.unstubAllEnvs());

let order = { id: "", reference: "" };
beforeEach(async () => {
  const [row] = await query("select id, reference from orders order by id limit 1");
  order = { id: String(row?.["id"]), reference: String(row?.["reference"]) };
  await query("update orders set status = 'pending' where id = $1", [order.id]);
});

const signed = (body: string, key = secret) => createHmac("sha256", key).update(body).digest("hex");
const told = (body: string, signature = signed(body)) =>
  sendRequest(origin, {
    ...{ method: "POST", path: "/webhooks/payments", body },
    headers: { "content-type": "application/json", "x-signature": signature },
  });
const statusOf = async () =>
  (await query("select status from orders where id = $1", [order.id]))[0]?.["status"];

test("a payment makes an order paid, and is answered with what the provider may know", async () => {
  const body = JSON.stringify({ reference: order.reference, amount: "12.50" });
  const { status, envelope } = await told(body);
  expect([status, envelope.data]).toEqual([200, { reference: order.reference, status: "paid" }]);
  expect(await statusOf()).toBe("paid");
});

test("a payment that is told twice is answered as before", async () => {
  const body = JSON.stringify({ reference: order.reference });
  const [first, second] = [await told(body), await told(body)];
  expect([second.status, second.envelope.data]).toEqual([200, first.envelope.data]);
});

test("a body that is not JSON is 400, also with a signature", async () => {
  const { status, envelope } = await told("reference=1");
  expect([status, envelope.error]).toEqual([400, "VALIDATION_ERROR"]);
});

test.each([
  ["that is cancelled", "cancelled", null],
  ["that is not there", "pending", "none"],
])("a payment of an order %s is 404", async (_, status, reference) => {
  await query("update orders set status = $2 where id = $1", [order.id, status]);
  expect((await told(JSON.stringify({ reference: reference ?? order.reference }))).status).toBe(404);
  expect(await statusOf()).toBe(status);
});

test.each([
  ["of another secret", (body: string) => signed(body, "guessed")],
  ["of another body", (body: string) => signed(`${body} `)],
  ["that is none", () => "x"],
])("a signature %s changes nothing", async (_, signature) => {
  const body = JSON.stringify({ reference: order.reference });
  const { status, envelope } = await told(body, signature(body));
  expect([status, envelope.error]).toEqual([403, "PERMISSION_DENIED"]);
  expect(await statusOf()).toBe("pending");
});
