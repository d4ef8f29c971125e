import type pg from "pg";

const columns = "id, name, country, born_on::text, biography, website, contact_email, created_at, updated_at";

/** What somebody who writes such a server by hand would send: named statements, values bound. */
export const statements = {
  byId: (id: number): pg.QueryConfig => ({
    name: "by-id",
    text: `select ${columns} from authors where id = $1 order by id limit 10`,
    values: [id],
  }),
  page: (country: string, limit: number): pg.QueryConfig => ({
    name: "page",
    text: `select ${columns} from authors where country = $1 order by name desc, id desc limit $2 offset 0`,
    values: [country, limit],
  }),
  list: (from: number, limit: number): pg.QueryConfig => ({
    name: "list",
    text: `select ${columns} from authors where id >= $1 order by id limit $2`,
    values: [from, limit],
  }),
  count: (country: string): pg.QueryConfig => ({
    name: "count",
    text: "select count(*)::int from authors where country = $1",
    values: [country],
  }),
  create: (data: Record<string, unknown>): pg.QueryConfig => ({
    name: "create",
    text: `insert into authors (name, country, born_on, biography) values ($1, $2, $3, $4) returning ${columns}`,
    values: [data["name"], data["country"], data["born_on"], data["biography"]],
  }),
  revoked: (id: string): pg.QueryConfig => ({
    name: "revoked",
    text: "select 1 from auth_token_blacklist where jti = $1 and expires_at > now()",
    values: [id],
  }),
  /** Books without their authors: PostgreSQL plans a join with an offset anew each time, which takes it longer than a second statement. */
  books: (limit: number, offset: number): pg.QueryConfig => ({
    name: "books",
    text: `select id, title, price, published_at, author_id from books where deleted_at is null
           order by id limit $1 offset $2`,
    values: [limit, offset],
  }),
  authorsByIds: (ids: readonly unknown[]): pg.QueryConfig => ({
    name: "authors-by-ids",
    text: "select id, name from authors where id = any($1)",
    values: [ids],
  }),
  totals: (customer: number): pg.QueryConfig => ({
    name: "totals",
    text: `select status, sum(total), avg(total), max(total) from orders where customer_id = $1
           group by status order by status limit 10`,
    values: [customer],
  }),
  update: (id: unknown, biography: unknown): pg.QueryConfig => ({
    name: "update",
    text: "update authors set biography = $2, updated_at = now() where id = $1 returning id",
    values: [id, biography],
  }),
};

/** The envelope of the contract around the data. */
export function envelope(data: unknown, pagination?: object): object {
  return {
    statusCode: 200,
    status: "success",
    message: "ok",
    data,
    ...(pagination !== undefined && { pagination }),
  };
}

/** The pagination of a first page. */
export function firstPage(total: number, limit: number): object {
  return { limit, page: 1, offset: 0, total, total_pages: Math.ceil(total / limit), has_more: limit < total };
}
