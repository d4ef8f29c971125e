import { ServiceError } from "kirak";
import type { OrderItemsHooks } from "../../generated/models/order_items/model.ts";
import { moveStock } from "../shop/stock.ts";
import { refreshOrderTotals } from "../shop/totals.ts";

export const fills = { before_create: ["unit_price"] } as const;

/** Copies the price from the book, and rejects books that are not for sale. */
export const before_create: OrderItemsHooks["before_create"] = async (item, { transaction }) => {
  // The lock prevents changes of price and stock until the order line is written.
  const book = await transaction("books")
    .where({ id: item.book_id, status: "published" })
    .where("published_at", "<=", transaction.fn.now())
    .whereNull("deleted_at")
    .forNoKeyUpdate()
    .first("price", "stock");
  if (book === undefined) {
    throw new ServiceError("VALIDATION_ERROR", "this book is not for sale", { field: "book_id" });
  }
  if (book.stock < (item.quantity ?? 1)) {
    throw new ServiceError("OUT_OF_STOCK", `only ${book.stock} in stock`, { field: "quantity" });
  }
  item.unit_price = book.price;
};

/** Reduces the stock. If two lines of one request need the same last copy, the whole request fails. */
export const after_create: OrderItemsHooks["after_create"] = async (_, { after, transaction }) => {
  const lines = await after();
  const short = await moveStock(transaction, lines, "sale");
  if (short.length > 0) {
    throw new ServiceError("OUT_OF_STOCK", `not enough in stock of book ${short.join(", ")}`, {
      field: "quantity",
    });
  }
  await refreshOrderTotals(transaction, lines);
};

/** Returns the copies to the shelf. */
export const after_delete: OrderItemsHooks["after_delete"] = async (_, { after, transaction }) => {
  const lines = await after();
  await moveStock(transaction, lines, "return");
  await refreshOrderTotals(transaction, lines);
};
