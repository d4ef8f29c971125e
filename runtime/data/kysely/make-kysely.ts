import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { Json } from "../../../vocabulary/json.ts";
import type { RunStatement } from "../../hooks/context/index.ts";

/** A bound value of a JSON column. A text must be JSON itself, and a list would be an array of the database. */
export type BoundJson = string | number | boolean | { readonly [key: string]: Json };

/** Makes `context.kysely`: Kysely compiles queries, and `run` sends them like statements of `context.sql`. */
export function makeKysely<Database>(run: RunStatement): Kysely<Database> {
  const connection = connectionOf(run);
  const driver = Object.assign(new DummyDriver(), {
    acquireConnection: async () => connection,
    beginTransaction: refuseTransaction,
  });
  const dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database: Kysely<unknown>) => new PostgresIntrospector(database),
  };
  // Kysely's own provider waits first, and code could end before its query was known to be running.
  const provider = {
    provideConnection: <T>(use: (connection: DatabaseConnection) => Promise<T>) => use(connection),
  };
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), provider);
  return new Kysely<Database>({ config: { dialect }, dialect, driver, executor });
}

function connectionOf(run: RunStatement): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const { rows, affected } = await run<Row>(sql, parameters);
      return { rows, ...(affected !== null && { numAffectedRows: affected }) };
    },
    streamQuery() {
      throw new TypeError("context.kysely cannot stream rows: use execute(), with limit() for parts");
    },
  };
}

async function refuseTransaction(): Promise<never> {
  throw new TypeError("context.kysely cannot begin or end a transaction: use context.db.transaction()");
}
