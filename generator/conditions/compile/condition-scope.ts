import { rowItself } from "../../../vocabulary/conditions/conditions.ts";
import type { FieldKind, FieldKindRow } from "../../../vocabulary/fields/field-kinds.ts";
import type { FieldDefinition, RelationDefinition } from "../../definition/definition.ts";
import type { KnownFields } from "../language/condition-tokens.ts";
import type { ConditionExpression } from "../language/condition-tree.ts";

/** The field names for parsing a condition. Names behind a path are resolved only if the path is valid. */
export function namesOf(scope: ScopeModel): KnownFields {
  return namesFrom(rootScope(scope));
}

function namesFrom(from: NamePosition): KnownFields {
  return {
    has: (name) => from.at.columns.has(name),
    behind: (path) => {
      const names = path.split(".");
      const fromItself = startsAtItself(names, from);
      let end: ScopeModel | undefined = fromItself ? from.itself : from.at;
      for (const name of fromItself ? names.slice(1) : names) end = end?.relations.get(name)?.target;
      return end === undefined ? nothing : namesFrom(scopeWithin(path, end, from));
    },
  };
}

const nothing: KnownFields = { has: () => false, behind: () => nothing };

/** A column in conditions. Its kind is null for a broken reference, which is reported elsewhere. */
export type ConditionColumn = Omit<
  Pick<FieldDefinition, "kind" | "enum" | "minimum" | "maximum" | "maxLength" | "decimal">,
  "kind"
> & {
  readonly kind: FieldKind | null;
  /** The operators, if the column has fewer than its kind. */
  readonly compared?: FieldKindRow["compared"];
};

/** The names in conditions on a model. Relations refer to scopes of other models: one graph. */
export interface ScopeModel {
  readonly model: string;
  readonly columns: ReadonlyMap<string, ConditionColumn>;
  /** Under their join name and under the name of their field. */
  readonly relations: ReadonlyMap<string, ConditionRelation>;
  /** Fields without a column: `has_many` and `has_one`, also invalid ones, which are reported elsewhere. */
  readonly collections: ReadonlySet<string>;
  /** The columns of `users` that conditions can use. */
  readonly caller: CallerColumns;
  /** The named conditions of all models, by name. */
  readonly conditions: ReadonlyMap<string, NamedCondition>;
  /** The names of all models, for messages. */
  models(): Iterable<ScopeModel>;
}

/** A definition of `$conditions`. */
export interface NamedCondition {
  readonly name: string;
  /** The model that it is about. Null for an unknown model, which is reported elsewhere. */
  readonly on: ScopeModel | null;
  /** The condition in the source text. */
  readonly text: string;
  /** Null for a syntax error, which is reported elsewhere. */
  readonly expression: ConditionExpression | null;
}

/** A relation, under its join name. */
export interface ConditionRelation
  extends Pick<RelationDefinition, "name" | "kind" | "field" | "references"> {
  /** The model on the other side. */
  readonly target: ScopeModel;
}

/** The possible columns of `{user.<column>}`. */
export interface CallerColumns {
  readonly allowed: ReadonlyMap<string, ConditionColumn>;
  /** Why a column is not available, and an alternative. */
  refusal(column: string): { readonly reason: string; readonly hint: string | null };
}

/** The position of a name: in a condition on a model, possibly within EXISTS. */
export interface NamePosition {
  /** The model that plain names refer to. */
  readonly at: ScopeModel;
  /** The model that has the rule. */
  readonly itself: ScopeModel;
  /** Number of EXISTS around the name. */
  readonly depth: number;
  /** The last relation in the path of the innermost EXISTS, in the source text. Null outside. */
  readonly via: string | null;
  /** The named conditions around the name, the outermost first. */
  readonly within: readonly string[];
  /** Whether this is a check. A check can test a password for NULL. */
  readonly isCheck?: boolean;
}

/** Outside of EXISTS: names are fields of the model that has the rule. */
export function rootScope(scope: ScopeModel): NamePosition {
  return { at: scope, itself: scope, depth: 0, via: null, within: [] };
}

/** Within EXISTS, at the end of its path. */
export function scopeWithin(path: string, end: ScopeModel, from: NamePosition): NamePosition {
  return { ...from, at: end, depth: from.depth + 1, via: path.split(".").at(-1) ?? path };
}

/** Whether a path starts at the row with the rule. Outside of EXISTS, `this` can be a relation. */
export function startsAtItself([first]: readonly string[], { at, depth }: NamePosition): boolean {
  return first === rowItself && (depth > 0 || !at.relations.has(rowItself));
}
