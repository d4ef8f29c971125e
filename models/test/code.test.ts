import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { startTestService } from "kirak/testing";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { service } from "../../generated/index.ts";
import { seedShop } from "./shop-service.ts";

// What the shop's own code does, from the request to mails and to the storefront.
const app = await startTestService(service);
const { query } = app.database;
await seedShop(app.database.url, 400);

const storefront = { told: [] as unknown[], status: 200 };
const site = createServer(async (request, response) => {
  storefront.told.push([request.url, await json(request)]);
  response.writeHead(storefront.status).end();
}).listen(0, "127.0.0.1");
await once(site, "listening");
const address = site.address();
vi.stubEnv("STOREFRONT_URL", `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
afterAll(() => {
  vi.unstubAllEnvs();
  site.close();
  return app.stop();
});

const order = "00000000-0000-4000-8000-000000000001";
const book = 10_001;
const stock = async () => (await query("select stock from books where id = $1", [book]))[0]?.["stock"];
const statusOf = async () => (await query("select status from orders where id = $1", [order]))[0]?.["status"];
const call = (what: string, body: object) => {
  const [method = "", path = ""] = what.split(" ");
  return app.request(path, { method, body, as: "staff" });
};
const become = (status: string) => call("PUT /orders/update", { where: { id: order }, data: { status } });

beforeEach(async () => {
  storefront.told.length = 0;
  await query("delete from orders where id = $1", [order]);
  await query("delete from books where id = $1", [book]);
  await query("update customers set name = 'Ann & Bob', email = 'ann@example.com' where user_id = 1");
  await query(
    `insert into books (id, title, slug, isbn, author_id, status, published_at, price, stock)
      values ($1, 'One', 'one', '9780140449136', 1, 'published', '2020-01-01', 10, 3)`,
    [book],
  );
  await query(
    "insert into orders (id, reference, customer_id, placed_at, status) values ($1, 'BK-0000000001', 1, now(), 'pending')",
    [order],
  );
  await call("POST /order-items/create", { data: { order_id: order, book_id: book, quantity: 2 } });
});

describe("a parcel that leaves", () => {
  const leaves = { shipped_at: "2026-11-20T10:00:00Z" };
  const parcel = { order_id: order, carrier: "bicycle", tracking_code: "ABCD1234" };

  test("makes its order a shipped one, and its customer gets one mail", async () => {
    await become("paid");
    await call("POST /shipments/create", { data: parcel });
    expect(await statusOf()).toBe("paid");
    const depart = () => call("PUT /shipments/update", { where: { order_id: order }, data: leaves });
    await depart();
    await depart();
    expect(await statusOf()).toBe("shipped");
    await app.runJobs();
    expect(app.mails).toEqual([
      {
        to: "ann@example.com",
        subject: "Your order BK-0000000001 is on its way",
        text: expect.stringMatching(/Dear Ann & Bob,[\s\S]*with bicycle\. The parcel's number is ABCD1234\./),
        html: expect.stringContaining("Dear Ann &amp; Bob,"),
      },
    ]);
  });

  test("and arrives has its customer asked two weeks later what nobody has said yet of its books", async () => {
    await become("shipped");
    await call("POST /shipments/create", { data: { ...parcel, ...leaves } });
    const arrive = () =>
      call("PUT /shipments/update", {
        where: { order_id: order },
        data: { delivered_at: "2026-11-22T10:00:00Z" },
      });
    await arrive();
    await arrive();
    expect(await statusOf()).toBe("delivered");
    const before = app.mails.length;
    await app.runJobs();
    expect(app.mails).toHaveLength(before);
    const waiting = "select from kirak_jobs.jobs where run_at > now() + interval '13 days'";
    expect(await query(waiting)).toHaveLength(1);
    await app.runJobs({ ahead: true });
    expect(app.mails.slice(before)).toMatchObject([
      { text: expect.stringContaining("what you think of One.") },
    ]);
  });

  test("of an order that nobody has paid for changes nothing", async () => {
    await call("POST /shipments/create", { data: { ...parcel, ...leaves } });
    expect(await statusOf()).toBe("pending");
    expect(await query("select from kirak_jobs.jobs")).toEqual([]);
  });
});

describe("an order that is cancelled", () => {
  test.each([
    ["pending", 3],
    ["paid", 3],
    ["shipped", 1],
  ])("when it is %s leaves %i copies on the shelf, once", async (status, copies) => {
    await become(status);
    expect(await stock()).toBe(1);
    await become("cancelled");
    await become("cancelled");
    expect(await stock()).toBe(copies);
  });

  test("stays so", async () => {
    await become("cancelled");
    const { status, body } = await become("pending");
    expect([status, body.error]).toEqual([409, "ORDER_CANCELLED"]);
    expect(await statusOf()).toBe("cancelled");
  });
});

describe("the storefront", () => {
  const change = (data: Record<string, number | string>) =>
    call("PUT /books/update", { where: { id: book }, data });

  test.each([200, 500])(
    "is told of a book that has changed, whether it answers %i or not",
    async (status) => {
      storefront.status = status;
      expect((await change({ price: 9 })).status).toBe(200);
      await app.settled();
      expect(storefront.told).toEqual([["/refresh", { slugs: ["one"] }]]);
    },
  );

  test("is told nothing of a change that is refused", async () => {
    expect((await change({ isbn: "978-0-14-044913-7" })).status).toBe(400);
    await call("PUT /books/upsert", {
      data: { title: "Two", author_id: 1, price: 9, isbn: "9780140449136" },
    });
    await app.settled();
    expect(storefront.told).toEqual([["/refresh", { slugs: ["one"] }]]);
  });
});
