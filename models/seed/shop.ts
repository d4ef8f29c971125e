import { accounts } from "./accounts.ts";
import { authors, books } from "./catalogue.ts";
import { customers, giftCards } from "./customers.ts";
import { Random } from "./random.ts";
import { announcements, rate, reviews } from "./talk.ts";
import { orderItems, orders, shipments, stockMovements } from "./trade.ts";

/** Rows of one table. Keys are columns. */
export interface Table {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * A whole shop of about `rows` rows: each reference points somewhere, orders are the sum of their lines, and stock is what
 * came minus what left. Tables come in an order in which they can be filled. All accounts have one password, of which
 * `passwordHash` is the hash.
 */
export function shop(rows: number, passwordHash: string): Table[] {
  const random = new Random(20_251_231);
  const share = (part: number) => Math.max(1, Math.round(rows * part));
  const writers = authors(random, share(0.015));
  const titles = books(random, share(0.075), writers);
  const buyers = customers(random, share(0.06));
  const bought = orders(random, share(0.13), buyers);
  const lines = orderItems(random, bought, titles);
  const opinions = reviews(random, share(0.1), lines, bought);
  // These two complete the books, so they come before the books are written.
  const movements = stockMovements(random, titles, lines);
  rate(titles, opinions);
  return [
    { name: "users", rows: accounts(buyers, passwordHash) },
    { name: "authors", rows: writers },
    { name: "books", rows: titles },
    { name: "customers", rows: buyers },
    { name: "gift_cards", rows: giftCards(random, share(0.012), buyers) },
    { name: "orders", rows: bought },
    { name: "order_items", rows: lines },
    { name: "shipments", rows: shipments(random, bought) },
    { name: "reviews", rows: opinions },
    { name: "announcements", rows: announcements() },
    { name: "stock_movements", rows: movements },
  ];
}
