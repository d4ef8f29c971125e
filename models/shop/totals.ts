import type { MutationContext } from "kirak";

type Queries = MutationContext["transaction"];
type Ids = readonly (number | string)[];

/** Sums the live lines of the orders that these lines belong to into `orders.total`. */
export async function refreshOrderTotals(
  db: Queries,
  lines: readonly { readonly id: number }[],
): Promise<void> {
  const ids = lines.map(({ id }) => id);
  const orders = await lockInOrder(db, "orders", db("order_items").select("order_id").where(among(db, ids)));
  const total = db("order_items")
    .select(db.raw("coalesce(sum(quantity * unit_price), 0)"))
    .whereRaw("order_items.order_id = orders.id and deleted_at is null");
  await db("orders").where(among(db, orders)).update({ total });
}

/** Brings `books.average_rating` up to date for the books that these reviews are about. */
export async function refreshRatings(db: Queries, reviewIds: Ids): Promise<void> {
  const books = await lockInOrder(db, "books", db("reviews").select("book_id").where(among(db, reviewIds)));
  const mean = db("reviews")
    .select(db.raw("round(avg(rating), 2)"))
    .whereRaw("reviews.book_id = books.id and status = 'approved' and reviews.deleted_at is null");
  await db("books").where(among(db, books)).update({ average_rating: mean });
}

/**
 * Locks rows until the transaction ends, in the order of their ids, so that two requests do not wait for each other, and
 * answers their ids. It must be a statement before the one that sums: a statement sees what was committed when it began,
 * so one that had to wait for a lock would sum without what the other request has just written.
 */
async function lockInOrder(db: Queries, table: string, wanted: ReturnType<Queries["select"]>): Promise<Ids> {
  return db(table).whereIn("id", wanted).orderBy("id").forNoKeyUpdate().pluck("id");
}

/** A list as one parameter: there may be more ids than PostgreSQL takes parameters. */
function among(db: Queries, ids: Ids): ReturnType<Queries["raw"]> {
  return db.raw("id = any(?)", [ids.map(String)]);
}
