import { elementKindOf, kindOfType, typeOfKind } from "../../vocabulary/fields/field-kinds.ts";
import { isRuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import { isInternalTable } from "../../vocabulary/migrations/internal-tables.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { RawField, RawRelationship } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import {
  formOf,
  hasRuntimeColumn,
  isNullable,
  type ModelNode,
  uniqueFields,
} from "../resolve/model-graph.ts";
import type { CheckContext } from "./check-context.ts";

/** One relationship under examination. */
interface Subject {
  readonly context: CheckContext;
  readonly node: ModelNode;
  readonly field: RawField;
  readonly relationship: RawRelationship;
  readonly target: ModelNode;
  /** The field as messages call it. */
  readonly name: string;
}

/** Checks that both ends of each relationship exist and fit each other. */
export function checkRelations(context: CheckContext): void {
  for (const node of context.graph.values()) {
    for (const field of node.raw.fields) checkField(context, node, field);
  }
}

function checkField(context: CheckContext, node: ModelNode, field: RawField): void {
  const { report, graph } = context;
  const name = `field "${field.name}" of model "${node.raw.key}"`;
  const form = formOf(field);
  const { relationship } = field;
  if (form === "belongs_to" && field.foreignKey?.value === false) {
    report(
      "conflicting-keys",
      field.foreignKey.at,
      `${name} is a belongs_to, which is always a foreign key`,
      "remove this key",
    );
  }
  if (relationship === null || form === "column") {
    checkPresence(field, name, report);
    return;
  }
  if (relationship.model === null) return;
  const target = graph.get(relationship.model.value);
  const subject = { context, node, field, relationship, name };
  if (target === undefined) reportUnknown(relationship.model, name, context);
  else if (form === "belongs_to") checkBelongsTo({ ...subject, target });
  else checkCollection({ ...subject, target }, form);
}

/** Foreign keys and collections need a `relationship`; other fields cannot have one. */
function checkPresence(field: RawField, name: string, report: ReportDiagnostic): void {
  const at = field.keys.get("relationship");
  if (formOf(field) === "column") {
    if (at === undefined) return;
    report(
      "missing-foreign-key",
      at,
      `${name} has a relationship, but is not a foreign key`,
      'add "foreign_key": true',
    );
  } else if (at === undefined) {
    const place = field.keys.get("foreign_key") ?? field.type?.at ?? field.at;
    report(
      "missing-relationship",
      place,
      `${name} does not name the model that it refers to`,
      'add "relationship": { "model": "…" }',
    );
  }
}

function reportUnknown(
  { value: model, at }: Located<string>,
  name: string,
  { graph, report }: CheckContext,
): void {
  // The service's own tables, except for the accounts, cannot be joined.
  if (isInternalTable(model)) {
    const message = `${name} refers to "${model}", a table of the service itself that no model can join`;
    report("unknown-model", at, message, 'to join accounts, refer to "users"');
    return;
  }
  report(
    "unknown-model",
    at,
    `${name} refers to the model "${model}", which does not exist`,
    didYouMean(model, graph.keys()),
  );
}

function checkBelongsTo(subject: Subject): void {
  const { context, node, field, relationship, target, name } = subject;
  const { report } = context;
  if (relationship.onDelete?.value === "set_null" && !isNullable(field)) {
    const hint = 'make the field nullable, or choose "restrict" or "cascade"';
    report(
      "set-null-on-required",
      relationship.onDelete.at,
      `${name} has "on_delete": "set_null", but cannot be null`,
      hint,
    );
  }
  if (!referencesKey(subject)) return;
  const kind = node.kinds.get(field.name) ?? null;
  const column = relationship.foreignKey?.value ?? "id";
  if (kind === null) {
    const hint = 'give one of the fields a "type" instead of "foreign_key"';
    if (isForeignKey(target, column))
      report(
        "reference-cycle",
        relationship.at,
        `${name} is part of a cycle of foreign keys, so it has no type`,
        hint,
      );
    return;
  }
  const declared = kindOfType(field.type?.value ?? "");
  if (
    field.type === null ||
    declared === null ||
    declared === kind ||
    (declared === "integer" && kind === "bigint")
  )
    return;
  const message = `${name} has the type "${field.type.value}", but "${column}" of model "${target.raw.key}" has the type "${typeOfKind(kind)}"`;
  const hint =
    elementKindOf(declared) === null
      ? `write "type": "${typeOfKind(kind)}", or "belongs_to" for the type of the other side`
      : `a list cannot be a foreign key: add a model whose rows refer to "${node.raw.key}" and to "${target.raw.key}"`;
  report("reference-type-mismatch", field.type.at, message, hint);
}

function isForeignKey(node: ModelNode, column: string): boolean {
  const field = node.fields.get(column);
  return field !== undefined && formOf(field) === "belongs_to";
}

/** Whether the referenced column is one that PostgreSQL lets a foreign key refer to. */
function referencesKey({ context: { report }, relationship, target, name }: Subject): boolean {
  const column = relationship.foreignKey?.value ?? "id";
  const at = relationship.foreignKey?.at ?? relationship.at;
  const other = `model "${target.raw.key}"`;
  if (!hasRuntimeColumn(target.raw, "id")) {
    const message = `${name} refers to ${other}, whose rows have no id`;
    report("invalid-reference", at, message, "declare a plain field instead: such a model cannot be joined");
    return false;
  }
  if (column === "id") return true;
  if (!target.kinds.has(column)) {
    report(
      "invalid-reference",
      at,
      `${name} refers to "${column}" of ${other}, which is not a column`,
      didYouMean(column, uniqueFields(target.raw)),
    );
    return false;
  }
  if (!uniqueFields(target.raw).has(column) || isRuntimeColumn(column)) {
    report(
      "invalid-reference",
      at,
      `${name} refers to "${column}" of ${other}, which is not unique`,
      `refer to "id", or make "${column}" unique`,
    );
    return false;
  }
  if (target.raw.softDelete) {
    const message = `${name} refers to "${column}" of ${other}, which is unique only among rows that are not deleted (soft_delete)`;
    report("invalid-reference", at, message, 'refer to "id"');
    return false;
  }
  return true;
}

function checkCollection(subject: Subject, form: "has_many" | "has_one"): void {
  const { context, node, field, relationship, target, name } = subject;
  const { report } = context;
  const { onDelete, foreignKey } = relationship;
  if (onDelete !== null) {
    report(
      "inapplicable-option",
      onDelete.at,
      `"on_delete" of ${name} belongs to the other side, which holds the foreign key`,
    );
  }
  const back = target.raw.fields.filter(
    (other) => formOf(other) === "belongs_to" && other.relationship?.model?.value === node.raw.key,
  );
  const names = back.map((other) => other.name);
  if (foreignKey === null) {
    const hint = names.length === 0 ? null : `write "foreign_key": "${names[0]}"`;
    report(
      "invalid-reference",
      relationship.at,
      `${name} does not say which field of model "${target.raw.key}" refers to this model`,
      hint,
    );
    return;
  }
  const found = back.find((other) => other.name === foreignKey.value);
  if (found === undefined) {
    const message = `${name}: "${foreignKey.value}" of model "${target.raw.key}" is not a foreign key to model "${node.raw.key}"`;
    const hint =
      didYouMean(foreignKey.value, names) ??
      (names.length > 0 ? `the foreign keys are: ${names.join(", ")}` : null);
    report("invalid-reference", foreignKey.at, message, hint);
  } else if (form === "has_one" && !uniqueFields(target.raw).has(found.name)) {
    const hint = `make "${found.name}" unique there, or use "has_many"`;
    report(
      "has-one-not-unique",
      field.type?.at ?? field.at,
      `${name} is a has_one, but several rows of model "${target.raw.key}" can refer to the same row`,
      hint,
    );
  }
}
