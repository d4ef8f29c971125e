import { beforeEach, describe, expect, test } from "vitest";
import { shopService } from "./shop-service.ts";

const { call, query } = await shopService();
const staff = { role: "staff", sub: "9001" };
const greta = { role: "user", sub: "1", email: "greta@example.com" };
const other = { role: "user", sub: "2" };

/** A book on sale with three copies, and one more that is not shown yet. */
const [book, draft] = [10_001, 10_002];

beforeEach(async () => {
  await query("DELETE FROM orders WHERE note = 'test'");
  await query("DELETE FROM books WHERE id = ANY ($1)", [[book, draft]]);
  await query(
    `INSERT INTO books (id, title, slug, isbn, author_id, status, published_at, price, cost, stock)
     VALUES ($1, 'On sale', 'on-sale', '9780140449136', 1, 'published', '2020-01-01', 12.50, 7, 3),
            ($2, 'Not yet', 'not-yet', '9780140449112', 1, 'draft', NULL, 12.50, 7, 3)`,
    [book, draft],
  );
});

async function order(as: typeof greta | typeof other): Promise<string> {
  const { envelope } = await call("POST /orders/create", as, { data: { note: "test" } });
  expect(envelope.data).toMatchObject({ customer_id: Number(as.sub), status: "pending", total: "0.00" });
  const [row] = await query(
    "SELECT id FROM orders WHERE note = 'test' AND customer_id = $1 ORDER BY placed_at DESC",
    [as.sub],
  );
  return String(row?.["id"]);
}

const stock = async () => (await query("SELECT stock FROM books WHERE id = $1", [book]))[0]?.["stock"];
const total = async (id: string) => (await query("SELECT total FROM orders WHERE id = $1", [id]))[0];
const movements = () =>
  query("SELECT change, reason FROM stock_movements WHERE book_id = $1 ORDER BY id", [book]);

describe("ordering", () => {
  test("a line takes its price from the book, copies from the shelf, and is summed up", async () => {
    const order_id = await order(greta);
    const { envelope } = await call("POST /order-items/create", greta, {
      data: { order_id, book_id: book, quantity: 2 },
    });
    expect(envelope.data).toMatchObject({ unit_price: "12.50", quantity: 2 });
    expect(await stock()).toBe(1);
    expect(await total(order_id)).toEqual({ total: "25.00" });
    expect(await movements()).toEqual([{ change: -2, reason: "sale" }]);
  });

  test("a line that is taken off puts the copies back", async () => {
    const order_id = await order(greta);
    await call("POST /order-items/create", greta, { data: { order_id, book_id: book, quantity: 2 } });
    const { status } = await call("DELETE /order-items/delete", greta, { query: { order_id } });
    expect(status).toBe(200);
    expect(await stock()).toBe(3);
    expect(await total(order_id)).toEqual({ total: "0.00" });
    expect(await movements()).toEqual([
      { change: -2, reason: "sale" },
      { change: 2, reason: "return" },
    ]);
  });

  test.each([
    ["more than there is", { book_id: book, quantity: 4 }, [409, "OUT_OF_STOCK", "quantity"]],
    ["a book that is not for sale", { book_id: draft }, [400, "VALIDATION_ERROR", "book_id"]],
    ["a book that does not exist", { book_id: 99_999 }, [400, "VALIDATION_ERROR", "book_id"]],
  ])("%s is refused", async (_, line, refusal) => {
    const { status, envelope } = await call("POST /order-items/create", greta, {
      data: { order_id: await order(greta), ...line },
    });
    expect([status, envelope.error, envelope.details?.["field"]]).toEqual(refusal);
    expect(await stock()).toBe(3);
  });

  test("a price cannot be sent", async () => {
    const { status } = await call("POST /order-items/create", greta, {
      data: { order_id: await order(greta), book_id: book, unit_price: 1 },
    });
    expect(status).toBe(403);
  });

  test("nobody adds to somebody else's order, and no copy moves", async () => {
    const { status } = await call("POST /order-items/create", other, {
      data: { order_id: await order(greta), book_id: book },
    });
    expect(status).toBe(403);
    expect(await stock()).toBe(3);
    expect(await movements()).toEqual([]);
  });

  test("two lines of one request that want the same copies are both refused", async () => {
    const orders = [await order(greta), await order(greta)];
    const data = orders.map((order_id) => ({ order_id, book_id: book, quantity: 2 }));
    const { status } = await call("POST /order-items/create", greta, { data });
    expect(status).toBe(409);
    expect(await stock()).toBe(3);
    expect(await query("SELECT id FROM order_items WHERE book_id = $1", [book])).toEqual([]);
  });

  test("an order that is paid is closed to its customer", async () => {
    const id = await order(greta);
    await call("PUT /orders/update", staff, { where: { id }, data: { status: "paid" } });
    const change = await call("PUT /orders/update", greta, { where: { id }, data: { note: "wait" } });
    const line = await call("POST /order-items/create", greta, { data: { order_id: id, book_id: book } });
    expect([change.status, line.status]).toEqual([403, 403]);
    await query("UPDATE orders SET note = 'test' WHERE id = $1", [id]);
  });
});

describe("books", () => {
  test("visitors see what is published, without what it cost", async () => {
    const { envelope } = await call(`GET /books/fetch?id__in=${book},${draft}`, null);
    expect(envelope.data).toEqual([expect.objectContaining({ id: book, price: "12.50" })]);
    expect(JSON.stringify(envelope.data)).not.toContain("cost");
  });

  test.each(["select_fields=cost", "cost__gt=1", "order_by=cost", "order_by=updated_at"])(
    "visitors get no answer to %s",
    async (parameters) => {
      expect((await call(`GET /books/fetch?${parameters}`, null)).status).toBe(403);
    },
  );

  test("an ISBN loses its hyphens and must be right", async () => {
    const data = { title: "Zoë & Co.", author_id: 1, price: 9 };
    const good = await call("POST /books/create", staff, { data: { ...data, isbn: "978-0-306-40615-7" } });
    expect(good.envelope.data).toMatchObject({ isbn: "9780306406157", slug: "zoe-co-9780306406157" });
    const wrong = await call("POST /books/create", staff, { data: { ...data, isbn: "978-0-306-40615-8" } });
    expect([wrong.status, wrong.envelope.details?.["field"]]).toEqual([400, "isbn"]);
  });

  test("an upsert by ISBN keeps the address of the book", async () => {
    const data = { title: "A new name", author_id: 1, price: 9, isbn: "978-0-14-044913-6" };
    const { envelope } = await call("PUT /books/upsert", staff, { data });
    expect(envelope.data).toEqual({ id: book });
    const [row] = await query("SELECT title, slug FROM books WHERE id = $1", [book]);
    expect(row).toEqual({ title: "A new name", slug: "on-sale" });
  });
});

describe("reviews", () => {
  const average = async () => (await query("SELECT average_rating FROM books WHERE id = $1", [book]))[0];

  test("count once they are approved, and are then closed to their author", async () => {
    const review = { book_id: book, rating: 4, title: "Fine" };
    expect((await call("POST /reviews/create", greta, { data: review })).status).toBe(200);
    await call("PUT /reviews/upsert", other, { data: { ...review, rating: 5 } });
    expect(await average()).toEqual({ average_rating: null });
    expect((await call(`GET /reviews/fetch?book_id=${book}`, null)).envelope.data).toEqual([]);
    await call("PUT /reviews/update", staff, { where: { book_id: book }, data: { status: "approved" } });
    expect(await average()).toEqual({ average_rating: 4.5 });
    const late = await call("PUT /reviews/update", greta, {
      where: { book_id: book, customer_id: 1 },
      data: { rating: 1 },
    });
    expect(late.status).toBe(403);
    await call("DELETE /reviews/delete", greta, { query: { book_id: book, customer_id: 1 } });
    expect(await average()).toEqual({ average_rating: 5 });
  });

  test("may move to another book until staff decide", async () => {
    await call("POST /reviews/create", greta, { data: { book_id: book, rating: 4, title: "Fine" } });
    const where = { customer_id: 1, title: "Fine" };
    const move = (as: typeof greta | typeof staff, book_id: number) =>
      call("PUT /reviews/update", as, { where, data: { book_id } });
    expect((await move(staff, draft)).status).toBe(403);
    expect((await move(greta, draft)).status).toBe(200);
    await call("PUT /reviews/update", staff, { where, data: { status: "approved" } });
    expect((await move(greta, book)).status).toBe(403);
    const averages = await query("SELECT average_rating FROM books WHERE id >= $1 ORDER BY id", [book]);
    expect(averages).toEqual([{ average_rating: null }, { average_rating: 4 }]);
  });

  test("are closed to their author when staff restore them as approved, too", async () => {
    await call("POST /reviews/create", greta, { data: { book_id: book, rating: 4, title: "Fine" } });
    const where = { book_id: book, customer_id: 1 };
    await call("DELETE /reviews/delete", greta, { query: where });
    await call("PATCH /reviews/restore", staff, { where, data: { deleted_at: null, status: "approved" } });
    expect(await average()).toEqual({ average_rating: 4 });
    const late = await call("PUT /reviews/update", greta, { where, data: { rating: 1 } });
    expect(late.status).toBe(403);
  });

  test("nobody writes one in another's name", async () => {
    const data = { book_id: book, customer_id: 2, rating: 1, title: "Not mine" };
    const { envelope } = await call("POST /reviews/create", greta, { data });
    expect(envelope.data).toMatchObject({ customer_id: 1 });
  });
});

describe("who sees what", () => {
  test("customers see themselves, and neither notes nor the PIN", async () => {
    const { envelope } = await call("GET /customers/fetch", greta);
    expect(envelope.data).toEqual([expect.objectContaining({ user_id: 1 })]);
    expect(JSON.stringify(envelope.data)).not.toMatch(/staff_notes|pickup_pin/);
  });

  test("a PIN is stored as a bcrypt hash", async () => {
    await call("PUT /customers/update", greta, { where: { user_id: 1 }, data: { pickup_pin: "482913" } });
    const [row] = await query("SELECT pickup_pin FROM customers WHERE user_id = 1");
    expect(row?.["pickup_pin"]).toMatch(/^\$2[aby]\$\d\d\$/);
  });

  test.each([
    ["guest", null, ["everyone", "guest"]],
    ["user", greta, ["everyone", "user"]],
    ["staff", staff, ["everyone", "staff"]],
  ] as const)("announcements for %s", async (_, caller, audiences) => {
    const { text } = await call("GET /announcements/fetch?select_fields=audience", caller);
    const seen = new Set([...text.matchAll(/"audience": ?"(\w+)"/g)].map(([, audience]) => audience));
    expect([...seen].sort()).toEqual(audiences);
  });

  test("an announcement ends after it starts", async () => {
    const data = { title: "Closed", starts_at: "2026-12-25T00:00:00Z", ends_at: "2026-12-24T00:00:00Z" };
    const { status, envelope } = await call("POST /announcements/create", "staff", { data });
    // biome-ignore format: one case a line
    expect([status, envelope]).toMatchObject([
      400,
      { message: "An announcement ends after it starts.", details: { field: "ends_at", check: "ends_after_start" } },
    ]);
  });

  test("gift cards go to whoever has the address", async () => {
    const [card] = await query(
      "SELECT id, recipient_email FROM gift_cards WHERE redeemed_at IS NULL LIMIT 1",
    );
    const path = `GET /gift_cards/fetch?id=${card?.["id"]}&select_fields=id`;
    const owner = { role: "user", sub: "77", email: String(card?.["recipient_email"]) };
    expect((await call(path, owner)).envelope.data).toEqual([{ id: card?.["id"] }]);
    expect((await call(path, other)).envelope.data).toEqual([]);
  });

  test("no route reaches the stock movements", async () => {
    expect((await call("GET /stock_movements/fetch", staff)).status).toBe(404);
  });
});
