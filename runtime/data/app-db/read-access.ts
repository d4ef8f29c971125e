import type { Problem } from "../../core/errors/index.ts";
import { parseStored } from "../../core/text/index.ts";
import type { ReadAccess, Selected } from "../../hooks/context/index.ts";
import type { AnyTypes, Model } from "../../models/index.ts";
import { crud, type ListInput, type ModelEntry } from "../operations/index.ts";
import { readFilter, readId, readQuery } from "./code-values.ts";
import { beginCall, runCall } from "./run-call.ts";
import type { Standing } from "./standing.ts";

type Reading = "fetch" | "search" | "count" | "exists";
type Row = AnyTypes["row"];

/** The methods of a model that read. Each is one operation, and one statement. */
export function readAccess(standing: Standing, entry: ModelEntry): ReadAccess<AnyTypes> {
  /** Reads by an operation, whose answer is the JSON of `Data`. */
  function ask<Data, Result>(
    operation: Reading,
    read: (model: Model, problems: Problem[]) => ListInput,
    result: (data: Data) => Result,
  ): Promise<Result> {
    return runCall(standing.scope, async () => {
      const { call, grant, input } = beginCall(standing, entry, operation, ({ model }, problems) =>
        read(model, problems),
      );
      // Inside a transaction what its hooks have asked for is undone with it anyway.
      const { data } = await call.later.within((later) =>
        crud[operation].run({ ...call, later }, grant, input),
      );
      return result(parseStored(data));
    });
  }
  /** The rows have the fields that were asked for. */
  const list = <Name extends string>(operation: "fetch" | "search", query: unknown) =>
    ask(
      operation,
      (model, problems) => readQuery(model, operation, query, problems),
      (rows: Selected<AnyTypes, Name>[]) => rows,
    );
  return {
    fetch: (query = {}) => list("fetch", query),
    search: (query) => list("search", query),
    count: (where = {}) =>
      ask(
        "count",
        (model, problems) => readFilter(model, where, problems),
        (data: { readonly count: number }) => data.count,
      ),
    exists: (where = {}) =>
      ask(
        "exists",
        (model, problems) => readFilter(model, where, problems),
        (data: { readonly exists: boolean }) => data.exists,
      ),
    get: (id) =>
      ask(
        "fetch",
        (model, problems) => readId(model, id, problems),
        ([row]: Row[]) => row ?? null,
      ),
  };
}
