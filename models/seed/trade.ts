import type { Book } from "./catalogue.ts";
import { type Customer, shippingAddress } from "./customers.ts";
import { cents, money } from "./money.ts";
import type { Random } from "./random.ts";
import { day, hour, timestamp, today } from "./time.ts";

type Status = "pending" | "paid" | "shipped" | "delivered" | "cancelled";

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `age` is 0 for the newest order and 1 for the oldest. The newest are still on their way. */
function statusAt(random: Random, age: number): Status {
  if (age < 0.015) return "pending";
  if (age < 0.03) return "paid";
  if (age < 0.05) return "shipped";
  return random.chance(0.05) ? "cancelled" : "delivered";
}

function order(random: Random, customer: Customer, age: number) {
  const placed = today - Math.round(age * 700 * day) - random.int(0, 8) * hour;
  const status = statusAt(random, age);
  return {
    id: random.uuid(),
    reference: `BK-${random.text(10, crockford)}`,
    client_token: random.uuid(),
    customer_id: customer.user_id,
    status,
    placed_at: timestamp(placed),
    total: money(0),
    ...shippingAddress(random, customer.name),
    note: random.maybe(0.08, () => random.pick(["Please wrap it.", "Leave it with the neighbours."])),
    created_at: timestamp(placed),
    updated_at: timestamp(status === "pending" ? placed : placed + 20 * hour),
  };
}

export type Order = ReturnType<typeof order>;

/** Oldest first. The first customer, whom the tour of the README follows, has one in a hundred and the newest. */
export function orders(random: Random, count: number, by: readonly Customer[]): Order[] {
  return Array.from({ length: count }, (_, i) => {
    const forTour = i % 100 === 0 || i === count - 1;
    const customer = (forTour ? by[0] : undefined) ?? random.pick(by);
    return order(random, customer, (count - 1 - i) / count);
  });
}

function item(id: number, order: Order, book: Book, quantity: number) {
  return {
    id,
    order_id: order.id,
    book_id: book.id,
    quantity,
    unit_price: book.price,
    created_at: order.created_at,
    updated_at: order.created_at,
  };
}

export type Item = ReturnType<typeof item>;

/** A book that was on the shelf at that time. */
function bookAt(random: Random, books: readonly Book[], time: string): Book {
  for (;;) {
    const book = random.pickPopular(books);
    if (book.published_at !== null && book.published_at <= time) return book;
  }
}

/** One to four different books an order. Adds up the totals of the orders. */
export function orderItems(random: Random, of: readonly Order[], books: readonly Book[]): Item[] {
  const forSale = books.filter(({ status, deleted_at }) => status === "published" && deleted_at === null);
  const items: Item[] = [];
  for (const order of of) {
    const some = { length: random.pick([1, 1, 2, 2, 3, 4]) };
    const chosen = new Set(Array.from(some, () => bookAt(random, forSale, order.placed_at)));
    for (const book of chosen) {
      const quantity = random.pick([1, 1, 1, 1, 2, 3]);
      items.push(item(items.length + 1, order, book, quantity));
      order.total = money(cents(order.total) + quantity * cents(book.price));
    }
  }
  return items;
}

export function shipments(random: Random, of: readonly Order[]) {
  const sent = of.filter(({ status }) => status === "shipped" || status === "delivered");
  return sent.map(({ id, status, placed_at }, i) => {
    const shipped = Date.parse(placed_at) + random.int(4, 40) * hour;
    return {
      id: i + 1,
      order_id: id,
      carrier: random.pick(["PostNL", "PostNL", "DHL", "UPS", "bicycle"] as const),
      tracking_code: `KK${String(i + 1).padStart(8, "0")}${random.text(2, "ABCDEFGHJK")}`,
      weight_kg: random.int(20, 600) / 100,
      shipped_at: timestamp(shipped),
      delivered_at: status === "delivered" ? timestamp(shipped + random.int(12, 70) * hour) : null,
      created_at: timestamp(shipped),
      updated_at: timestamp(shipped),
    };
  });
}

/** A delivery for each book and a sale for each line. Sets the stock of the books to what is left. */
export function stockMovements(random: Random, books: readonly Book[], items: readonly Item[]) {
  const sold = new Map<number, number>();
  for (const { book_id, quantity } of items) sold.set(book_id, (sold.get(book_id) ?? 0) + quantity);
  const delivery_id = random.uuid();
  const deliveries = books.map((book) => {
    book.stock = random.int(0, 40);
    return {
      book_id: book.id,
      order_item_id: null,
      change: book.stock + (sold.get(book.id) ?? 0),
      reason: "delivery",
      delivery_id,
      created_at: book.created_at,
    };
  });
  const sales = items.map(({ id, book_id, quantity, created_at }) => ({
    book_id,
    order_item_id: id,
    change: -quantity,
    reason: "sale",
    delivery_id: null,
    created_at,
  }));
  return [...deliveries, ...sales].map((row, i) => ({ id: i + 1, ...row, updated_at: row.created_at }));
}
