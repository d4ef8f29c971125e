import type { DatabaseName } from "../../../vocabulary/identifiers.ts";
import type { ModelTypes } from "../../models/index.ts";
import type { Models } from "./register.ts";

/** The ids of a model. */
export type IdOf<Types extends ModelTypes> = Types["row"] extends { readonly id?: infer Id }
  ? unknown extends Id
    ? number | string
    : NonNullable<Id>
  : number | string;

/** Names for `select_fields`. */
export type Selectable<Types extends ModelTypes> = Types["selection"][number] & keyof Types["row"];

/** A row of the fields that were asked for. */
export type Selected<Types extends ModelTypes, Name extends keyof Types["row"]> = [
  Selectable<Types>,
] extends [Name]
  ? Types["row"]
  : Pick<Types["row"], Name>;

/** What a fetch is asked for, as over REST (contract: "Pagination, selection, ordering"). */
export interface FetchQuery<Types extends ModelTypes, Name extends keyof Types["row"]> {
  where?: Types["where"];
  /** Without one all rows, or an error where there are more than `max_limit` of the model. */
  limit?: number;
  page?: number;
  offset?: number;
  order_by?: Types["order"];
  order?: "ASC" | "DESC";
  select_fields?: readonly Name[];
}

/** What a search is asked for. */
export interface SearchQuery<Types extends ModelTypes, Name extends keyof Types["row"]>
  extends FetchQuery<Types, Name> {
  /** Without one it is a page like any other. */
  search_term?: string;
  /** Default 10. */
  limit?: number;
}

/** The rows that a write is about: those that a filter finds, or all of those with these ids. */
export type Target<Types extends ModelTypes> =
  | { readonly where: Types["where"] }
  | { readonly ids: readonly IdOf<Types>[] };

/** A model for reading. */
export interface ReadAccess<Types extends ModelTypes> {
  fetch<Name extends Selectable<Types> = Selectable<Types>>(
    query?: FetchQuery<Types, Name>,
  ): Promise<Selected<Types, Name>[]>;
  search<Name extends Selectable<Types> = Selectable<Types>>(
    query: SearchQuery<Types, Name>,
  ): Promise<Selected<Types, Name>[]>;
  count(where?: Types["where"]): Promise<number>;
  exists(where?: Types["where"]): Promise<boolean>;
  get(id: IdOf<Types>): Promise<Types["row"] | null>;
}

/** A model, for reading and writing. Many records are written all, or none of them. */
export interface ModelAccess<Types extends ModelTypes> extends ReadAccess<Types> {
  create(records: readonly Types["create"][]): Promise<Types["row"][]>;
  create(record: Types["create"]): Promise<Types["row"]>;
  upsert(record: Types["upsert"] & { readonly id?: IdOf<Types> }): Promise<Types["row"]>;
  update(change: { readonly where: Types["where"]; readonly data: Types["update"] }): Promise<Types["row"][]>;
  delete(target: Target<Types>): Promise<IdOf<Types>[]>;
  destroy(target: Target<Types>): Promise<IdOf<Types>[]>;
  restore(target: Target<Types>): Promise<IdOf<Types>[]>;
}

/** Accounts are written by their own routes alone. */
type Access<Key, Types extends ModelTypes> = Key extends "users" ? ReadAccess<Types> : ModelAccess<Types>;

/** Of a row the caller may read a part. */
type OfCaller<Types extends ModelTypes> = Omit<Types, "row"> & {
  readonly row: Partial<Types["row"]>;
} & ModelTypes;

/** All models by their keys, under the caller's rules and gates. */
export type CallerDatabase = {
  readonly [Key in keyof Models as DatabaseName<Key>]: Access<Key, OfCaller<Models[Key]>>;
};

/** All models by their keys: the operations of REST with their checks and hooks, and without rules of access (decisions, part 13). */
export type ModelDatabase = {
  readonly [Key in keyof Models as DatabaseName<Key>]: Access<Key, Models[Key]>;
} & {
  /** The same under the caller's rules and gates. Throws where there is no caller: in a job. */
  as(who: "caller"): CallerDatabase;
};

/**
 * Runs one statement, in the transaction if there is one. What stands in `${}` is a bound value, never text. Rows have their values as
 * the API has them.
 */
export type CodeSql = <Row extends object = Record<string, unknown>>(
  text: TemplateStringsArray,
  ...values: readonly unknown[]
) => Promise<Row[]>;
