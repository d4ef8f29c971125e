import type { Book } from "./catalogue.ts";
import type { Random } from "./random.ts";
import { day, timestamp, today } from "./time.ts";
import type { Item, Order } from "./trade.ts";
import { opinions } from "./words.ts";

/** What was bought and has arrived gets a review now and then: at most one for each customer and book. */
export function reviews(random: Random, count: number, items: readonly Item[], orders: readonly Order[]) {
  const arrived = new Map(
    orders.filter(({ status }) => status === "delivered").map((order) => [order.id, order]),
  );
  const seen = new Set<string>();
  return items
    .flatMap(({ order_id, book_id }) => {
      const order = arrived.get(order_id);
      const pair = `${order?.customer_id} ${book_id}`;
      if (order === undefined || seen.has(pair)) return [];
      seen.add(pair);
      return [{ book_id, customer_id: order.customer_id, placed: Date.parse(order.placed_at) }];
    })
    .slice(0, count)
    .map(({ book_id, customer_id, placed }, i) => {
      const opinion = random.pickPopular(opinions);
      const written = Math.min(placed + random.int(8, 60) * day, today);
      const status = written > today - 3 * day ? "pending" : random.chance(0.96) ? "approved" : "rejected";
      return {
        id: i + 1,
        book_id,
        customer_id,
        ...opinion,
        status,
        moderated_at: status === "pending" ? null : timestamp(written + day),
        created_at: timestamp(written),
        updated_at: timestamp(written),
        deleted_at: random.maybe(0.01, () => timestamp(today)),
      };
    });
}

/** Sets the average of the approved reviews on each book. */
export function rate(books: readonly Book[], given: ReturnType<typeof reviews>): void {
  const ratings = new Map<number, number[]>();
  for (const { book_id, rating, status, deleted_at } of given) {
    if (status !== "approved" || deleted_at !== null) continue;
    ratings.set(book_id, [...(ratings.get(book_id) ?? []), rating]);
  }
  for (const book of books) {
    const list = ratings.get(book.id);
    if (list === undefined) continue;
    const mean = list.reduce((sum, rating) => sum + rating, 0) / list.length;
    book.average_rating = Math.round(mean * 100) / 100;
  }
}

export function announcements() {
  const since = (days: number) => timestamp(today - days * day);
  const rows = [
    ["Free delivery in December", "On every order above 25 euros.", "everyone", since(31), since(0)],
    ["New here?", "Make an account, and your orders arrive with a bookmark.", "guest", since(300), null],
    ["Reviews are back", "Tell others what you thought of your last book.", "user", since(120), null],
    ["Reading group", "Every first Tuesday at 19:30. Tea is on us.", "everyone", since(90), null],
    ["Stocktaking on Sunday", "Please leave the handheld scanners charged.", "staff", since(10), null],
    ["Key to the cellar", "It hangs in the office from now on.", "staff", since(45), null],
    ["Yearly accounts", "The numbers are due at the end of January.", "admin", since(5), null],
  ] as const;
  return rows.map(([title, body, audience, starts_at, ends_at], i) => ({
    id: i + 1,
    title,
    body,
    audience,
    starts_at,
    ends_at,
    created_at: starts_at,
    updated_at: starts_at,
  }));
}
