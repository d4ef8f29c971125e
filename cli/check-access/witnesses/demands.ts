import type { RelationDefinition } from "#generator/definition/definition";
import { conditionText } from "#generator/emit/views/condition-view";
import { typeOf } from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import {
  type CallerColumn,
  type Claim,
  type Condition,
  isOtherField,
  type Operand,
  type Subject,
  startsAtRuleRow,
} from "#vocabulary/conditions/conditions";
import { type Choices, Impossible } from "./choices.ts";
import type { AtomPath } from "./condition-atoms.ts";
import { type Cell, fix, type PlannedRow, type RowPlan, uniqueKeysOf, unite } from "./row-plan.ts";

type Comparison = Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>;

/** Where a part of a condition is about: the current row, and the row with the rule. */
export interface PartPlace {
  readonly at: PlannedRow;
  readonly itself: PlannedRow;
  /** The number of EXISTS around the part. */
  readonly depth: number;
}

/** Turns conditions into rows of a plan and conditions on their columns. */
export class Demands {
  readonly #plan: RowPlan;
  readonly #choices: Choices;
  readonly #caller: Principal;
  /** Null for a caller without a row. */
  readonly #callerRow: PlannedRow | null;

  constructor(plan: RowPlan, choices: Choices, caller: Principal, callerRow: PlannedRow | null) {
    this.#plan = plan;
    this.#choices = choices;
    this.#caller = caller;
    this.#callerRow = callerRow;
  }

  /** Demands that a condition holds, or that it does not. */
  demand(condition: Condition, wanted: boolean, place: PartPlace): void {
    switch (condition.op) {
      case "and":
      case "or": {
        const [first, ...others] = condition.conditions;
        if (first === undefined) return;
        if ((condition.op === "and") === wanted)
          for (const part of condition.conditions) this.demand(part, wanted, place);
        else this.demand(this.#choices.pick([first, ...others]), wanted, place);
        return;
      }
      case "not":
        this.demand(condition.condition, !wanted, place);
        return;
      case "exists": {
        // No row is made where none is wanted.
        if (!wanted) return;
        const inside = this.#reach(condition.path, place);
        if (condition.where !== null) this.demand(condition.where, true, inside);
        return;
      }
      default:
        this.#compare(condition, wanted, place);
    }
  }

  /** Demands that a condition is not what is wanted, and would be without the atom at the path. */
  breakAtom(condition: Condition, [index, ...rest]: AtomPath, wanted: boolean, place: PartPlace): void {
    if (index === undefined) {
      this.demand(condition, !wanted, place);
      return;
    }
    switch (condition.op) {
      case "and":
      case "or":
        for (const [at, part] of condition.conditions.entries()) {
          if (at === index) this.breakAtom(part, rest, wanted, place);
          else this.demand(part, condition.op === "and", place);
        }
        return;
      case "not":
        this.breakAtom(condition.condition, rest, !wanted, place);
        return;
      case "exists":
        if (condition.where !== null)
          this.breakAtom(condition.where, rest, wanted, this.#reach(condition.path, place));
    }
  }

  /** A row at the end of the path of an EXISTS: a new one, or one that the plan has. */
  #reach(path: string, place: PartPlace): PartPlace {
    let { row, names } = this.#start(path.split("."), place);
    for (const name of names) {
      const relation = relationOf(row, name);
      if (relation.kind === "has_many") {
        const linked = this.#plan.linked(row, relation);
        const from = row;
        row = this.#choices.pick([
          () => this.#plan.addRelated(from, relation),
          ...linked.map((each) => () => each),
        ])();
      } else row = this.#plan.related(row, relation);
    }
    return { ...place, at: row, depth: place.depth + 1 };
  }

  #start(
    names: readonly string[],
    { at, itself, depth }: PartPlace,
  ): { row: PlannedRow; names: readonly string[] } {
    return startsAtRuleRow(names, depth) ? { row: itself, names: names.slice(1) } : { row: at, names };
  }

  #cellOf(name: string, place: PartPlace): Cell {
    const all = name.split(".");
    const column = all.pop() ?? "";
    const { row, names } = this.#start(all, place);
    const end = names.reduce((from, each) => this.#plan.related(from, relationOf(from, each)), row);
    return this.#plan.cell(end, column);
  }

  /** The caller's column as a cell. Null without a row. */
  #callerCell({ user }: CallerColumn): Cell | null {
    return this.#callerRow === null ? null : this.#plan.cell(this.#callerRow, user);
  }

  #compare(comparison: Comparison, wanted: boolean, place: PartPlace): void {
    const cell = this.#subjectCell(comparison.field, place);
    // NULL makes a comparison unknown, so it does not hold either.
    const canBeNull = cell !== null && !wanted && cell.nullable && !comparison.op.startsWith("is_");
    const isNull = canBeNull && this.#choices.pick([false, true]);
    if (cell !== null && isKey(cell)) {
      if (isNull) fix(cell, null);
      else this.#compareKey(cell, comparison, wanted, place);
    }
    const named: Condition = isNull
      ? { op: "is_null", field: cell.name }
      : this.#withCells(comparison, place);
    const condition: Condition = isNull || wanted ? named : { op: "not", condition: named };
    const text = conditionText(wanted ? comparison : { op: "not", condition: comparison });
    this.#plan.conditions.push({ condition, text, check: null });
  }

  #subjectCell(subject: Subject, place: PartPlace): Cell | null {
    return typeof subject === "string" ? this.#cellOf(subject, place) : this.#callerCell(subject);
  }

  /** Keys are not searched for: they are those of rows of the plan, of the caller, or of the condition. */
  #compareKey(cell: Cell, comparison: Comparison, wanted: boolean, place: PartPlace): void {
    const { op } = comparison;
    if ((op === "eq" && wanted) || (op === "ne" && !wanted)) this.#equal(cell, comparison.value, place);
    else if ((op === "in" && wanted) || (op === "not_in" && !wanted)) {
      const [first, ...others] = comparison.values;
      if (first !== undefined) this.#equal(cell, this.#choices.pick([first, ...others]), place);
    } else if ((op === "is_null" && wanted) || (op === "is_not_null" && !wanted)) fix(cell, null);
  }

  #equal(cell: Cell, operand: Operand, place: PartPlace): void {
    if (typeof operand !== "object") fix(cell, String(operand));
    else if (isOtherField(operand)) unite(cell, this.#cellOf(operand.field, place));
    else if ("user" in operand) {
      const column = this.#callerCell(operand);
      if (column === null) throw new Impossible(`the caller has no row, so {user.${operand.user}} is NULL`);
      unite(cell, column);
    } else if (operand.placeholder !== "now") fix(cell, this.#claimFor(cell, operand.placeholder));
  }

  #claimFor(cell: Cell, name: Claim): string {
    const claim = this.#caller[name];
    if (claim === null || claim === "") throw new Impossible(`the caller has no {${name}}`);
    const value = typeOf(cell).parse(claim);
    if (value === undefined) throw new Impossible(`{${name}} of the caller cannot be in ${cell.column}`);
    return String(value);
  }

  /** The comparison with the names of cells instead of fields. */
  #withCells(comparison: Comparison, place: PartPlace): Comparison {
    const subject = this.#subjectCell(comparison.field, place);
    const field = subject?.name ?? comparison.field;
    if (!("value" in comparison) || comparison.op === "contains") return { ...comparison, field };
    const { op, value } = comparison;
    if (isOtherField(value)) return { op, field, value: { field: this.#cellOf(value.field, place).name } };
    const isColumn = typeof value === "object" && "user" in value && op !== "like" && op !== "ilike";
    const cell = isColumn ? this.#callerCell(value) : null;
    return { op, field, value: cell !== null && cell.kind === subject?.kind ? { field: cell.name } : value };
  }
}

function relationOf({ model }: PlannedRow, name: string): RelationDefinition {
  const relation = model.relations.find((each) => each.name === name);
  if (relation === undefined) throw new Error(`${model.key} has no relation ${name}`);
  return relation;
}

/** Whether the value of a cell can tell which row it is in, or leads to. */
function isKey({ column, field, group, row }: Cell): boolean {
  const inUniqueKey = uniqueKeysOf(row.model).some((fields) => fields.includes(column));
  return inUniqueKey || field?.foreignKey != null || group.cells.length > 1;
}
