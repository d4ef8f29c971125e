import { defineJob } from "kirak";

/** Two weeks after the delivery, asks the customer to review the books that they have not reviewed. */
export default defineJob({
  payload: { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] },
  async run({ order_id }, { sql, mail }) {
    const [unread] = await sql<{ email: string; name: string; titles: string }>`
      select email, name, string_agg(title, ', ' order by title) as titles
      from orders join customers on user_id = orders.customer_id
        join order_items on order_id = orders.id join books on books.id = book_id
      where orders.id = ${order_id} and order_items.deleted_at is null and not exists (
        select from reviews where reviews.book_id = books.id and reviews.customer_id = user_id)
      group by email, name`;
    if (unread === undefined) return;
    const { email: to, ...data } = unread;
    await mail.send({ to, template: "ask-for-reviews", data });
  },
});
