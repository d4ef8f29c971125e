import { isOrderedKind } from "../../vocabulary/fields/field-kinds.ts";
import {
  isRuntimeColumn,
  type RuntimeColumn,
  runtimeColumns,
} from "../../vocabulary/fields/runtime-columns.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { readOperations } from "../../vocabulary/operations.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import type { RawModel } from "../load/raw.ts";
import { hasColumn, hasRuntimeColumn, type ModelNode } from "../resolve/model-graph.ts";
import { physicalName, rawKeyField } from "../resolve/resolve-stored.ts";
import type { CheckContext } from "./check-context.ts";
import { identifierProblem } from "./check-names.ts";

/** Checks the keys of models that describe tables as they are: docs/existing-tables.md. */
export function checkStoredTables({ graph, report }: CheckContext): void {
  for (const node of graph.values()) {
    checkSharedColumns(node, report);
    if (node.raw.builtIn) continue;
    checkSchemaName(node.raw, report);
    checkId(node, report);
    for (const column of runtimeColumns) checkRuntimeColumn(node, column, report);
    checkOrder(node, report);
    if (node.raw.readOnly) checkReadOnly(node, report);
  }
}

function checkSchemaName({ key, schemaName }: RawModel, report: ReportDiagnostic): void {
  if (schemaName === null) return;
  const { value, at } = schemaName;
  const problem = identifierProblem(value);
  if (problem !== null) report("invalid-name", at, `"schema_name" of model "${key}" ${problem}`);
  else if (value.startsWith("pg_") || value === "information_schema")
    report("reserved-table", at, `"schema_name" of model "${key}" is a schema of PostgreSQL itself`);
}

function checkId(node: ModelNode, report: ReportDiagnostic): void {
  const { key, at: modelAt, columns, keys, readOnly, view, idType } = node.raw;
  const id = columns.get("id");
  if (view && id === undefined) {
    const hint = 'write "columns": { "id": "…" } with a unique column, or "columns": { "id": null }';
    const at = keys.get("view") ?? modelAt;
    report(
      "invalid-stored-column",
      at,
      `model "${key}" is a view and does not name the column of its id`,
      hint,
    );
  }
  if (id === undefined) return;
  if (id.value === null) {
    const message = `model "${key}" has no id, so it can only be read`;
    if (!readOnly) report("invalid-stored-column", id.at, message, 'add "read_only": true or "view": true');
    return;
  }
  const { generated, dbType } = id.value;
  if (idType === "string" && generated?.value === true) {
    const hint = 'remove "generated": callers send an id that is a string';
    report("invalid-stored-column", generated.at, `the id of model "${key}" is a string and generated`, hint);
  }
  const shared = rawKeyField(node);
  if (shared === undefined) return;
  const subject = `field "${shared.name}" of model "${key}" has the column of the id`;
  if (node.kinds.get(shared.name) !== node.kinds.get("id"))
    report(
      "invalid-stored-column",
      shared.at,
      `${subject}, and refers to a column of another type`,
      'change "id_type"',
    );
  else if (!readOnly && !shared.required)
    report("invalid-stored-column", shared.at, `${subject}, so create must send it`, 'add "required": true');
  const type = generated ?? dbType;
  if (type !== null)
    report("invalid-stored-column", type.at, `${subject}, which describes the column`, "remove this key");
}

function checkRuntimeColumn(node: ModelNode, column: RuntimeColumn, report: ReportDiagnostic): void {
  const { key, columns, softDelete } = node.raw;
  const given = columns.get(column);
  if (given === undefined) return;
  const problem = (at: SourceSpan, text: string, hint: string | null = null) =>
    report("invalid-stored-column", at, `"columns.${column}" of model "${key}" ${text}`, hint);
  const { value, at } = given;
  if (column === "deleted_at" && softDelete && value === null)
    problem(at, "is null, but soft delete needs the column", 'name the column, or remove "soft_delete"');
  if (column === "deleted_at" && !softDelete && value !== null)
    problem(
      at,
      'has no effect without "soft_delete"',
      'add "soft_delete": true, or declare a datetime field',
    );
  if (value === null) return;
  const name = value.column?.value ?? column;
  const invalid = identifierProblem(name);
  if (invalid !== null) problem(at, invalid);
  if (column === "id" && value.nullable) problem(at, "cannot be null", "a column with nulls is not an id");
  if (column === "id" && value.outOfRange !== null)
    problem(value.outOfRange.at, "has no values out of range", 'remove "out_of_range"');
  if (column === "deleted_at" && value.generated?.value === true)
    problem(value.generated.at, "is set by the server", 'remove "generated"');
}

/** A column belongs to one field. Only a foreign key can have the column of the id. */
function checkSharedColumns(node: ModelNode, report: ReportDiagnostic): void {
  const { raw } = node;
  const shared = rawKeyField(node);
  const owners = new Map<string, string>();
  for (const column of runtimeColumns) {
    const name = hasRuntimeColumn(raw, column) ? physicalName(node, column) : null;
    if (name === null) continue;
    const first = owners.get(name);
    const message = `"${column}" and "${first}" of model "${raw.key}" have the same column "${name}"`;
    if (first !== undefined) report("invalid-stored-column", raw.columns.get(column)?.at ?? raw.at, message);
    owners.set(name, column);
  }
  for (const field of raw.fields.filter(hasColumn)) {
    const name = physicalName(node, field.name) ?? field.name;
    const invalid = field.column === null ? null : identifierProblem(name);
    const at = field.column?.at ?? field.at;
    if (invalid !== null)
      report("invalid-name", at, `"column" of field "${field.name}" of model "${raw.key}" ${invalid}`);
    const first = owners.get(name);
    owners.set(name, first ?? field.name);
    // The check of names reports a field with the name of a runtime column.
    if (first === undefined || field === shared || first === field.name || isRuntimeColumn(field.name))
      continue;
    const hint = first === "id" ? "only a belongs_to can have the column of the id" : "remove one of them";
    const message = `"${first}" and "${field.name}" of model "${raw.key}" have the same column "${name}"`;
    report("invalid-stored-column", at, message, hint);
  }
}

function checkOrder(node: ModelNode, report: ReportDiagnostic): void {
  const { key, orderKey } = node.raw;
  if (orderKey === null) return;
  if (hasRuntimeColumn(node.raw, "id")) {
    const message = `"key" of model "${key}" has no effect: rows have an id`;
    report("invalid-order-key", orderKey.at, message, 'remove it, or write "columns": { "id": null }');
    return;
  }
  for (const { value, at } of orderKey.fields) {
    const kind = node.kinds.get(value);
    const subject = `"${value}" in the key of model "${key}"`;
    if (kind === undefined)
      report("invalid-order-key", at, `${subject} is not a field`, didYouMean(value, node.kinds.keys()));
    else if (kind !== null && !isOrderedKind(kind) && kind !== "uuid" && kind !== "boolean")
      report("invalid-order-key", at, `${subject} has the type "${kind}", which has no order`);
  }
}

/** A model that can only be read has nothing that is about writes. */
function checkReadOnly({ raw }: ModelNode, report: ReportDiagnostic): void {
  const subject = `model "${raw.key}" can only be read, so`;
  for (const [operation, { at, rules }] of raw.access.operations) {
    const reads = operation === "$all" || readOperations.some((one) => one === operation);
    if (!reads && rules.length > 0)
      report("read-only-model", at, `${subject} its rules for "${operation}" have no effect`, "remove them");
  }
  for (const { field, write } of raw.access.fields)
    if (write !== null)
      report(
        "read-only-model",
        field.at,
        `${subject} "write" of "${field.value}" has no effect`,
        "remove it",
      );
  for (const { name, preset } of raw.fields)
    if (preset !== null)
      report("read-only-model", preset.at, `${subject} the preset of "${name}" has no effect`, "remove it");
  const messages = raw.keys.get("trigger_messages");
  if (raw.triggerMessages && messages !== undefined)
    report("read-only-model", messages, `${subject} "trigger_messages" has no effect`, "remove it");
}
