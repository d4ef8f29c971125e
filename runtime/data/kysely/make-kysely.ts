import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  Kysely,
  PostgresDialect,
} from "kysely";
import type { Json } from "../../../vocabulary/json.ts";
import type { RunStatement } from "../../hooks/context/index.ts";

/** A bound value of a JSON column. A text must be JSON itself, and a list would be an array of the database. */
export type BoundJson = string | number | boolean | { readonly [key: string]: Json };

/**
 * Makes `context.kysely`: Kysely compiles queries, and `run` sends them like statements of `context.sql`, so it
 * refuses the statements of a transaction.
 */
export function makeKysely<Database>(run: RunStatement): Kysely<Database> {
  const connection: DatabaseConnection = {
    executeQuery: <Row>({ sql, parameters }: CompiledQuery) => run<Row>(sql, parameters),
    streamQuery() {
      throw new TypeError("context.kysely cannot stream rows: use execute(), with limit() for parts");
    },
  };
  const dialect = new PostgresDialect({ pool: refusePool });
  // Kysely's own provider waits first, and code could end before its query was known to be running.
  const provider = {
    provideConnection: <T>(use: (connection: DatabaseConnection) => Promise<T>) => use(connection),
  };
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), provider);
  return new Kysely<Database>({ config: { dialect }, dialect, driver: dialect.createDriver(), executor });
}

/** The provider replaces the pool. */
async function refusePool(): Promise<never> {
  throw new Error("context.kysely has no pool");
}
