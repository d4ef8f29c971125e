import pg from "pg";

/** How many rows the shop's tables have in the GraphQL scenarios. Nothing is deleted, so that nobody has to look. */
export const shopRows = {
  customers: 200,
  books: 20_000,
  reviews: 60_000,
  orders: 20_000,
  orderItems: 60_000,
};

/** 100 orders a customer, three lines an order, two books an author and three reviews a book. */
const statements = [
  `insert into users (email, password, first_name, role, is_verified)
   select 'customer' || n || '@example.org', 'x', 'Customer ' || n, case n when 1 then 'staff' else 'user' end, true
   from generate_series(1, ${shopRows.customers}) as n`,
  `insert into customers (user_id, name, email) select id, first_name, email from users`,
  `insert into books (title, subtitle, isbn, slug, author_id, status, published_at, released_on, format, language,
                      pages, price, cost, stock, average_rating, blurb, details)
   select 'The Book of ' || n, 'Part ' || n, '978' || lpad(n::text, 10, '0'), 'the-book-of-' || n,
          1 + (n - 1) % 10000, 'published', timestamptz '2020-01-01Z' + n * interval '1 hour',
          date '2020-01-01' + n / 24, (array['hardback', 'paperback', 'audio', 'ebook'])[1 + n % 4], 'en',
          80 + n % 800, (700 + n * 37 % 4000) / 100.0, 4, n % 50, 1 + n % 5, repeat('Nobody puts it down. ', 6),
          jsonb_build_object('height_mm', 180 + n % 80, 'width_mm', 110 + n % 80)
   from generate_series(1, ${shopRows.books}) as n`,
  `insert into reviews (book_id, customer_id, rating, title, body, status)
   select 1 + n / 3, 1 + n % ${shopRows.customers}, 1 + n % 5, 'Review ' || n, repeat('I read it twice. ', 5), 'approved'
   from generate_series(0, ${shopRows.reviews} - 1) as n`,
  `insert into orders (reference, customer_id, status, placed_at, total, shipping_name, shipping_city)
   select 'BK-' || lpad(n::text, 10, '0'), 1 + n % ${shopRows.customers},
          (array['paid', 'shipped', 'delivered', 'cancelled'])[1 + n / ${shopRows.customers} % 4],
          timestamptz '2024-01-01Z' + n * interval '1 minute', (1000 + n * 7919 % 9000) / 100.0, 'Customer', 'Utrecht'
   from generate_series(0, ${shopRows.orders} - 1) as n`,
  `insert into order_items (order_id, book_id, quantity, unit_price)
   select id, 1 + (n * 3 + line) % ${shopRows.books}, line, (1000 + n % 1000) / 100.0
   from (select id, row_number() over (order by reference) as n from orders) as o, generate_series(1, 3) as line`,
  "vacuum analyze",
];

/** Fills the book shop's tables beside `authors`. */
export async function fillShop(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
