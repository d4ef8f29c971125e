/** What a careful team writes by hand for speed: Fastify 5, pg, answers by fast-json-stringify, GraphQL by Mercurius. It asks for no token. */
import Fastify from "fastify";
import mercurius, { type MercuriusLoaders } from "mercurius";
import pg from "pg";
import { answerSchemas, inputSchemas } from "./fastify-schemas.ts";
import { databaseUrl, serve } from "./serve.ts";
import { envelope, firstPage, statements } from "./statements.ts";

const pool = new pg.Pool({ connectionString: databaseUrl(), max: 10 });
const app = Fastify({ logger: false });

interface List {
  readonly id?: number;
  readonly country?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly id__gte?: number;
}
interface Country {
  readonly country: string;
}
interface Creation {
  readonly data: Record<string, unknown>;
}
interface Document {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}
interface Update {
  readonly where: { readonly id: number };
  readonly data: { readonly biography: string };
}

app.get<{ Querystring: List }>(
  "/authors/fetch",
  { schema: { querystring: inputSchemas.list, response: { 200: answerSchemas.authors } } },
  async ({ query: { id, country, page, limit = 10, id__gte = 1 } }) => {
    if (id !== undefined) return envelope((await pool.query(statements.byId(id))).rows);
    if (country === undefined) return envelope((await pool.query(statements.list(id__gte, limit))).rows);
    if (page === undefined) return envelope((await pool.query(statements.page(country, limit))).rows);
    const [rows, total] = await Promise.all([
      pool.query(statements.page(country, limit)),
      pool.query(statements.count(country)),
    ]);
    return envelope(rows.rows, firstPage(total.rows[0].count, limit));
  },
);

app.get<{ Querystring: Country }>(
  "/authors/count",
  { schema: { querystring: inputSchemas.country, response: { 200: answerSchemas.count } } },
  async ({ query: { country } }) =>
    envelope({ count: (await pool.query(statements.count(country))).rows[0].count }),
);

app.post<{ Body: Creation }>(
  "/authors/create",
  { schema: { body: inputSchemas.creation, response: { 200: answerSchemas.author } } },
  async ({ body: { data } }) => envelope((await pool.query(statements.create(data))).rows[0]),
);

app.put<{ Body: Update }>(
  "/authors/update",
  { schema: { body: inputSchemas.update, response: { 200: answerSchemas.updated } } },
  async ({ body: { where, data } }) => {
    const { rows } = await pool.query(statements.update(where.id, data.biography));
    return envelope({ updated_count: rows.length, updated_ids: rows.map((row) => row.id) });
  },
);

const schema = `
  scalar BigInt
  scalar DateTime
  scalar Decimal
  enum BooksOrder { id }
  enum OrdersGroup { status }
  type Author { id: BigInt!, name: String! }
  type Book { id: BigInt!, title: String!, price: Decimal, published_at: DateTime, author: Author }
  type Figures { total: Decimal }
  type Group { status: String!, sum: Figures, avg: Figures, max: Figures }
  type Query {
    books(orderBy: BooksOrder, limit: Int!, offset: Int!): [Book!]!
    orders_aggregate(customer_id: BigInt!, groupBy: OrdersGroup): [Group!]!
  }`;

/** One statement more for a page: the authors of its books. */
const loaders: MercuriusLoaders = {
  Book: {
    async author(queries) {
      const ids = queries.map(({ obj }) => obj.author_id);
      const { rows } = await pool.query(statements.authorsByIds(ids));
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  },
};

await app.register(mercurius, {
  schema,
  resolvers: {
    Query: {
      books: async (_root: unknown, { limit, offset }: { limit: number; offset: number }) =>
        (await pool.query(statements.books(limit, offset))).rows,
      orders_aggregate: async (_root: unknown, { customer_id }: { customer_id: number }) =>
        (await pool.query(statements.totals(customer_id))).rows.map(({ status, sum, avg, max }) => ({
          status,
          sum: { total: sum },
          avg: { total: avg },
          max: { total: max },
        })),
    },
  },
  loaders,
  routes: false,
  jit: 1,
});

app.post<{ Body: Document }>(
  "/graphql",
  { schema: { body: inputSchemas.graphql } },
  async ({ body: { query, variables } }, reply) => reply.graphql(query, {}, variables),
);

await app.ready();
serve(app.server);
