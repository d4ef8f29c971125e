import type { MutationContext } from "kirak";

type Queries = MutationContext["transaction"];

/** An order line, as far as stock goes. */
export interface OrderLine {
  readonly id: number;
  readonly book_id: number;
  readonly quantity: number;
}

/**
 * Moves copies between the shelf and order lines, and notes each movement. Returns the books that are short; the
 * caller rolls back then. Books are locked in their order, so that two requests do not wait for each other.
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
