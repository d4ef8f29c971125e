import type { Knex } from "knex";

type Ids = readonly (number | string)[];

/** Sums the live lines of the orders that these lines belong to into `orders.total_cents`. */
export async function refreshOrderTotals(db: Knex, itemIds: Ids): Promise<void> {
  const total = db("order_items")
    .select(db.raw("coalesce(sum(quantity * unit_price_cents), 0)"))
    .whereRaw("order_items.order_id = orders.id and deleted_at is null");
  await db("orders")
    .whereIn("id", db("order_items").select("order_id").whereIn("id", itemIds))
    .update({ total_cents: total });
}

/** Brings `books.average_rating` up to date for the books that these reviews are about. */
export async function refreshRatings(db: Knex, reviewIds: Ids): Promise<void> {
  const mean = db("reviews")
    .select(db.raw("round(avg(rating), 2)"))
    .whereRaw("reviews.book_id = books.id and status = 'approved' and reviews.deleted_at is null");
  await db("books")
    .whereIn("id", db("reviews").select("book_id").whereIn("id", reviewIds))
    .update({ average_rating: mean });
}
