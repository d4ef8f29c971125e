import type { DatabaseName } from "../../../vocabulary/identifiers.ts";
import type { Registered } from "../../core/errors/index.ts";
import type { AnyTypes, ModelTypes } from "../../models/index.ts";

/** The ids of a model. */
export type IdOf<Types extends ModelTypes> = Types["row"] extends { readonly id?: infer Id }
  ? unknown extends Id
    ? number | string
    : NonNullable<Id>
  : number | string;

/** Names for `select_fields`. */
export type Selectable<Types extends ModelTypes> = Types["selection"][number] & keyof Types["row"];

/** A row with the selected fields. */
export type Selected<Types extends ModelTypes, Name extends keyof Types["row"]> = [
  Selectable<Types>,
] extends [Name]
  ? Types["row"]
  : Pick<Types["row"], Name>;

/** The query of a fetch, as in REST. */
export interface FetchQuery<Types extends ModelTypes, Name extends keyof Types["row"]> {
  where?: Types["where"];
  /** Default: all rows, and an error if there are more than `max_limit` of the model. */
  limit?: number;
  page?: number;
  offset?: number;
  order_by?: Types["order"];
  order?: "ASC" | "DESC";
  select_fields?: readonly Name[];
}

/** The query of a search. */
export interface SearchQuery<Types extends ModelTypes, Name extends keyof Types["row"]>
  extends FetchQuery<Types, Name> {
  /** Without it, a fetch with the defaults of a search. */
  search_term?: string;
  /** Default 10. */
  limit?: number;
}

/** The rows of a write: those that match a filter, or all rows with these ids. */
export type Target<Types extends ModelTypes> =
  | { readonly where: Types["where"] }
  | { readonly ids: readonly IdOf<Types>[] };

/** The read methods of a model. */
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

/** The methods of a model. A list of records is written completely or not at all. */
export interface ModelAccess<Types extends ModelTypes> extends ReadAccess<Types> {
  create(records: readonly Types["create"][]): Promise<Types["row"][]>;
  create(record: Types["create"]): Promise<Types["row"]>;
  upsert(record: Types["upsert"] & { readonly id?: IdOf<Types> }): Promise<Types["row"]>;
  update(change: { readonly where: Types["where"]; readonly data: Types["update"] }): Promise<Types["row"][]>;
  delete(target: Target<Types>): Promise<IdOf<Types>[]>;
  destroy(target: Target<Types>): Promise<IdOf<Types>[]>;
  restore(target: Target<Types>): Promise<IdOf<Types>[]>;
}

/** Only account routes write accounts, and a read-only model has no record to create. */
type Access<Key, Types extends ModelTypes> = Key extends "users"
  ? ReadAccess<Types>
  : [Types["create"]] extends [never]
    ? ReadAccess<Types>
    : ModelAccess<Types>;

/** A caller may not be able to read all fields. */
type OfCaller<Types extends ModelTypes> = Omit<Types, "row"> & {
  readonly row: Partial<Types["row"]>;
} & ModelTypes;

/** All models by key, with the caller's access rules and gates. */
export type CallerDatabase = {
  readonly [Key in keyof Models as DatabaseName<Key>]: Access<Key, OfCaller<Models[Key]>>;
};

/** All models by key: the operations of REST with validation and hooks, but without access rules. */
export type ModelDatabase = {
  readonly [Key in keyof Models as DatabaseName<Key>]: Access<Key, Models[Key]>;
} & {
  /** The same operations with the caller's access rules and gates. Throws in a job, which has no caller. */
  as(who: "caller"): CallerDatabase;
};

/**
 * Runs one statement, in the current transaction if there is one. Each `${}` is a bound value, never text.
 * Rows have the same values as in the API.
 */
export type AppSql = <Row extends object = Record<string, unknown>>(
  text: TemplateStringsArray,
  ...values: readonly unknown[]
) => Promise<Row[]>;

/** Runs one statement with parameters `$1`, `$2`, …, under the rules of `context.sql`. Writes count their rows. */
export type RunStatement = <Row>(
  text: string,
  values: readonly unknown[],
) => Promise<{ readonly rows: Row[]; readonly numAffectedRows?: bigint }>;

/** `context.kysely`, if the manifest has `typescript.kysely`. */
export type AppKysely = Registered<"kysely", unknown>;

/** Makes `context.kysely`. The generated service names the function, so that other apps load no Kysely. */
export type MakeKysely = (run: RunStatement) => AppKysely;

/** The app's models by key, including internal ones and `users`; any types if it registers none. */
export type Models = Registered<"models", Readonly<Record<string, AnyTypes>>>;

/** The jobs of `models/jobs/` by name. */
export type Jobs = Registered<
  "jobs",
  Readonly<Record<string, HasPayload<Readonly<Record<string, unknown>>>>>
>;

declare const payloadType: unique symbol;

/** Carries the type of a job's payload. Not present at run time. */
export interface HasPayload<Payload> {
  readonly [payloadType]?: Payload;
}

export type PayloadOf<Job> = Job extends HasPayload<infer Payload> ? Payload : never;
