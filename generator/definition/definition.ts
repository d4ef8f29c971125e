import type { CheckCondition } from "../../vocabulary/conditions/check-tree.ts";
import type { Condition } from "../../vocabulary/conditions/conditions.ts";
import type { RouteMethod } from "../../vocabulary/custom-routes.ts";
import type { DecimalSize } from "../../vocabulary/fields/exact-numbers.ts";
import type { FieldKind } from "../../vocabulary/fields/field-kinds.ts";
import type { ListBounds } from "../../vocabulary/fields/field-schema.ts";
import type { Preset } from "../../vocabulary/fields/presets.ts";
import type { CreatingOperation } from "../../vocabulary/hook-names.ts";
import type { Json } from "../../vocabulary/json.ts";
import type { Fallback, Operation } from "../../vocabulary/operations.ts";
import type { CountedPer, Limit } from "../../vocabulary/rate-limits.ts";
import type { StorageOperation } from "../../vocabulary/storage.ts";

/**
 * The resolved description of a service. Everything is settled here: defaults, names, fallbacks, relations both ways.
 * It is frozen, printable as JSON (`--print-definition`), and the only thing that emitters read.
 */
export interface ServiceDefinition {
  readonly name: string;
  /** Path of the models file, relative to the project. */
  readonly source: string;
  /** Prefix of the model routes, `""` or `"/api"`. */
  readonly servicePrefix: string;
  /** Prefix of the account routes, `"/auth"` unless the manifest says otherwise. */
  readonly authPrefix: string;
  readonly rateLimits: RateLimitsDefinition;
  /** The declared providers of social sign-in. Without one its routes do not exist. */
  readonly socialProviders: readonly string[];
  /** The name of the cookie with the access token, or null. */
  readonly cookieName: string | null;
  readonly docs: DocsDefinition;
  /** Null where the module is off. */
  readonly storage: StorageDefinition | null;
  /** Whether the module is on. */
  readonly monitoring: boolean;
  /** In declared order; the accounts of the service itself come after the app's. */
  readonly models: readonly ModelDefinition[];
  /** Of the app's own, in declared order. */
  readonly errors: readonly ErrorDefinition[];
  /** Templates of the app's own mails, by name. */
  readonly mails: readonly MailDefinition[];
  /** By name. */
  readonly jobs: readonly JobDefinition[];
  /** Whether the service needs the queue of jobs also without jobs and mails of the app. */
  readonly usesQueue: boolean;
  /** `hooks/graphql.ts`. */
  readonly graphqlHooks: HooksDefinition | null;
  /** The app's own, in the order of their files. */
  readonly routes: readonly RouteDefinition[];
}

/** The OpenAPI document and its page. */
export interface DocsDefinition {
  readonly title: string;
  readonly version: string;
  readonly description: string | null;
}

/** A job, and the file that has it as its default export. */
export interface JobDefinition {
  readonly name: string;
  readonly file: string;
}

/** A mail that the app's own code may send. */
export interface MailDefinition {
  readonly name: string;
  /** Names of values that must be given, and of those that may be missing. */
  readonly needed: readonly string[];
  readonly optional: readonly string[];
}

/** An error that the app's own code may answer. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  /** The default message for callers. */
  readonly description: string;
}

/** The storage module, as far as it has routes. */
export interface StorageDefinition {
  readonly slug: string;
  /** Whether there is a route that sends files to anyone who has a link. */
  readonly servesFiles: boolean;
  /** Fallbacks resolved; an operation without an entry in the manifest has none. */
  readonly limits: Readonly<Record<StorageOperation, LimitDefinition>>;
}

/** A route of your own. */
export interface RouteDefinition {
  /** Path of its file, relative to the project. */
  readonly file: string;
  readonly method: RouteMethod;
  /** Below the prefix of the model routes, such as `/slots/:id`. */
  readonly path: string;
  readonly access: readonly string[];
  readonly limit: LimitDefinition;
}

export interface ModelDefinition {
  readonly key: string;
  /** Path of the file that declares the model, relative to the project: the models file, or one next to it. */
  readonly source: string;
  /** The accounts of the service itself, which an app may extend, join and refer to. */
  readonly builtIn: boolean;
  /** Prefix of the model's TypeScript types, name in GraphQL mutations and input types: the key's underscore-separated parts capitalized, made unique. */
  readonly typeName: string;
  readonly table: string;
  readonly slug: string;
  readonly description: string | null;
  /** The model's former key, whose table a migration renames. */
  readonly renamedFrom: string | null;
  readonly idType: "integer" | "uuid";
  readonly softDelete: boolean;
  readonly internal: boolean;
  readonly maxLimit: number;
  /** Fields with a column, in declared order, without the runtime columns. */
  readonly fields: readonly FieldDefinition[];
  /** Joins to other models, in declared order. */
  readonly relations: readonly RelationDefinition[];
  readonly uniqueKeys: readonly KeyDefinition[];
  /** Declared indexes and one for each foreign key. */
  readonly indexes: readonly KeyDefinition[];
  /** In declared order, in which they are reported. */
  readonly checks: readonly CheckDefinition[];
  readonly access: AccessDefinition;
  /** Fallbacks resolved. An internal model has no routes that they could hold for. */
  readonly limits: Readonly<Record<Operation, LimitDefinition>>;
  /** Of the accounts: `hooks/auth.ts`. */
  readonly hooks: HooksDefinition | null;
  /** By operation, the required fields that its before-hook fills in; null where it has one that does not say which. */
  readonly filled: Readonly<Record<CreatingOperation, readonly string[] | null>>;
}

export interface FieldDefinition {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string | null;
  readonly renamedFrom: string | null;
  /** A new row must hold it: required, and with neither a default nor a preset. Who creates one sends it, unless a hook fills it in. */
  readonly required: boolean;
  readonly nullable: boolean;
  /**
   * Absent when the field has no default; a default of null is not a default. Moments are in UTC with milliseconds, UUIDs in lower
   * case, exact numbers in their one form, so that the text means the same to every reader.
   */
  readonly default?: Json;
  /** Absent when the server sets nothing. `access` closes the field for writing, but for roles that may send a value. */
  readonly preset?: PresetDefinition;
  /** Held by a check constraint that `enumCheckName` of `names.ts` names. */
  readonly enum: readonly (string | number)[] | null;
  readonly searchable: boolean;
  /** Characters: of the column for `string` (255 unless declared), of the check for the other text kinds. */
  readonly maxLength: number | null;
  readonly minLength: number | null;
  /** A number as text where the kind is exact. */
  readonly minimum: number | string | null;
  readonly maximum: number | string | null;
  /** A regular expression in RE2 syntax, which runs in linear time. */
  readonly pattern: string | null;
  /** How many digits a decimal has, or each of a list. */
  readonly decimal: DecimalSize | null;
  /** Of a list: enum, bounds, lengths and pattern above are those of its elements. */
  readonly items: ListBounds | null;
  readonly foreignKey: ForeignKeyDefinition | null;
}

export interface PresetDefinition {
  readonly value: Preset;
  /** A new row cannot do without it. */
  readonly required: boolean;
}

export interface ForeignKeyDefinition {
  /** Name of the constraint. */
  readonly name: string;
  readonly model: string;
  readonly table: string;
  readonly column: string;
  readonly onDelete: "restrict" | "cascade" | "set_null";
}

export interface RelationDefinition {
  /** Join name: `author` for `author_id` where that name is free, else the field's name. */
  readonly name: string;
  readonly kind: "belongs_to" | "has_one" | "has_many";
  /** Column of this model. */
  readonly field: string;
  readonly model: string;
  /** Column of the joined model. */
  readonly references: string;
}

export interface KeyDefinition {
  /** Name of the index, at most 63 bytes. */
  readonly name: string;
  readonly fields: readonly string[];
}

export interface CheckDefinition {
  readonly name: string;
  /** Name of the constraint, at most 63 bytes: PostgreSQL tries those of a table in the order of their names. */
  readonly constraint: string;
  readonly condition: CheckCondition;
  /** The condition as it is in the models file. */
  readonly text: string;
  /** The field that answers name. */
  readonly field: string;
  readonly message: string;
}

export interface RuleDefinition {
  readonly role: string;
  readonly condition: Condition | null;
  /** The condition as it is in the models file. */
  readonly text: string | null;
}

/**
 * Fallbacks resolved: without an entry of their own `count` and `exists` hold the very list of `fetch`, `upsert` those of `create`
 * and `update`.
 */
export interface AccessDefinition {
  readonly operations: Readonly<Record<Exclude<Operation, "upsert">, readonly RuleDefinition[]>>;
  readonly upsert: { readonly insert: readonly RuleDefinition[]; readonly update: readonly RuleDefinition[] };
  /** Those without an entry of their own, which hold the rules of others. */
  readonly fallbacks: readonly Fallback[];
  readonly fields: readonly FieldAccessDefinition[];
}

export interface FieldAccessDefinition {
  readonly field: string;
  /** Null: everyone who may run the operation. */
  readonly read: readonly string[] | null;
  readonly write: readonly string[] | null;
}

/** Where the limit of an operation is: in its own entry, in `default`, in the flat block, or in no model at all. */
export type LimitOrigin = "entry" | "default" | "model" | "manifest";

/** How often an operation may be called. */
export interface LimitDefinition {
  readonly origin: LimitOrigin;
  /** Null: as often as anyone likes. */
  readonly limit: (Limit & { readonly per: CountedPer }) | null;
}

/** The manifest's section `rate_limit`. A server reads it again when it starts. */
export interface RateLimitsDefinition {
  /** Path of the manifest, relative to the project. */
  readonly source: string;
  /** False: nothing is limited, no matter what models say. */
  readonly enabled: boolean;
  /** Of the routes that have no limit of their own. */
  readonly default: Limit;
  /** Keys of that limit that the manifest sets. */
  readonly declared: readonly ("default_max_requests" | "default_window_seconds")[];
}

export interface HooksDefinition {
  /** Path of the hook file, relative to the project. */
  readonly file: string;
  /** Whether it says which fields its before-hooks fill in. */
  readonly saysFills: boolean;
}
