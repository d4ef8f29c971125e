import { rowItself } from "../../../vocabulary/conditions/conditions.ts";
import type { FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import type { FieldDefinition, RelationDefinition } from "../../definition/definition.ts";
import type { KnownFields } from "../language/condition-tokens.ts";

/** The names that a condition on a model is read with. Those behind a path matter only where it leads somewhere. */
export function namesOf(scope: ScopeModel): KnownFields {
  return namesFrom(rootScope(scope));
}

function namesFrom(from: Standpoint): KnownFields {
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

/** What a condition needs to know of a column. A null kind: a broken reference, reported elsewhere. */
export type ConditionColumn = Omit<
  Pick<FieldDefinition, "kind" | "enum" | "minimum" | "maximum" | "maxLength" | "decimal">,
  "kind"
> & { readonly kind: FieldKind | null };

/** What the conditions of one model may name. Relations lead to the scopes of other models, so that all of them are one graph. */
export interface ScopeModel {
  readonly model: string;
  readonly columns: ReadonlyMap<string, ConditionColumn>;
  /** Under their join name and under their field's own name. */
  readonly relations: ReadonlyMap<string, ConditionRelation>;
  /** Fields without a column: `has_many` and `has_one`, also those that lead nowhere, which is reported elsewhere. */
  readonly collections: ReadonlySet<string>;
  /** The columns of `users` that conditions may compare with. */
  readonly caller: CallerColumns;
  /** Those of all models, for messages. */
  models(): Iterable<ScopeModel>;
}

/** A relation, under its join name. */
export interface ConditionRelation
  extends Pick<RelationDefinition, "name" | "kind" | "field" | "references"> {
  /** What is on the other side. */
  readonly target: ScopeModel;
}

/** What `{user.<column>}` may be. */
export interface CallerColumns {
  readonly allowed: ReadonlyMap<string, ConditionColumn>;
  /** Why a column is not among them, and what to write instead. */
  refusal(column: string): { readonly reason: string; readonly hint: string | null };
}

/** Where a name is: in a condition on the rows of a model, perhaps within EXISTS. */
export interface Standpoint {
  /** The model whose fields names are. */
  readonly at: ScopeModel;
  /** The model whose rule it is. */
  readonly itself: ScopeModel;
  /** Levels of EXISTS around it. */
  readonly depth: number;
  /** The last relation of the path of the innermost EXISTS, as it is written; null outside. */
  readonly via: string | null;
  /** Whether it is the condition of a check, to which a password may be null. */
  readonly isCheck?: boolean;
}

/** Outside of EXISTS, where names are fields of the model whose rule it is. */
export function rootScope(scope: ScopeModel): Standpoint {
  return { at: scope, itself: scope, depth: 0, via: null };
}

/** Within EXISTS, at the end of its path. */
export function scopeWithin(path: string, end: ScopeModel, from: Standpoint): Standpoint {
  return { ...from, at: end, depth: from.depth + 1, via: path.split(".").at(-1) ?? path };
}

/** Whether a path begins at the row whose rule it is: outside of EXISTS a relation called `this` keeps its meaning. */
export function startsAtItself([first]: readonly string[], { at, depth }: Standpoint): boolean {
  return first === rowItself && (depth > 0 || !at.relations.has(rowItself));
}
