import { columnsOfCheck, type Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { PlannedChange } from "./schema.ts";

const maxLength = 60;

/**
 * Names a migration after its content: `add_isbn_to_books`, `add_unique_title_to_books`, `change_5_tables`. Ignores steps that
 * follow from another step, such as the index of a new column.
 */
export function contentName(changes: readonly PlannedChange[]): string {
  const steps = changes.map((entry) => entry.step);
  const main = leading(steps);
  const phrases = new Set(main.map(phraseOf));
  const [only = null] = phrases;
  const named = phrases.size === 1 ? only : (renamedTable(main) ?? sameKind(main));
  return spelled(named ?? tablesChanged(steps));
}

/** The rename of the only changed table gives the name. `_and_more` stands for other changes of it. */
function renamedTable(main: readonly Step[]): string | null {
  const rename = main.find((step) => step.step === "rename_table");
  if (rename === undefined || !main.every(({ table }) => table === rename.table || table === rename.to))
    return null;
  return main.length === 1 ? phraseOf(rename) : `${phraseOf(rename)}_and_more`;
}

/** The steps that the name describes: those that do not follow from another step. */
function leading(steps: readonly Step[]): Step[] {
  const whole = new Set(steps.filter(isWhole).map(({ table }) => table));
  return steps.filter(
    (step) => phraseOf(step) !== null && (isWhole(step) || !whole.has(step.table)) && !follows(step, steps),
  );
}

function isWhole({ step }: Step): boolean {
  return step === "create_table" || step === "drop_table" || step === "set_id_type";
}

function follows(step: Step, steps: readonly Step[]): boolean {
  const own = steps.filter(({ table }) => table === step.table);
  const added = (column: string) =>
    own.some((other) => other.step === "add_column" && other.column.name === column);
  const retyped = (column: string) =>
    own.some((other) => other.step === "set_type" && other.column === column);
  switch (step.step) {
    case "set_default":
      return retyped(step.column);
    case "add_index":
      return step.index.columns.some(added) || own.some((other) => isDrop(other, step.index.name));
    case "add_check":
      return columnsOfCheck(step.check).some((column) => added(column) || retyped(column));
    case "add_foreign_key": {
      const { name, column, references } = step.foreignKey;
      const newIds = steps.some((other) => other.step === "set_id_type" && other.table === references.table);
      return added(column) || newIds || (retyped(column) && own.some((other) => isDrop(other, name)));
    }
    case "drop_index":
    case "drop_check":
    case "drop_foreign_key":
      return own.some((other) => other.step === "drop_column" || addedName(other) === step.name);
    default:
      return false;
  }
}

function isDrop(step: Step, name: string): boolean {
  return step.step === "drop_index" || step.step === "drop_foreign_key" ? step.name === name : false;
}

/** The name of the index or the constraint that a step adds. */
function addedName(step: Step): string | null {
  switch (step.step) {
    case "add_index":
      return step.index.name;
    case "add_check":
      return step.check.name;
    case "add_foreign_key":
      return step.foreignKey.name;
    default:
      return null;
  }
}

/** A phrase for one step; null for a step that is too small for a name. */
function phraseOf(step: Step): string | null {
  switch (step.step) {
    case "create_table":
      return `create_${step.table}`;
    case "drop_table":
      return `drop_${step.table}`;
    case "rename_table":
      return `rename_${step.table}_to_${step.to}`;
    case "add_column":
      return `add_${step.column.name}_to_${step.table}`;
    case "drop_column":
      return `drop_${step.column}_from_${step.table}`;
    case "rename_column":
      return `rename_${step.table}_${step.column}_to_${step.to}`;
    case "set_id_type":
      return `change_ids_of_${step.table}_to_${step.type}`;
    case "set_type":
      return `retype_${step.column}_of_${step.table}`;
    case "set_nullable":
      return `make_${step.column}_${step.nullable ? "optional" : "required"}_in_${step.table}`;
    case "set_default":
      return `${step.default === null ? "drop" : "set"}_default_of_${step.column}_in_${step.table}`;
    case "add_index":
      return `add_${step.index.unique ? "unique" : "index"}_${step.index.columns.join("_and_")}_to_${step.table}`;
    case "add_check":
      return "column" in step.check
        ? `change_${step.check.column}_values_of_${step.table}`
        : `check_${columnsOfCheck(step.check).join("_and_")}_of_${step.table}`;
    case "add_foreign_key":
      return `refer_${step.foreignKey.column}_of_${step.table}_to_${step.foreignKey.references.table}`;
    case "add_enum_value":
      return `add_${step.value}_to_${step.type}`;
    case "rename_enum_value":
      return `rename_${step.type}_${step.value}_to_${step.to}`;
    case "drop_index":
    case "drop_check":
    case "drop_foreign_key":
      return `drop_${step.name}_from_${step.table}`;
    default:
      return null;
  }
}

/** A shared phrase for up to three steps of one kind: new columns of one table, or new or dropped tables. */
function sameKind(steps: readonly Step[]): string | null {
  const kinds = new Set(steps.map((step) => step.step));
  const tables = [...new Set(steps.map((step) => step.table))];
  if (kinds.size !== 1 || steps.length > 3) return null;
  const kind = steps[0]?.step;
  if (kind === "create_table") return `create_${tables.join("_and_")}`;
  if (kind === "drop_table") return `drop_${tables.join("_and_")}`;
  if (tables.length !== 1) return null;
  const columns = steps.flatMap((step) =>
    step.step === "add_column" ? [step.column.name] : step.step === "drop_column" ? [step.column] : [],
  );
  if (columns.length !== steps.length) return null;
  return kind === "add_column"
    ? `add_${columns.join("_and_")}_to_${tables[0]}`
    : `drop_${columns.join("_and_")}_from_${tables[0]}`;
}

function tablesChanged(steps: readonly Step[]): string {
  // Steps that drop something have the former name of the table.
  const names = new Map(
    steps.flatMap((step) => (step.step === "rename_table" ? [[step.table, step.to]] : [])),
  );
  const tables = [...new Set(steps.map((step) => names.get(step.table) ?? step.table))];
  return tables.length <= 2 ? `change_${tables.join("_and_")}` : `change_${tables.length}_tables`;
}

function spelled(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .slice(0, maxLength)
    .replace(/_+$/, "");
}
