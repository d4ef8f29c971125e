import type { MutationContext } from "kirak";

type Queries = MutationContext["transaction"];

/** The part of an order line that the stock needs. */
export interface OrderLine {
  readonly id: number;
  readonly book_id: number;
  readonly quantity: number;
}

/**
 * Moves copies between the shelf and order lines, and records each movement. Returns the books with too few
 * copies; the caller then rolls back. Locks books in the order of their ids, which prevents deadlocks.
 */
export async function moveStock(
  db: Queries,
  lines: readonly OrderLine[],
  reason: "sale" | "return",
): Promise<number[]> {
  const sign = reason === "sale" ? -1 : 1;
  const short: number[] = [];
  for (const line of lines.toSorted((one, other) => one.book_id - other.book_id)) {
    const change = sign * line.quantity;
    const moved = await db("books")
      .where("id", line.book_id)
      .where("stock", ">=", -change)
      .increment("stock", change);
    if (moved === 0) short.push(line.book_id);
  }
  if (lines.length > 0 && short.length === 0) {
    await db("stock_movements").insert(
      lines.map(({ id, book_id, quantity }) => ({
        book_id,
        order_item_id: id,
        change: sign * quantity,
        reason,
      })),
    );
  }
  return short;
}
