import { readFilters } from "#runtime/data/operations/index";
import {
  columnsOfTable,
  decidingKey,
  every,
  type Filter,
  filtersSql,
  plan,
  scopeSql,
  sql,
  tableSql,
  type Visibility,
  visibilitySql,
} from "#runtime/data/sql/index";
import type { Principal, RoleView } from "#runtime/models/access/index";
import type { JsonObject } from "#vocabulary/json";
import type { Operation } from "#vocabulary/operations";
import { type AskedInput, isRead } from "./asked-input.ts";
import type { CallerRule, RuleSet } from "./caller-rules.ts";
import { evaluateParts, existingRows, type RowsToEvaluate } from "./evaluate-parts.ts";
import {
  allowed,
  denied,
  type ExplainedRow,
  type ExplainedState,
  missing,
  type Verdict,
} from "./explanation.ts";
import { changedRows, newRow } from "./row-states.ts";
import { type Subject, showsOf } from "./subject.ts";

/** Most rows of a filter that are evaluated, and that are shown. */
export const mostRows = { evaluated: 1_000, shown: 20 } as const;

/** Who asks, and by which rules. */
export interface Asking {
  readonly subject: Subject;
  readonly principal: Principal;
  readonly view: RoleView;
  readonly sets: readonly RuleSet[];
  readonly input: AskedInput;
}

export interface RowAnswers {
  readonly rows: readonly ExplainedRow[];
  readonly more: number;
  readonly answer: Verdict;
}

const sees: Readonly<Partial<Record<Operation, Visibility>>> = { destroy: "all", restore: "deleted" };

interface MatchedRow {
  readonly id: string;
  readonly deleted: boolean;
  /** Whether it matches the filters of `--query` too. */
  readonly fits: boolean;
  /** Whether the caller can fetch it. */
  readonly fetched: boolean;
}

/** Explains the rows that were asked about; null if no row and no record was given. */
export async function explainAskedRows(asking: Asking): Promise<RowAnswers | null> {
  const { subject, input } = asking;
  const { data, rows } = input;
  if (rows !== null) return explainExisting(asking, rows.filters, rows.by === "id");
  if (data === null || subject.operation === "update" || subject.operation === "restore") return null;
  return subject.operation === "upsert" ? explainUpsert(asking, data) : explainNew(asking, data);
}

async function explainNew(asking: Asking, data: JsonObject): Promise<RowAnswers> {
  const rules = rulesAbout(asking, "new rows");
  const states = await statesOf(asking, rules, "new row", newRow(asking.subject, data));
  return summary([rowOf(null, [...states.values()])], 0);
}

/** The row with the first complete unique key decides which rules apply. */
async function explainUpsert(asking: Asking, data: JsonObject): Promise<RowAnswers | null> {
  const { model } = asking.subject;
  const key = decidingKey(model, data);
  if (key === undefined) return null;
  const keys = key.map((name): [string, unknown] => [name, data[name]]);
  const filters = readFilters(model, keys, []);
  const { found } = await matchedRows(asking, filters, true);
  if (found.some(({ deleted }) => !deleted)) return explainExisting(asking, filters, true);
  // A sent id must exist, unless it is a new UUID.
  return key[0] !== "id" || (model.id === "uuid" && found.length === 0) ? explainNew(asking, data) : null;
}

async function explainExisting(
  asking: Asking,
  filters: readonly Filter[],
  named: boolean,
): Promise<RowAnswers> {
  const { subject, input } = asking;
  const { found, total } = await matchedRows(asking, filters, named);
  const none = named ? "there is no such row" : "no row matches the filter";
  if (found.length === 0) return { rows: [], more: 0, answer: missing(none) };
  const ids = found.map(({ id }) => id);
  const rules = rulesAbout(asking, "existing rows");
  const { data } = input;
  const state = data === null ? "row" : "before the change";
  const before = await statesOf(asking, rules, state, existingRows(subject.model, ids));
  const changed = data && changedRows(subject, ids, withoutKeys(data));
  const after = changed && (await statesOf(asking, rules, "after the change", changed));
  const rows = found.map((row): ExplainedRow => {
    const states = [before.get(row.id), after?.get(row.id)].filter((state) => state !== undefined);
    const answered = rowOf(row.id, states);
    const absent = absence(subject.operation, row);
    if (absent !== null) return { ...answered, answer: missing(absent) };
    if (answered.answer.outcome === "allowed") return answered;
    if (isRead(subject.operation)) return { ...answered, answer: missing("no rule holds for the row") };
    const isReached = named || row.fetched || before.get(row.id)?.rules.some(({ holds }) => holds === true);
    if (isReached) return answered;
    return { ...answered, answer: missing("the caller can neither change nor fetch the row") };
  });
  return summary(rows, total - rows.length);
}

/** Why the operation does not find a row. */
function absence(operation: Operation, { deleted, fits }: MatchedRow): string | null {
  const seen = sees[operation] ?? "live";
  if (seen === "live" && deleted) return "the row is soft-deleted";
  if (seen === "deleted" && !deleted) return "the row is not soft-deleted";
  return fits ? null : "the filters of --query exclude the row";
}

/** Rows by id are found in any state, to tell why an operation does not see them. */
async function matchedRows(
  { subject, principal, view, input }: Asking,
  filters: readonly Filter[],
  named: boolean,
): Promise<{ readonly found: readonly MatchedRow[]; readonly total: number }> {
  const { model, models, operation, app } = subject;
  const row = columnsOfTable(model, "t");
  const others = input.list.filters.filter((filter) => !filters.includes(filter));
  const made = plan(
    sql(
      `select ?::text, ?, coalesce(?, false), coalesce(?, false), count(*) over () from ? as t where ? order by ? limit ${mostRows.evaluated}`,
      row("id"),
      model.softDelete ? sql("? is not null", row("deleted_at")) : sql("false"),
      every(filtersSql(others, row, filters.length)),
      every(scopeSql(view.fetches, model, models, row, "read")),
      tableSql(model),
      every([
        ...filtersSql(filters, row),
        ...(named ? [] : visibilitySql(model, sees[operation] ?? "live", row)),
      ]),
      row("id"),
    ),
  );
  const values = [...filters, ...others].map(({ value }) => value);
  const { text } = made.statement;
  const rows = await app.connection.run({ name: null, text }, made.bind(values, principal));
  const found = rows.map(([id, ...flags]) => {
    const [deleted = false, fits = false, fetched = false] = flags.map((flag) => flag === "t");
    return { id: id ?? "", deleted, fits, fetched };
  });
  return { found, total: Number(rows[0]?.[4] ?? 0) };
}

/** Only an upsert has two sets of rules. */
function rulesAbout({ sets }: Asking, about: RuleSet["about"]): readonly CallerRule[] {
  const set = sets.find((one) => one.about === about) ?? sets[0];
  return set?.rules.filter(({ shown }) => shown.counts) ?? [];
}

/** Evaluates all rules for the rows in one statement. By id, "" for a new row. */
async function statesOf(
  { subject, principal }: Asking,
  rules: readonly CallerRule[],
  state: ExplainedState["state"],
  rows: RowsToEvaluate,
): Promise<ReadonlyMap<string, ExplainedState>> {
  const { app, models } = subject;
  const evaluation = { connection: app.connection, models, shows: showsOf(app.definition) };
  const conditions = rules.flatMap(({ written }) => (written === null ? [] : [written]));
  const found = await evaluateParts(evaluation, rows, conditions, principal);
  return new Map(
    found.map(({ id, parts }) => {
      const rest = [...parts];
      const held = rules.map(({ shown: { file, line, role }, written }) => {
        const condition = written === null ? null : (rest.shift() ?? null);
        return { file, line, role, holds: condition === null ? true : condition.truth, condition };
      });
      return [id ?? "", { state, rules: held }];
    }),
  );
}

/** A write needs a rule that holds in each state: before and after it. */
function rowOf(id: string | null, states: readonly ExplainedState[]): ExplainedRow {
  const failed = states.find(({ rules }) => !rules.some(({ holds }) => holds === true));
  if (failed === undefined) return { id, states, answer: allowed };
  const when = failed.state === "row" || failed.state === "new row" ? "" : ` ${failed.state}`;
  return { id, states, answer: denied(`403 PERMISSION_DENIED, no rule holds${when}`) };
}

function summary(rows: readonly ExplainedRow[], unseen: number): RowAnswers {
  const shown = rows.slice(0, mostRows.shown);
  const found = { rows: shown, more: unseen + rows.length - shown.length };
  const failed = rows.filter(({ answer }) => answer.outcome !== "allowed");
  const worst = failed.find(({ answer }) => answer.outcome === "refused") ?? failed[0];
  if (worst === undefined) return { ...found, answer: allowed };
  const { answer } = worst;
  const text = rows.length === 1 ? answer.text : `${answer.text} (${failed.length} of ${rows.length} rows)`;
  return { ...found, answer: { ...answer, text } };
}

function withoutKeys({ id, deleted_at, ...data }: JsonObject): JsonObject {
  return data;
}
