CREATE TABLE users (id serial PRIMARY KEY, name text NOT NULL, email text, manager_id integer REFERENCES users);
CREATE TABLE authors (id serial PRIMARY KEY, name text NOT NULL, user_id integer REFERENCES users, country char(2));
CREATE TABLE books (
  id serial PRIMARY KEY, title text NOT NULL, author_id integer NOT NULL REFERENCES authors,
  status text NOT NULL DEFAULT 'draft', price numeric(8, 2), cost numeric(8, 2), cover bytea, "isOut" boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), user_id integer NOT NULL REFERENCES users, state text NOT NULL DEFAULT 'open',
  placed_by text, note text
);
CREATE TABLE order_lines (
  order_id uuid REFERENCES orders, book_id integer REFERENCES books, quantity integer NOT NULL, PRIMARY KEY (order_id, book_id)
);
CREATE VIEW book_titles AS SELECT id, title FROM books;
CREATE TABLE drafts_of_tomorrow (id serial PRIMARY KEY);
CREATE SCHEMA sales;
CREATE TABLE sales.regions (id serial PRIMARY KEY, code text NOT NULL);
