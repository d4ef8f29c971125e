import type { Condition, Value } from "../../../../vocabulary/conditions/conditions.ts";
import type { Problem } from "../../../core/errors/index.ts";
import {
  type Caller,
  type CrudServices,
  crud,
  type ModelEntry,
  operationContext,
  readListInput,
} from "../../../data/operations/index.ts";
import { type Grant, grantOf } from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";

/** Rows of a model in an export, at most. */
const mostRows = 10_000;
const pageRows = 500;

/** A model whose rows refer to the caller, and the rows of it that the caller can fetch. */
export interface ExportedModel {
  readonly entry: ModelEntry;
  readonly grant: Grant;
}

/** The models of an export: those that refer to accounts and that the role of the caller can fetch. */
export function exportedModels(entries: readonly ModelEntry[], { principal }: Caller): ExportedModel[] {
  return entries.flatMap((entry) => {
    const own = refersToCaller(entry.model);
    const grant = own === null ? null : grantOf(entry.policy.fetch, principal);
    return own === null || grant === null ? [] : [{ entry, grant: narrowed(grant, own) }];
  });
}

/** Holds for rows that refer to the account of the caller, by any relation. Null without one. */
function refersToCaller({ relations }: Model): Condition | null {
  const conditions = Object.values(relations)
    .filter(({ kind, model }) => kind === "belongs_to" && model === "users")
    .map(({ field, references }): Condition => ({ op: "eq", field, value: accountValue(references) }));
  return conditions.length === 0 ? null : { op: "or", conditions };
}

function accountValue(column: string): Value {
  return column === "id" ? { placeholder: "user_id" } : { user: column };
}

function narrowed({ scope, ...grant }: Grant, own: Condition): Grant {
  const when: Condition = scope.kind === "some" ? { op: "and", conditions: [scope.when, own] } : own;
  return { ...grant, scope: { kind: "some", when } };
}

/** A page of rows as JSON text, `[…]`. */
interface RowPage {
  readonly data: string;
  /** Whether the export leaves out further rows. */
  readonly isTruncated: boolean;
}

/** Reads the rows of a model by id, a page at a time. Hooks of the model run as for a fetch. */
export async function* pagesOf(
  services: CrudServices,
  caller: Caller,
  { entry, grant }: ExportedModel,
): AsyncGenerator<RowPage> {
  const call = operationContext(services, entry, caller);
  let [left, cursor] = [mostRows, "start"];
  for (;;) {
    const limit = Math.min(left, pageRows, entry.model.maxLimit);
    const parameters = new Map<string, unknown>([
      ["limit", limit],
      ["page__after", cursor],
    ]);
    const problems: Problem[] = [];
    const input = readListInput(entry.model, [], parameters, problems);
    if (problems.length > 0) throw new Error(`${entry.model.key} cannot be exported`);
    const { data, pagination } = await crud.fetch.run(call, grant, input);
    left -= limit;
    const next = pagination !== undefined && "next" in pagination ? pagination.next : null;
    yield { data, isTruncated: next !== null && left === 0 };
    if (next === null || left === 0) return;
    cursor = next;
  }
}
