/** What a careful team writes by hand: Express 5 and pg, with a look at the token and at the list of revoked ones. */
import { createSecretKey } from "node:crypto";
import { createServer } from "node:http";
import express from "express";
import jsonwebtoken from "jsonwebtoken";
import pg from "pg";
import { databaseUrl, serve } from "./serve.ts";
import { envelope, firstPage, statements } from "./statements.ts";

const pool = new pg.Pool({ connectionString: databaseUrl(), max: 10 });
const key = createSecretKey(Buffer.from(process.env["BENCHMARK_SECRET"] ?? ""));
const app = express();
const authors = express.Router();

/** A server with accounts does no less. */
const requireGoodToken: express.RequestHandler = async (request, response, next) => {
  const token = request.headers.authorization?.replace(/^Bearer /, "");
  if (token === undefined) return next();
  const claims = jsonwebtoken.verify(token, key, { algorithms: ["HS256"] });
  const id = typeof claims === "object" ? (claims.jti ?? "") : "";
  const { rowCount } = await pool.query(statements.revoked(id));
  if (rowCount === 0) next();
  else response.sendStatus(401);
};

authors.get("/fetch", requireGoodToken, async (request, response) => {
  const { id, country, page } = request.query;
  const [from, limit] = [Number(request.query["id__gte"]), Number(request.query["limit"])];
  if (id !== undefined) {
    response.json(envelope((await pool.query(statements.byId(Number(id)))).rows));
  } else if (country === undefined) {
    response.json(envelope((await pool.query(statements.list(from, limit))).rows));
  } else if (page === undefined) {
    response.json(envelope((await pool.query(statements.page(String(country), limit))).rows));
  } else {
    const [rows, total] = await Promise.all([
      pool.query(statements.page(String(country), limit)),
      pool.query(statements.count(String(country))),
    ]);
    response.json(envelope(rows.rows, firstPage(total.rows[0].count, limit)));
  }
});

authors.get("/count", requireGoodToken, async (request, response) => {
  const { rows } = await pool.query(statements.count(String(request.query["country"])));
  response.json(envelope({ count: rows[0].count }));
});

authors.post("/create", express.json(), requireGoodToken, async (request, response) => {
  response.json(envelope((await pool.query(statements.create(request.body.data))).rows[0]));
});

authors.put("/update", express.json(), requireGoodToken, async (request, response) => {
  const { where, data } = request.body;
  const { rows } = await pool.query(statements.update(where.id, data.biography));
  response.json(envelope({ updated_count: rows.length, updated_ids: rows.map((row) => row.id) }));
});

app.use("/authors", authors);
serve(createServer(app));
