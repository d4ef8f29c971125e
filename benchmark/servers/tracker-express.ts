/** The same rules written by hand: Express 5 and pg, with a look at the token and at the list of revoked ones. */
import { createSecretKey } from "node:crypto";
import { createServer } from "node:http";
import express from "express";
import jsonwebtoken from "jsonwebtoken";
import pg from "pg";
import { databaseUrl, serve } from "./serve.ts";
import { envelope, statements } from "./statements.ts";
import { firstTasks, newestTasks, type RuleRole, ruleRoles, taskCount } from "./tracker-statements.ts";

const pool = new pg.Pool({ connectionString: databaseUrl(), max: 10 });
const key = createSecretKey(Buffer.from(process.env["BENCHMARK_SECRET"] ?? ""));
const app = express();

interface Caller {
  readonly role: RuleRole;
  readonly userId: string;
}

/** A server with accounts does no less. */
async function callerOf(request: express.Request): Promise<Caller> {
  const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  const claims = jsonwebtoken.verify(token, key, { algorithms: ["HS256"] });
  if (typeof claims === "string") throw new Error("no claims");
  const { rowCount } = await pool.query(statements.revoked(claims.jti ?? ""));
  const role = ruleRoles.find((name) => name === claims["role"]);
  if (rowCount !== 0 || role === undefined) throw new Error("no such caller");
  return { role, userId: claims.sub ?? "" };
}

app.get("/tasks/fetch", async (request, response) => {
  const { role, userId } = await callerOf(request);
  const make = request.query["order_by"] === undefined ? firstTasks : newestTasks;
  response.json(envelope((await pool.query(make(role, userId))).rows));
});

app.get("/tasks/count", async (request, response) => {
  const { role, userId } = await callerOf(request);
  response.json(envelope({ count: (await pool.query(taskCount(role, userId))).rows[0].count }));
});

serve(createServer(app));
