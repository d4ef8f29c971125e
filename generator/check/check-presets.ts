import type { PlaceholderName } from "../../vocabulary/conditions/conditions.ts";
import { fieldKinds } from "../../vocabulary/fields/field-kinds.ts";
import { plainPresets, presetOf } from "../../vocabulary/fields/presets.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { claimOf } from "../conditions/index.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import { usersKey } from "../load/built-in-users.ts";
import type { RawField } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import { formOf, type ModelGraph, type ModelNode } from "../resolve/model-graph.ts";
import { conditionScope } from "../resolve/scope-of-model.ts";
import type { CheckContext } from "./check-context.ts";

/** A preset under examination. */
interface Subject {
  readonly graph: ModelGraph;
  readonly node: ModelNode;
  readonly field: RawField;
  readonly preset: Located<string>;
  /** Reports at the preset. */
  readonly note: (message: string, hint: string | null) => void;
}

/** The field types that each placeholder fits. */
const types: Readonly<Record<PlaceholderName, readonly string[]>> = {
  user_id: ["integer", "bigint", "string", "text"],
  email: ["email", "string", "text"],
  role: ["string", "text"],
  now: ["datetime", "date"],
};

/** Checks presets against the types of their fields. */
export function checkPresets({ graph, report }: CheckContext): void {
  for (const node of graph.values()) {
    for (const field of node.raw.fields) {
      if (field.preset !== null) checkPreset(subjectOf(graph, node, field, field.preset, report));
    }
  }
}

function subjectOf(
  graph: ModelGraph,
  node: ModelNode,
  field: RawField,
  preset: Located<string>,
  report: ReportDiagnostic,
): Subject {
  const called = `the preset ${JSON.stringify(preset.value)} of field "${field.name}" of model "${node.raw.key}"`;
  const note = (message: string, hint: string | null) =>
    report("invalid-preset", preset.at, `${called} ${message}`, hint);
  return { graph, node, field, preset, note };
}

function checkPreset(subject: Subject): void {
  const { node, field, preset, note } = subject;
  if (node.raw.builtIn) {
    note("has no effect: no model route creates accounts", 'remove it, or give the field a "default"');
    return;
  }
  if (field.default !== null || field.sqlDefault)
    note("cannot be combined with a default", "remove one of them");
  const value = presetOf(preset.value);
  const kind = node.kinds.get(field.name) ?? null;
  if (value === null) note("is unknown", hintOf(subject));
  // The check of options reports types that take no preset.
  else if (kind === null || !fieldKinds[kind].options.includes("preset")) return;
  else if ("user" in value) checkColumn(subject, value.user);
  else checkPlaceholder(subject, value.placeholder);
}

/** A hint for an unknown preset, which can lack its braces. */
function hintOf({ graph, node, preset }: Subject): string {
  const { allowed } = conditionScope(graph, node).caller;
  const columns = [...allowed.keys()].map((name) => `{user.${name}}`);
  const known = new Map([...plainPresets, ...columns].map((text) => [withoutBraces(text), text]));
  const sought = withoutBraces(preset.value);
  const found = known.get(sought) ?? claimOf.get(sought.replace(/^user\./, ""));
  if (found !== undefined) return `did you mean ${JSON.stringify(found)}?`;
  const near = [...known.values()].find((text) => didYouMean(sought, [withoutBraces(text)]) !== null);
  return near === undefined
    ? `known presets are ${[...plainPresets, "{user.<column>}"].map((text) => JSON.stringify(text)).join(", ")}`
    : `did you mean ${JSON.stringify(near)}?`;
}

function withoutBraces(text: string): string {
  return text.replace(/[{}()$\s]/g, "").toLowerCase();
}

function checkPlaceholder({ graph, node, field, note }: Subject, placeholder: PlaceholderName): void {
  const end = endOf(graph, node, field.name);
  const named = types[placeholder].join(", ");
  const isReference = end !== null && (end.node !== node || end.column !== field.name);
  if (end?.column === "id") {
    if (placeholder === "user_id" && end.node.raw.key === usersKey) return;
    note(`does not fit a reference to "id" of model "${end.node.raw.key}"`, fitting(placeholder, named));
  } else if (end !== null && !types[placeholder].includes(end.type)) {
    const what = isReference ? `a reference to a field of the type` : "the type";
    note(`does not fit ${what} "${end.type}"`, fitting(placeholder, named));
  }
}

function fitting(placeholder: PlaceholderName, named: string): string {
  const also = placeholder === "user_id" ? `, and a reference to "${usersKey}"` : "";
  return `it fits ${named}${also}`;
}

function checkColumn({ graph, node, field, note }: Subject, column: string): void {
  const { caller } = conditionScope(graph, node);
  const users = graph.get(usersKey);
  if (users === undefined) return;
  if (!caller.allowed.has(column)) {
    const { reason, hint } = caller.refusal(column);
    note(`cannot be used: ${reason}`, hint);
    return;
  }
  const [kind, own] = [users.kinds.get(column) ?? null, node.kinds.get(field.name) ?? null];
  if (kind === null || own === null) return;
  const [end, target] = [endOf(graph, users, column), endOf(graph, node, field.name)];
  if (kind !== own || refersElsewhere(end, target))
    note(
      `does not fit: "${column}" of "${usersKey}" is ${shown(end)}, and the field is ${shown(target)}`,
      null,
    );
}

/** Whether two columns hold ids of different models. */
function refersElsewhere(one: End | null, other: End | null): boolean {
  const [model, named] = [idOf(one), idOf(other)];
  return model !== null && named !== null && model !== named;
}

/** The model whose ids a column contains; null for other columns. */
function idOf(end: End | null): string | null {
  return end?.column === "id" ? end.node.raw.key : null;
}

function shown(end: End | null): string {
  const model = idOf(end);
  return model === null ? `of the type "${end?.type}"` : `a reference to "${model}"`;
}

/** The column at the end of a chain of references. Without a reference, the column itself. */
interface End {
  readonly node: ModelNode;
  readonly column: string;
  /** The name in the models file. */
  readonly type: string;
}

/** Follows references from a column to their end; null if one is broken. */
function endOf(graph: ModelGraph, node: ModelNode, column: string, seen = new Set<string>()): End | null {
  const place = `${node.raw.key}.${column}`;
  const field = node.fields.get(column);
  if (seen.has(place)) return null;
  if (field === undefined) {
    const kind = node.kinds.get(column);
    return kind == null ? null : { node, column, type: kind };
  }
  if (formOf(field) !== "belongs_to") {
    const type = field.type?.value;
    return type === undefined ? null : { node, column, type: type === "timestamp" ? "datetime" : type };
  }
  const target = graph.get(field.relationship?.model?.value ?? "");
  const next = field.relationship?.foreignKey?.value ?? "id";
  return target === undefined ? null : endOf(graph, target, next, new Set([...seen, place]));
}
