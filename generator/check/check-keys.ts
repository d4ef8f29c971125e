import { rowOfDbType } from "../../vocabulary/fields/db-types.ts";
import { elementKindOf, fieldKinds } from "../../vocabulary/fields/field-kinds.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import type { RawFieldList } from "../load/raw.ts";
import { hasColumn, type ModelGraph, type ModelNode } from "../resolve/model-graph.ts";
import { columnRules } from "../resolve/resolve-field.ts";
import { dbTypeOf } from "../resolve/resolve-stored.ts";
import type { CheckContext } from "./check-context.ts";

/** PostgreSQL refuses an entry of a B-tree index beyond this size. */
const maxIndexEntryBytes = 2704;
const maxBytesPerCharacter = 4;

const maxIndexFields = 32;
/** Below PostgreSQL's limit of 1,600 columns, because dropped columns count too. */
const maxColumns = 1500;

/** Unique keys and indexes of models. */
export function checkKeys({ graph, report }: CheckContext): void {
  for (const node of graph.values()) {
    const { fields, unique, indexes } = node.raw;
    for (const list of [...unique, ...indexes]) checkColumns(node, list, unique.includes(list), report);
    const single = (option: "unique" | "index") =>
      fields
        .filter((field) => field[option])
        .map((field) => ({ names: [field.name], at: field.keys.get(option) ?? field.at }));
    checkTwice(node, "unique key", [...single("unique"), ...unique.map(named)], report);
    checkTwice(node, "index", [...single("index"), ...indexes.map(named)], report);
    const all = [...single("unique"), ...single("index"), ...unique.map(named), ...indexes.map(named)];
    for (const { names, at } of all) checkLength(graph, node, names, at, report);
    for (const { names, at } of all) checkCount(node, names, at, report);
    if (node.kinds.size > maxColumns) {
      const message = `model "${node.raw.key}" has ${node.kinds.size} columns, more than ${maxColumns}`;
      report("too-many-columns", node.raw.at, message);
    }
  }
}

function checkCount(
  { raw }: ModelNode,
  names: readonly string[],
  at: SourceSpan,
  report: ReportDiagnostic,
): void {
  if (names.length <= maxIndexFields) return;
  const message = `a key or an index of model "${raw.key}" has ${names.length} fields, more than ${maxIndexFields}`;
  report("too-many-columns", at, message);
}

function named({ fields, at }: RawFieldList): { names: string[]; at: SourceSpan } {
  return { names: fields.map(({ value }) => value), at };
}

function checkColumns(node: ModelNode, list: RawFieldList, unique: boolean, report: ReportDiagnostic): void {
  const what = unique ? "a unique key" : "an index";
  for (const { value: name, at } of list.fields) {
    const kind = node.kinds.get(name);
    const field = node.fields.get(name);
    const subject = `"${name}" in ${what} of model "${node.raw.key}"`;
    if (field === undefined && kind === undefined) {
      report("unknown-key-field", at, `${subject} is not a field`, didYouMean(name, node.kinds.keys()));
    } else if (field !== undefined && !hasColumn(field)) {
      report("unknown-key-field", at, `${subject} has no column; the other model holds the key`);
    } else if (kind && !fieldKinds[kind].options.includes("index")) {
      report("unknown-key-field", at, `${subject} has the type "${kind}", which cannot be indexed`);
    } else if (kind && elementKindOf(kind) !== null && (unique || list.fields.length > 1)) {
      const hint = unique ? null : 'give it a separate index: "index": true';
      report(
        "unknown-key-field",
        at,
        `${subject} is a list, which cannot be part of ${unique ? "a unique key" : "an index of several fields"}`,
        hint,
      );
    } else if (field === undefined && unique) {
      report(
        "unknown-key-field",
        at,
        `${subject} is set by the server, so it cannot be part of a unique key`,
      );
    }
  }
}

function checkTwice(
  node: ModelNode,
  what: string,
  lists: readonly { names: string[]; at: SourceSpan }[],
  report: ReportDiagnostic,
): void {
  const seen = new Set<string>();
  for (const { names, at } of lists) {
    const shown = names.join(", ");
    if (seen.has(shown))
      report("duplicate-index", at, `the ${what} on ${shown} of model "${node.raw.key}" is declared twice`);
    seen.add(shown);
  }
}

function checkLength(
  graph: ModelGraph,
  node: ModelNode,
  names: readonly string[],
  at: SourceSpan,
  report: ReportDiagnostic,
): void {
  const sizes = names.map((name) => entryBytes(graph, node, name));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxIndexEntryBytes) return;
  const maxLength = Math.floor(
    maxIndexEntryBytes / maxBytesPerCharacter / sizes.filter((size) => size > 8).length,
  );
  const longest = names
    .filter((_, index) => (sizes[index] ?? 0) > maxLength * maxBytesPerCharacter)
    .map((name) => `"${name}"`);
  const message = `values of ${longest.join(" and ")} of model "${node.raw.key}" can be too long for an index entry of ${maxIndexEntryBytes} bytes`;
  report("long-index-entry", at, message, `set "max_length" to at most ${maxLength}`);
}

function entryBytes(graph: ModelGraph, node: ModelNode, name: string): number {
  const { kind: declared, maxLength, enum: allowed } = columnRules(graph, node, name);
  // The index of a list has an entry for each element.
  const kind = declared === null ? null : (elementKindOf(declared) ?? declared);
  // An address that passes the check has at most 254 characters.
  if (kind === "email") return 254;
  const type = kind === null ? null : dbTypeOf(graph, node, name);
  // Values of types such as `inet` are short.
  if (type !== null && rowOfDbType(type)?.compared === "for equality") return 8;
  const text = kind !== null && fieldKinds[kind].compared === "as text" && allowed === null;
  return text ? (maxLength ?? Number.POSITIVE_INFINITY) * maxBytesPerCharacter : 8;
}
