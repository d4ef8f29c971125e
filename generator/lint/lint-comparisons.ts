import type { Operation } from "../../vocabulary/operations.ts";
import {
  type ConditionExpression,
  findColumn,
  findRows,
  type NamePosition,
  namesOf,
  parseCondition,
  rangeInString,
  rootScope,
  type ScopeModel,
  scopeWithin,
  type Term,
  type TextRange,
  termsOf,
} from "../conditions/index.ts";
import type { FieldDefinition } from "../definition/definition.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { Located } from "../load/read.ts";
import { conditionScope } from "../resolve/scope-of-model.ts";
import { isAdminLike } from "./lint-callers.ts";
import type { LintContext, LintedModel } from "./lint-context.ts";

const writes: readonly Operation[] = ["create", "update", "upsert"];

/** Finds required text fields that accept `""` from callers other than administrators. */
export function lintEmptyText({ models, report }: LintContext): void {
  for (const model of models) {
    if (!model.rules.some(({ operation, role }) => writes.includes(operation) && !isAdminLike(role.value)))
      continue;
    const names = model.definition.fields
      .filter((field) => takesEmptyText(field) && isWritable(model, field))
      .map(({ name }) => JSON.stringify(name));
    if (names.length === 0) continue;
    const message = `required text fields of model "${model.definition.key}" can be empty: ${names.join(", ")}`;
    report("empty-text", model.node.raw.at, message, 'add "min_length": 1 to refuse ""');
  }
}

function takesEmptyText(field: FieldDefinition): boolean {
  const { required, kind, items, enum: allowed, minLength, pattern } = field;
  const isText = kind === "string" || kind === "text";
  return required && isText && items === null && allowed === null && minLength === null && pattern === null;
}

function isWritable({ definition }: LintedModel, { name }: FieldDefinition): boolean {
  return definition.access.fields.find(({ field }) => field === name)?.write?.length !== 0;
}

/** Finds placeholders in quotes, and comparisons of a row with itself. Those of a named condition are reported at its definition. */
export function lintComparisons({ graph, models, sources, report }: LintContext): void {
  const lint = ({ value, at: literal }: Located<string>, scope: ScopeModel, also: SourceSpan[] = []) => {
    const parsed = parseCondition(value, namesOf(scope));
    if ("problem" in parsed) return;
    for (const { code, at, message, hint } of oddities(parsed.expression, rootScope(scope)))
      report(code, rangeInString(sources.get(literal.file) ?? "", literal, at), message, hint, also);
  };
  for (const { rules, scope } of models) for (const { text } of rules) if (text !== null) lint(text, scope);
  for (const { on, condition } of graph.conditions.values()) {
    const node = graph.get(on.value);
    if (node !== undefined) lint(condition, conditionScope(graph, node), [node.raw.at]);
  }
}

/** A suspicious comparison and its position. */
interface Oddity {
  readonly code: "quoted-placeholder" | "compared-with-itself";
  readonly at: TextRange;
  readonly message: string;
  readonly hint: string;
}

function oddities(expression: ConditionExpression, from: NamePosition): Oddity[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.flatMap((item) => oddities(item, from));
    case "not":
      return oddities(expression.item, from);
    case "exists": {
      const found = findRows(expression.path, from);
      if (expression.where === null || "message" in found) return [];
      return oddities(expression.where, scopeWithin(expression.path, found.end, from));
    }
    case "compare":
      return [...ofOneRow(expression.left, expression.right, from), ...quoted(termsOf(expression))];
    case "call":
      return [];
    default:
      return quoted(termsOf(expression));
  }
}

/** Placeholders within quotes are not replaced. */
function quoted(terms: readonly Term[]): Oddity[] {
  return terms.flatMap((term) => {
    const [placeholder] =
      term.kind === "value" ? (/\{(user_id|role|email|user\.\w+)\}/.exec(String(term.value)) ?? []) : [];
    if (placeholder === undefined) return [];
    const message = `${placeholder} is in quotes here, so it is plain text and is not replaced`;
    const hint = `write = ${placeholder} without quotes; a placeholder cannot be part of a longer text or pattern`;
    return [{ code: "quoted-placeholder", at: term.at, message, hint }];
  });
}

/** Finds a field compared with itself or, within EXISTS, a foreign key compared with the id of the same row. */
function ofOneRow(left: Term, right: Term, from: NamePosition): Oddity[] {
  if (left.kind !== "field" || right.kind !== "field") return [];
  const [one, other] = [findColumn(left.name, from), findColumn(right.name, from)];
  if ("message" in one || "message" in other) return [];
  const code = "compared-with-itself";
  if (one.field === other.field) {
    const message = `"${one.field}" is compared with itself, which is true for every value except NULL`;
    const named = from.depth > 0 && !other.fromItself;
    const hint = named ? otherRow(right.name, from) : "compare with another field or a value";
    return [{ code, at: right.at, message, hint }];
  }
  const key = [one.field, other.field].find((name) => isForeignKey(name, from));
  const id = [left, right].find(({ name }) => name === "id");
  if (key === undefined || id === undefined) return [];
  const message = `"${key}" refers to another model, but is compared with the id of the same row of "${from.at.model}"`;
  return [{ code, at: id.at, message, hint: otherRow("id", from) }];
}

function otherRow(name: string, { at }: NamePosition): string {
  return `within EXISTS, names are fields of "${at.model}"; for the row that the rule is for, write this.${name}`;
}

/** Whether a field within EXISTS refers to another model, so that it equals the row's id only by chance. */
function isForeignKey(name: string, { at, depth }: NamePosition): boolean {
  const relation = depth > 0 ? at.relations.get(name) : undefined;
  return relation?.kind === "belongs_to" && relation.field === name && relation.target !== at;
}
