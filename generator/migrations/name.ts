import type { Change, Step } from "./schema.ts";

const maxLength = 60;

/** Names a migration after its content: `add_isbn_to_books`, `create_authors_and_books`, `change_5_tables`. */
export function contentName(changes: readonly Change[]): string {
  const steps = changes.map((entry) => entry.step);
  const main = steps.filter((step) => phraseOf(step) !== null);
  return spelled(renamedTable(steps) ?? onlyPhrase(main) ?? sameKind(main) ?? tablesChanged(steps));
}

/** A new name of the only table that changes says more than what else happens to it. */
function renamedTable(steps: readonly Step[]): string | null {
  const rename = steps.find((step) => step.step === "rename_table");
  if (rename === undefined) return null;
  const alone = steps.every((step) => step.table === rename.table || step.table === rename.to);
  return alone ? phraseOf(rename) : null;
}

function onlyPhrase(main: readonly Step[]): string | null {
  return main.length === 1 && main[0] !== undefined ? phraseOf(main[0]) : null;
}

/** What one step does, or null for a step that usually follows from another one. */
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
    default:
      return null;
  }
}

/** Two or three new columns of one table, or two new or dropped tables, share a phrase. */
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
  // What goes from a table goes under the table's former name.
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
