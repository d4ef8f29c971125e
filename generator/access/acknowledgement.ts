import { alternativesOf } from "../conditions/index.ts";
import { allRows, type Matrix, rolePattern } from "./matrix.ts";
import type { OpenedField, OpenedRows } from "./openings.ts";

/** The name by which a person acknowledges that rows are open: `books.fetch to user: status = 'published'`. */
export function rowsId({ operation, role, rows }: Pick<OpenedRows, "operation" | "role" | "rows">): string {
  return `${operation} to ${role}: ${rows}`;
}

/** The name by which a person acknowledges that a field is open: `books.price read by *`. */
export function fieldId({ field, gate, role }: OpenedField): string {
  return `${field} ${gate === "read" ? "read" : "written"} by ${role}`;
}

const rowsForm = new RegExp(`^(\\w+)\\.([a-z:]+) to (${rolePattern}): (.+)$`);
const fieldForm = new RegExp(`^(\\w+)\\.(\\w+) (read|written) by (${rolePattern})$`);

/** Operations that set fields. */
const writing = /^(create|update|upsert|restore)/;

/** Whether a text has the form of such a name. */
export function isAccessId(id: string): boolean {
  return rowsForm.test(id) || fieldForm.test(id);
}

/** Whether what a name says is so in a matrix. */
export function holds(id: string, matrix: Matrix): boolean {
  const [, model = "", operation = "", role = "", rows = ""] = rowsForm.exec(id) ?? [];
  if (model !== "") return rowsOf(matrix, model, operation, role).includes(rows);
  const [, ofModel = "", field = "", gate, who = ""] = fieldForm.exec(id) ?? [];
  const access = matrix.get(ofModel);
  if (access === undefined) return false;
  if (access.internal) {
    const roles = access.gates.get(field)?.[gate === "read" ? "read" : "write"];
    return roles === undefined || roles.has(who) || roles.has("*");
  }
  return [...access.operations].some(([operation, roles]) => {
    const reach = roles.get(who) ?? roles.get("*");
    if (reach === undefined || (gate === "written" && !writing.test(operation))) return false;
    return !(gate === "read" ? reach.unread : reach.unwritten).has(field);
  });
}

/** The names of all rows that a matrix opens, to find the one that was meant. */
export function rowsIds(matrix: Matrix): string[] {
  return [...matrix].flatMap(([model, { operations }]) =>
    [...operations].flatMap(([operation, roles]) =>
      [...roles.keys()].flatMap((role) =>
        rowsOf(matrix, model, operation, role).map((rows) =>
          rowsId({ operation: `${model}.${operation}`, role, rows }),
        ),
      ),
    ),
  );
}

const noNames = { fields: new Set<string>(), nameOf: (field: string) => field };

function rowsOf(matrix: Matrix, model: string, operation: string, role: string): string[] {
  const rows = matrix.get(model)?.operations.get(operation)?.get(role)?.rows;
  if (rows === undefined || rows === allRows) return rows === undefined ? [] : [rows];
  return alternativesOf(rows, noNames).map(({ text }) => text);
}
