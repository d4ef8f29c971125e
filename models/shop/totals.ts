import type { MutationContext } from "kirak";

type Queries = MutationContext["transaction"];
type Ids = readonly (number | string)[];

/** Updates `orders.total` of the orders that have these lines. */
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

/** Updates `books.average_rating` of the books that have these reviews. */
export async function refreshRatings(db: Queries, reviewIds: Ids): Promise<void> {
  const books = await lockInOrder(db, "books", db("reviews").select("book_id").where(among(db, reviewIds)));
  const mean = db("reviews")
    .select(db.raw("round(avg(rating), 2)"))
    .whereRaw("reviews.book_id = books.id and status = 'approved' and reviews.deleted_at is null");
  await db("books").where(among(db, books)).update({ average_rating: mean });
}

/**
 * Locks rows in the order of their ids, which prevents deadlocks, and returns the ids. The sum needs a later
 * statement: a statement that waits for a lock does not see rows that were committed after it began.
 */
async function lockInOrder(db: Queries, table: string, wanted: ReturnType<Queries["select"]>): Promise<Ids> {
  return db(table).whereIn("id", wanted).orderBy("id").forNoKeyUpdate().pluck("id");
}

/** A list as one parameter: there can be more ids than PostgreSQL allows parameters. */
function among(db: Queries, ids: Ids): ReturnType<Queries["raw"]> {
  return db.raw("id = any(?)", [ids.map(String)]);
}
