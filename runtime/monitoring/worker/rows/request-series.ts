import type { RequestRecord } from "../../records/monitoring-records.ts";
import type { Database } from "../database/sqlite.ts";

/** What the requests of one series have in common. */
type SeriesNames = Pick<RequestRecord, "method" | "route" | "model" | "operation">;

/** Ids of the series of requests, which are written when the first of their requests is. */
export class RequestSeries {
  readonly #statements: ReturnType<typeof statementsOf>;
  /** Of each route the few that there are: comparing their names is faster than making one key of four. */
  readonly #ofRoute = new Map<string, (SeriesNames & { readonly id: number })[]>();

  constructor(database: Database) {
    this.#statements = statementsOf(database);
  }

  /** Within a transaction. */
  idOf({ method, route, model, operation }: SeriesNames): number {
    let known = this.#ofRoute.get(route);
    if (known === undefined) {
      known = [];
      this.#ofRoute.set(route, known);
    }
    for (const series of known) {
      if (series.method === method && series.model === model && series.operation === operation)
        return series.id;
    }
    const { insert, find } = this.#statements;
    insert.run(method, route, model, operation);
    const id = find.get(method, route, model ?? "", operation ?? "") ?? 0;
    known.push({ method, route, model, operation, id });
    return id;
  }

  /** What was written since the transaction began may have been undone. */
  forget(): void {
    this.#ofRoute.clear();
  }
}

function statementsOf(database: Database) {
  return {
    insert: database.prepare<[string, string, string | null, string | null]>(
      "insert or ignore into request_series (method, route, model, operation) values (?, ?, ?, ?)",
    ),
    find: database
      .prepare<[string, string, string, string], number>(
        `select id from request_series
         where method = ? and route = ? and ifnull(model, '') = ? and ifnull(operation, '') = ?`,
      )
      .pluck(),
  };
}
