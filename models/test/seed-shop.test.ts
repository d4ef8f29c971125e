import { expect, test } from "vitest";
import { cents } from "../seed/money.ts";
import { shop } from "../seed/shop.ts";

const tables = shop(15_000, "hash");
const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows ?? [];
const values = (name: string, column: string) => rowsOf(name).map((row) => row[column]);

test("makes 10,000 rows or more, and the same ones each time", () => {
  expect(tables.reduce((sum, { rows }) => sum + rows.length, 0)).toBeGreaterThanOrEqual(10_000);
  expect(shop(15_000, "hash")).toEqual(tables);
});

test("every row of a table has the same columns, and ids are unique", () => {
  for (const { name, rows } of tables) {
    expect(new Set(rows.map((row) => Object.keys(row).sort().join())).size, name).toBe(1);
    expect(new Set(rows.map((row) => row["id"])).size, name).toBe(rows.length);
  }
});

test.each([
  ["customers", "user_id", "users", "id"],
  ["books", "author_id", "authors", "id"],
  ["orders", "customer_id", "customers", "user_id"],
  ["order_items", "order_id", "orders", "id"],
  ["order_items", "book_id", "books", "id"],
  ["shipments", "order_id", "orders", "id"],
  ["reviews", "book_id", "books", "id"],
  ["reviews", "customer_id", "customers", "user_id"],
])("%s.%s refers to a row of %s", (table, column, target, key) => {
  const known = new Set(values(target, key));
  expect(values(table, column).filter((value) => !known.has(value))).toEqual([]);
});

test.each([
  ["users", ["email"]],
  ["books", ["isbn"]],
  ["books", ["slug"]],
  ["customers", ["user_id"]],
  ["orders", ["reference"]],
  ["order_items", ["order_id", "book_id"]],
  ["shipments", ["tracking_code"]],
  ["reviews", ["book_id", "customer_id"]],
  ["gift_cards", ["code"]],
])("%s are unique by %j", (table, columns) => {
  const keys = rowsOf(table).map((row) => JSON.stringify(columns.map((column) => row[column])));
  expect(new Set(keys).size).toBe(keys.length);
});

test("orders are the sum of their lines", () => {
  const sums = new Map<unknown, number>();
  for (const { order_id, quantity, unit_price } of rowsOf("order_items")) {
    sums.set(order_id, (sums.get(order_id) ?? 0) + Number(quantity) * cents(String(unit_price)));
  }
  for (const { id, total } of rowsOf("orders")) expect(cents(String(total))).toBe(sums.get(id));
});

test("stock is what came minus what left", () => {
  const sums = new Map<unknown, number>();
  for (const { book_id, change } of rowsOf("stock_movements"))
    sums.set(book_id, (sums.get(book_id) ?? 0) + Number(change));
  for (const { id, stock } of rowsOf("books")) expect(stock).toBe(sums.get(id));
});
