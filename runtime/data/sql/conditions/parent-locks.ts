import type { Condition } from "../../../../vocabulary/conditions/conditions.ts";
import type { Scope } from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";
import {
  type ColumnSql,
  columnsOfTable,
  every,
  forShare,
  join,
  lockUnlessView,
  type Sql,
  sql,
  tableSql,
} from "../sql.ts";
import { isUnsure, parentLockName, treeSql } from "./condition.ts";
import {
  type ConditionContext,
  columnWhereLive,
  fieldPathOf,
  fieldsOf,
  type Hop,
  type Leaf,
  liveSql,
  type Models,
  type Path,
  type PathContext,
  type Polarity,
  pathOf,
  reachesOwnModel,
  underExists,
  underNot,
} from "./relations.ts";

/** One relation on the way to a locked parent row. */
interface LockStep {
  readonly hop: Hop;
  /** Comparisons that narrow the rows; null if all rows count, soft-deleted ones too. */
  readonly narrowed: readonly Leaf[] | null;
}

/**
 * Parent rows that are locked before a write whose condition depends on absent rows. Other rows can join
 * them: `NOT EXISTS (organisation.bans)`, or a `has_one` of which another row can become the first. The
 * foreign key of such a row needs a lock on its parent row, so its transaction waits.
 */
interface ParentLock {
  /** From the row that the rule applies to; empty for that row itself. */
  readonly steps: readonly LockStep[];
  /** The number of joinable relations before it. Their parents are locked first, by separate statements. */
  readonly level: number;
}

interface LockPosition extends PathContext {
  readonly polarity: Polarity;
  /** The steps and the level of the current row. */
  readonly reached: ParentLock;
}

const known = new WeakMap<
  Condition,
  { readonly model: Model; readonly models: Models; readonly locks: readonly ParentLock[] }
>();

/** The parent rows to lock for a condition on a model; empty if it depends only on existing rows. */
function parentLocksOf(condition: Condition, model: Model, models: Models): readonly ParentLock[] {
  const remembered = known.get(condition);
  if (remembered?.model === model && remembered.models === models) return remembered.locks;
  const locks: ParentLock[] = [];
  const itself = { model };
  const reached = { steps: [], level: 0 };
  addLocks(condition, { models, itself, at: itself, depth: 0, polarity: "positive", reached }, locks);
  known.set(condition, { model, models, locks });
  return locks;
}

function addLocks(condition: Condition, position: LockPosition, locks: ParentLock[]): void {
  switch (condition.op) {
    case "and":
    case "or":
      for (const inner of condition.conditions) addLocks(inner, position, locks);
      return;
    case "not":
      addLocks(condition.condition, { ...position, polarity: underNot(position.polarity) }, locks);
      return;
    case "exists":
      addExistsLocks(condition, position, locks);
      return;
    default:
      for (const name of fieldsOf(condition)) {
        const { path } = fieldPathOf(name, position);
        addPathLocks(path, position, "positive", null, locks);
      }
  }
}

function addExistsLocks(
  { path, where }: Extract<Condition, { op: "exists" }>,
  position: LockPosition,
  locks: ParentLock[],
): void {
  const polarity = underExists(position.polarity);
  const found = pathOf(path.split("."), position);
  const reached = addPathLocks(found, position, polarity, where, locks);
  if (where === null) return;
  const at = { model: found.end };
  addLocks(where, { ...position, at, depth: position.depth + 1, polarity, reached }, locks);
}

/** Adds the locks of a path. Returns the steps and the level of its end. */
function addPathLocks(
  { fromItself, hops }: Path,
  { reached }: LockPosition,
  polarity: Polarity,
  where: Condition | null,
  locks: ParentLock[],
): ParentLock {
  let { steps, level }: ParentLock = fromItself ? { steps: [], level: 0 } : reached;
  for (const [index, hop] of hops.entries()) {
    const { kind } = hop.relation;
    const joinable = kind === "has_one" || (kind === "has_many" && polarity === "absent");
    if (joinable) locks.push({ steps, level: level++ });
    const isLast = index === hops.length - 1;
    const narrowed = joinable || kind === "belongs_to" ? null : isLast ? plainLeaves(where) : [];
    steps = [...steps, { hop, narrowed }];
  }
  return { steps, level };
}

/** The AND-ed comparisons of a row's own columns with values that do not depend on the time. */
function plainLeaves(where: Condition | null): Leaf[] {
  if (where === null) return [];
  switch (where.op) {
    case "and":
      return where.conditions.flatMap(plainLeaves);
    case "or":
    case "not":
    case "exists":
      return [];
    default:
      return isPlain(where) ? [where] : [];
  }
}

function isPlain(where: Leaf): boolean {
  const own = typeof where.field === "string" && fieldsOf(where).every((name) => !name.includes("."));
  return own && !valuesOf(where).some(isMoment);
}

function valuesOf(leaf: Leaf): readonly unknown[] {
  if ("values" in leaf) return leaf.values;
  if ("from" in leaf) return [leaf.from, leaf.to];
  return "value" in leaf ? [leaf.value] : [];
}

function isMoment(value: unknown): boolean {
  return typeof value === "object" && value !== null && "placeholder" in value && value.placeholder === "now";
}

/** The rows of a statement that a rule applies to: existing rows before or after a change, or new records. */
interface RuleRows {
  readonly model: Model;
  readonly from: Sql;
  readonly row: ColumnSql;
}

/**
 * Locks the parent rows in the order of their ids, and the rows on the way to them. Returns their names as an
 * array.
 */
function parentLockSql({ steps }: ParentLock, rows: RuleRows, models: Models): Sql {
  const last = steps.at(-1);
  if (last === undefined) throw new Error("the rows that a rule applies to need no parent lock");
  const model = last.hop.target;
  const row = columnsOfTable(model, "way$");
  return sql(
    "array(select ? from ? as way$ where ? order by ? ?)",
    parentLockName({ model, row }),
    tableSql(model),
    whereSql(steps, last, rows, models),
    row("id"),
    lockUnlessView(model, sql("for update")),
  );
}

/** The condition for the rows that the steps lead to. */
function whereSql(
  steps: readonly LockStep[],
  { hop, narrowed }: LockStep,
  rows: RuleRows,
  models: Models,
): Sql {
  const keys = keysSql(steps.slice(0, -1), hop.relation.field, rows, models);
  const row = columnsOfTable(hop.target, "way$");
  const linked = sql("? = any(array(?))", row(hop.relation.references), keys);
  if (narrowed === null) return linked;
  const at = { model: hop.target, row, given: false };
  const outermost = { depth: 1, polarity: "positive", negated: false } as const;
  const place = { models, mode: "locked", itself: at, at, ...outermost } as const;
  return every([linked, ...liveSql(hop, "way$"), ...narrowed.map((leaf) => treeSql(leaf, place))]);
}

/**
 * A column of all rows at the end of the steps. Soft-deleted rows are locked, but the next step does not
 * follow them.
 */
function keysSql(steps: readonly LockStep[], column: string, rows: RuleRows, models: Models): Sql {
  const last = steps.at(-1);
  if (last === undefined) return sql("select ? from ?", rows.row(column), rows.from);
  return sql(
    "select ? from ? as way$ where ? ?",
    columnWhereLive(last.hop, "way$", column),
    tableSql(last.hop.target),
    whereSql(steps, last, rows, models),
    forShare(last.hop.target),
  );
}

/**
 * The `belongs_to` relations of the row that make a condition true if they lead to no row. A key of a request
 * for one of them must not lead to an invisible row.
 */
export function givenKeys(condition: Condition, model: Model, models: Models): Hop[] {
  const found = new Map<string, Hop>();
  const itself = { model };
  addGivenKeys(condition, { models, itself, at: itself, depth: 0, polarity: "positive" }, found);
  return [...found.values()];
}

type Position = PathContext & Pick<ConditionContext, "polarity">;

function addGivenKeys(condition: Condition, position: Position, found: Map<string, Hop>): void {
  switch (condition.op) {
    case "and":
    case "or":
      for (const inner of condition.conditions) addGivenKeys(inner, position, found);
      return;
    case "not":
      addGivenKeys(condition.condition, { ...position, polarity: underNot(position.polarity) }, found);
      return;
    case "exists": {
      const path = pathOf(condition.path.split("."), position);
      if (position.polarity !== "positive") addGivenKey(path, position, found);
      if (condition.where === null) return;
      const polarity: Polarity = underExists(position.polarity);
      const inside = { ...position, at: { model: path.end }, depth: position.depth + 1, polarity };
      addGivenKeys(condition.where, inside, found);
      return;
    }
    default:
      for (const name of fieldsOf(condition)) {
        const { path } = fieldPathOf(name, position);
        if (isUnsure(path, condition, position)) addGivenKey(path, position, found);
      }
  }
}

function addGivenKey(
  { fromItself, hops: [first] }: Path,
  { depth }: Position,
  found: Map<string, Hop>,
): void {
  const begins = fromItself || depth === 0;
  if (begins && first?.relation.kind === "belongs_to") found.set(first.relation.field, first);
}

/** Whether the rules of a write apply to an existing row, or to a record that the write adds. */
type LockSubject = "row" | "record";

/**
 * The number of statements that lock rows before a write whose condition depends on absent rows. A statement
 * that waits for a lock does not see commits since its start. The next statement sees them.
 */
export function lockLevelCount(scope: Scope, model: Model, models: Models, subject: LockSubject): number {
  return 1 + Math.max(-1, ...parentLocksFor(scope, model, models, subject).map(({ level }) => level));
}

/** The locks of one level, as columns of a select list. */
export function lockColumns(
  scope: Scope,
  level: number,
  rows: RuleRows,
  models: Models,
  subject: LockSubject,
): Sql[] {
  return parentLocksFor(scope, rows.model, models, subject)
    .filter((lock) => lock.level === level && lock.steps.length > 0)
    .map((lock) => parentLockSql(lock, rows, models));
}

export function columnsOnce(columns: readonly Sql[]): Sql {
  return join([...new Map(columns.map((column) => [JSON.stringify(column.parts), column])).values()], ", ");
}

/** For a record, only locks over its `belongs_to` keys: no row references it yet. */
function parentLocksFor(
  scope: Scope,
  model: Model,
  models: Models,
  subject: LockSubject,
): readonly ParentLock[] {
  if (scope.kind !== "some") return [];
  const locks = parentLocksOf(scope.when, model, models);
  if (subject === "row") return locks;
  return locks.filter(({ steps: [first] }) => first?.hop.relation.kind === "belongs_to");
}

/** Whether the rows that a write may change depend on other rows of the same model. */
export function dependsOnOwnModel(scope: Scope, model: Model, models: Models): boolean {
  return scope.kind === "some" && reachesOwnModel(scope.when, model, models);
}
