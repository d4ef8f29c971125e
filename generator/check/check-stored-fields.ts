import { dbTypesOf, fitsKind, parseDbType, rowOfDbType } from "../../vocabulary/fields/db-types.ts";
import { type FieldKind, typeOfKind } from "../../vocabulary/fields/field-kinds.ts";
import { nearest } from "../../vocabulary/nearest.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { RawField } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import { hasColumn, type ModelNode } from "../resolve/model-graph.ts";
import { isGenerated } from "../resolve/resolve-stored.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks the keys of fields that describe columns as they are: docs/existing-tables.md. */
export function checkStoredFields({ graph, report }: CheckContext): void {
  for (const node of graph.values()) {
    for (const [column, { value }] of node.raw.columns) {
      const kind = node.kinds.get(column) ?? null;
      const subject = `"columns.${column}" of model "${node.raw.key}"`;
      if (value?.dbType && kind !== null) checkDbType(subject, value.dbType, kind, null, report);
    }
    for (const field of node.raw.fields.filter(hasColumn)) checkField(node, field, report);
  }
  checkEnumTypes([...graph.values()], report);
}

/** All fields of an enum type list its values, in the same order. */
function checkEnumTypes(nodes: readonly ModelNode[], report: ReportDiagnostic): void {
  const first = new Map<string, { readonly values: string; readonly subject: string }>();
  for (const { raw } of nodes)
    for (const { name, dbType, enum: listed } of raw.fields) {
      const type = dbType === null ? null : parseDbType(dbType.value);
      const [start] = listed ?? [];
      if (type === null || "problem" in type || !type.isEnum || listed === null || start === undefined)
        continue;
      const values = JSON.stringify(listed.map(({ value }) => value));
      const subject = `"enum" of field "${name}" of model "${raw.key}"`;
      const other = first.get(type.name) ?? { values, subject };
      first.set(type.name, other);
      if (other.values === values) continue;
      const message = `${subject} differs from ${other.subject}, and both have the type "${type.name}"`;
      report(
        "enum-type-values",
        start.at,
        message,
        `list the values of the type in its order: ${other.values}`,
      );
    }
}

function checkField(node: ModelNode, field: RawField, report: ReportDiagnostic): void {
  const kind = node.kinds.get(field.name) ?? null;
  const subject = `field "${field.name}" of model "${node.raw.key}"`;
  if (field.dbType !== null && kind !== null) checkDbType(subject, field.dbType, kind, field, report);
  if (isGenerated(field)) checkGenerated(node, field, subject, report);
}

function checkDbType(
  subject: string,
  { value: text, at }: Located<string>,
  kind: FieldKind,
  field: RawField | null,
  report: ReportDiagnostic,
): void {
  const type = parseDbType(text);
  const shown = `the db_type ${JSON.stringify(text)} of ${subject}`;
  if ("problem" in type) {
    report("invalid-db-type", at, `${shown} ${type.problem}`, type.hint);
    return;
  }
  const fitting = dbTypesOf(kind);
  if (!fitsKind(type, kind, field !== null && field.enum !== null)) {
    const near = type.isEnum ? nearest(type.name, fitting) : null;
    const isText = fitting.some((name) => name.startsWith("varchar"));
    const enumHint = isText && type.isEnum ? 'for an enum type, add "enum" with all its values; ' : "";
    const known = fitting.length === 0 ? "remove it" : `${enumHint}types that fit: ${fitting.join(", ")}`;
    const hint = near === null ? known : `did you mean "${near}"?`;
    report("invalid-db-type", at, `${shown} does not fit the type "${typeOfKind(kind)}"`, hint);
    return;
  }
  if (field === null) return;
  const isPlain = rowOfDbType(type)?.compared === "for equality";
  if (isPlain && field.searchable) {
    const place = field.keys.get("searchable") ?? at;
    const message = `"searchable" of ${subject} does not apply to a column of the type "${type.name}"`;
    report("inapplicable-option", place, message);
  }
  if (type.name === "numeric" && type.size.length > 0)
    for (const digits of [field.precision, field.scale])
      if (digits !== null)
        report(
          "invalid-db-type",
          digits.at,
          `the digits of ${subject} are those of its db_type`,
          "remove this key",
        );
}

/** The database fills the field in, so nothing else does. */
function checkGenerated(node: ModelNode, field: RawField, subject: string, report: ReportDiagnostic): void {
  const why = field.generated ? "is generated" : "is a tsvector, which only the database writes";
  for (const key of ["default", "preset"]) {
    const at = field.keys.get(key);
    if (at !== undefined)
      report("generated-field", at, `${subject} ${why}, so "${key}" has no effect`, "remove it");
  }
  const gate = node.raw.access.fields.find((entry) => entry.field.value === field.name);
  if (gate?.write)
    report("generated-field", gate.field.at, `${subject} ${why}, so no role can write it`, 'remove "write"');
}
