import { beforeEach, expect, test } from "vitest";
import type { Reply } from "../../test/support/request.ts";
import { shopService } from "./shop-service.ts";

const { call, query } = await shopService();
const staff = { role: "staff", sub: "9001" };
const customers = [
  { role: "user", sub: "1" },
  { role: "user", sub: "2" },
];

const [book, otherBook] = [10_001, 10_002];
const [order, otherOrder] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

beforeEach(async () => {
  await query("DELETE FROM orders WHERE id = ANY ($1)", [[order, otherOrder]]);
  await query("DELETE FROM books WHERE id = ANY ($1)", [[book, otherBook]]);
  await query(
    `INSERT INTO books (id, title, slug, isbn, author_id, status, published_at, price, stock)
     VALUES ($1, 'One', 'one', '9780140449136', 1, 'published', '2020-01-01', 10, 10),
            ($2, 'Two', 'two', '9780140449112', 1, 'published', '2020-01-01', 5, 10)`,
    [book, otherBook],
  );
  await query(
    `INSERT INTO orders (id, reference, customer_id, placed_at)
     VALUES ($1, 'BK-0000000001', 1, now()), ($2, 'BK-0000000002', 2, now())`,
    [order, otherOrder],
  );
});

/** Lets requests begin while the test holds a row that they all need, and lets it go once they all wait. */
async function atOnce(held: string, begin: () => readonly Promise<Reply>[]): Promise<Reply[]> {
  await query(`BEGIN; SELECT FROM ${held} FOR NO KEY UPDATE`);
  const requests = begin();
  while ((await waiting()) < requests.length);
  await query("COMMIT");
  return Promise.all(requests);
}

/** How many requests wait for the test, or for one that does. */
async function waiting(): Promise<number> {
  const pids = await query(
    `WITH RECURSIVE blocked (pid) AS (
       SELECT pg_backend_pid()
       UNION SELECT l.pid FROM pg_locks l JOIN blocked b ON b.pid = ANY (pg_blocking_pids(l.pid)) WHERE NOT granted
     ) SELECT pid FROM blocked`,
  );
  return pids.length - 1;
}

const one = async (text: string, id: unknown) => (await query(text, [id]))[0];
const rating = () => one("SELECT average_rating FROM books WHERE id = $1", book);

const line = (who: number, order_id: string, book_id: number, quantity: number) =>
  call("POST /order-items/create", customers[who] ?? null, { data: { order_id, book_id, quantity } });

test("of two reviews that are approved at once both count", async () => {
  for (const [i, customer] of customers.entries())
    await call("POST /reviews/create", customer, {
      data: { book_id: book, rating: i === 0 ? 1 : 5, title: "Mine" },
    });
  const replies = await atOnce(`books WHERE id = ${book}`, () =>
    [1, 2].map((customer_id) =>
      call("PUT /reviews/update", staff, {
        where: { book_id: book, customer_id },
        data: { status: "approved" },
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(await rating()).toEqual({ average_rating: 3 });
});

test("a review that is taken back while another is approved counts no more", async () => {
  await query(
    `INSERT INTO reviews (book_id, customer_id, rating, title, status, moderated_at)
     VALUES ($1, 1, 1, 'Mine', 'approved', now()), ($1, 2, 5, 'Mine', 'pending', NULL)`,
    [book],
  );
  const [removal, approval] = await atOnce(`books WHERE id = ${book}`, () => [
    call("DELETE /reviews/delete", customers[0] ?? null, { query: { book_id: book, customer_id: 1 } }),
    call("PUT /reviews/update", staff, {
      where: { book_id: book, customer_id: 2 },
      data: { status: "approved" },
    }),
  ]);
  expect([removal?.status, approval?.status]).toEqual([200, 200]);
  expect(await rating()).toEqual({ average_rating: 5 });
});

test("of two lines that one order gets at once both are summed", async () => {
  const replies = await atOnce(`orders WHERE id = '${order}'`, () => [
    line(0, order, book, 2),
    line(0, order, otherBook, 1),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(await one("SELECT total FROM orders WHERE id = $1", order)).toEqual({ total: "25.00" });
});

test("of two who want the last copies at once, one gets them", async () => {
  const replies = await atOnce(`books WHERE id = ${book}`, () => [
    line(0, order, book, 6),
    line(1, otherOrder, book, 6),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await one("SELECT stock FROM books WHERE id = $1", book)).toEqual({ stock: 4 });
});

test("copies that come back and copies that go at once are both counted", async () => {
  await line(0, order, book, 6);
  const replies = await atOnce(`books WHERE id = ${book}`, () => [
    call("DELETE /order-items/delete", customers[0] ?? null, { query: { order_id: order } }),
    line(1, otherOrder, book, 3),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(await one("SELECT stock FROM books WHERE id = $1", book)).toEqual({ stock: 7 });
  expect(
    await one("SELECT sum(change)::int AS change FROM stock_movements WHERE book_id = $1", book),
  ).toEqual({ change: -3 });
});
