import type { RelationDefinition } from "#generator/definition/definition";
import { conditionText } from "#generator/emit/views/condition-view";
import type { Principal } from "#runtime/models/access/index";
import {
  type CallerColumn,
  type Condition,
  isOtherField,
  type Operand,
  startsAtRuleRow,
  type Subject,
} from "#vocabulary/conditions/conditions";
import { type Choices, Impossible } from "./choices.ts";
import type { AtomPath } from "./condition-atoms.ts";
import { type Cell, fix, type PlannedRow, type RowPlan, unite } from "./row-plan.ts";

type Comparison = Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>;

/** Where a part of a condition is about: the current row, and the row with the rule. */
export interface Place {
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
  demand(condition: Condition, wanted: boolean, place: Place): void {
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
  breakAtom(condition: Condition, [index, ...rest]: AtomPath, wanted: boolean, place: Place): void {
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
  #reach(path: string, place: Place): Place {
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
    { at, itself, depth }: Place,
  ): { row: PlannedRow; names: readonly string[] } {
    return startsAtRuleRow(names, depth) ? { row: itself, names: names.slice(1) } : { row: at, names };
  }

  #cellOf(name: string, place: Place): Cell {
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

  #compare(comparison: Comparison, wanted: boolean, place: Place): void {
    const text = conditionText(wanted ? comparison : { op: "not", condition: comparison });
    const cell = this.#subjectCell(comparison.field, place);
    if (cell === null) return this.#add(this.#withCells(comparison, place), wanted, text);
    // NULL makes a comparison unknown, so it does not hold either.
    if (!wanted && isNullable(cell) && !comparison.op.startsWith("is_")) {
      const test = this.#choices.pick<Condition | null>([null, { op: "is_null", field: cell.name }]);
      if (test !== null) {
        if (isKey(cell)) fix(cell, null);
        this.#add(test, true, text);
        return;
      }
    }
    if (isKey(cell)) this.#compareKey(cell, comparison, wanted, place);
    this.#add(this.#withCells(comparison, place), wanted, text);
  }

  #add(condition: Condition, wanted: boolean, text: string): void {
    this.#plan.conditions.push({
      condition: wanted ? condition : { op: "not", condition },
      text,
      check: null,
    });
  }

  #subjectCell(subject: Subject, place: Place): Cell | null {
    return typeof subject === "string" ? this.#cellOf(subject, place) : this.#callerCell(subject);
  }

  /** Keys are not searched for: they are those of rows of the plan, of the caller, or of the condition. */
  #compareKey(cell: Cell, comparison: Comparison, wanted: boolean, place: Place): void {
    const { op } = comparison;
    if ((op === "eq" && wanted) || (op === "ne" && !wanted)) this.#equal(cell, comparison.value, place);
    else if ((op === "in" && wanted) || (op === "not_in" && !wanted)) {
      const [first, ...others] = comparison.values;
      if (first !== undefined) this.#equal(cell, this.#choices.pick([first, ...others]), place);
    } else if ((op === "is_null" && wanted) || (op === "is_not_null" && !wanted)) fix(cell, null);
  }

  #equal(cell: Cell, operand: Operand, place: Place): void {
    if (typeof operand !== "object") return fix(cell, String(operand));
    if (isOtherField(operand)) return unite(cell, this.#cellOf(operand.field, place));
    if ("placeholder" in operand) {
      if (operand.placeholder === "now") return;
      const claim = this.#caller[operand.placeholder];
      if (claim === null) throw new Impossible(`the caller has no {${operand.placeholder}}`);
      return fix(cell, claim);
    }
    const column = this.#callerCell(operand);
    if (column === null) throw new Impossible(`the caller has no row, so {user.${operand.user}} is NULL`);
    const current = column.row.stored?.get(column.column) ?? null;
    // Its own value first, otherwise another one that the caller's row gets.
    if (current !== null && this.#choices.pick([true, false])) fix(column, current);
    unite(cell, column);
  }

  /** The comparison with the names of cells instead of fields. */
  #withCells(comparison: Comparison, place: Place): Comparison {
    const subject = (field: Subject): Subject => this.#subjectCell(field, place)?.name ?? field;
    const operand = (value: Operand): Operand =>
      isOtherField(value) ? { field: this.#cellOf(value.field, place).name } : value;
    const field = subject(comparison.field);
    switch (comparison.op) {
      case "in":
      case "not_in":
      case "overlaps":
      case "between":
      case "contains":
      case "is_null":
      case "is_not_null":
        return { ...comparison, field };
      default: {
        const { op, value } = comparison;
        if (typeof value === "object" && "user" in value) {
          const cell = this.#callerCell(value);
          if (cell !== null && cell.kind === this.#subjectCell(comparison.field, place)?.kind)
            return { op, field, value: op === "like" || op === "ilike" ? value : { field: cell.name } };
        }
        return { op, field, value: operand(value) };
      }
    }
  }
}

function relationOf({ model }: PlannedRow, name: string): RelationDefinition {
  const relation = model.relations.find((each) => each.name === name);
  if (relation === undefined) throw new Error(`${model.key} has no relation ${name}`);
  return relation;
}

/** Whether the value of a cell can tell which row it is in, or leads to. */
function isKey({ column, field, group, row }: Cell): boolean {
  const inUniqueKey = row.model.uniqueKeys.some(({ fields }) => fields.includes(column));
  return column === "id" || inUniqueKey || field?.foreignKey != null || group.cells.length > 1;
}

function isNullable({ field, column }: Cell): boolean {
  return field === null ? column === "deleted_at" : field.nullable;
}
