import knex, { type Knex } from "knex";
import type pg from "pg";

/**
 * A knex instance that runs everything on one connection and takes itself to be inside a transaction, so that
 * `transaction()` on it makes a savepoint. `acquire` is asked before each query.
 */
export function bindKnex(acquire: () => Promise<pg.Client>): Knex {
  const bound = knex({ client: "pg" });
  bound.client.transacting = true;
  bound.client.acquireConnection = acquire;
  bound.client.releaseConnection = async () => {};
  return bound;
}
