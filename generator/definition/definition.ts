import type { SelfServicePart } from "../../vocabulary/account-features.ts";
import type { CheckCondition } from "../../vocabulary/conditions/check-tree.ts";
import type { Condition } from "../../vocabulary/conditions/conditions.ts";
import type { RouteMethod } from "../../vocabulary/custom-routes.ts";
import type { DecimalSize } from "../../vocabulary/fields/exact-numbers.ts";
import type { FieldKind } from "../../vocabulary/fields/field-kinds.ts";
import type { ListBounds } from "../../vocabulary/fields/field-schema.ts";
import type { Preset, PresetTime } from "../../vocabulary/fields/presets.ts";
import type { CreatingOperation } from "../../vocabulary/hook-names.ts";
import type { Json } from "../../vocabulary/json.ts";
import type { DocumentSchema } from "../../vocabulary/openapi/document.ts";
import type { Fallback, Operation } from "../../vocabulary/operations.ts";
import type { CountedPer, Limit } from "../../vocabulary/rate-limits.ts";
import type { StorageOperation } from "../../vocabulary/storage.ts";
import type { StoredField, StoredModel } from "./stored.ts";
import type { WrittenCondition } from "./written-condition.ts";

/**
 * The resolved description of a service, with all defaults, names, fallbacks and relations in both directions. It is frozen, can be
 * printed as JSON (`--print-definition`), and is the only input of the emitters.
 */
export interface ServiceDefinition {
  readonly name: string;
  /** Path of the models file, relative to the project. */
  readonly source: string;
  /** The schema of Kirak's own tables. Null for the first one of the search path. */
  readonly serviceSchema: string | null;
  /** Prefix of the model routes, `""` or `"/api"`. */
  readonly servicePrefix: string;
  /** Prefix of the account routes, by default `"/auth"`. */
  readonly authPrefix: string;
  readonly rateLimits: RateLimitsDefinition;
  /** The declared providers of social sign-in. Without one its routes do not exist. */
  readonly socialProviders: readonly string[];
  /** What users can do with their own account. */
  readonly selfService: readonly SelfServicePart[];
  /** Whether users can sign in with a code that is mailed to them. */
  readonly emailCodes: boolean;
  /** Whether users can sign in with passkeys. */
  readonly passkeys: boolean;
  /** Whether administrators manage accounts by routes. */
  readonly administration: boolean;
  /** Whether the app's code has `context.kysely`, typed by `database.ts`. */
  readonly kysely: boolean;
  /** The name of the cookie with the access token, or null. */
  readonly cookieName: string | null;
  /** The name of the cookie with the refresh token, or null. */
  readonly refreshCookieName: string | null;
  readonly docs: DocsDefinition;
  /** Null if the module is off. */
  readonly storage: StorageDefinition | null;
  /** Whether the module is on. */
  readonly monitoring: boolean;
  /** Whether the module is on. */
  readonly mcp: boolean;
  /** The named conditions, in declared order. */
  readonly conditions: readonly ConditionDefinition[];
  /** In declared order. The built-in accounts come last. */
  readonly models: readonly ModelDefinition[];
  /** Custom errors, in declared order. */
  readonly errors: readonly ErrorDefinition[];
  /** Templates of custom mails, by name. */
  readonly mails: readonly MailDefinition[];
  /** By name. */
  readonly jobs: readonly JobDefinition[];
  /** Whether the service needs the queue of jobs also without jobs and mails of the app. */
  readonly usesQueue: boolean;
  /** `hooks/graphql.ts`. */
  readonly graphqlHooks: HooksDefinition | null;
  /** Custom routes, in the order of their files. */
  readonly routes: readonly RouteDefinition[];
}

/** A named condition. */
export interface ConditionDefinition {
  readonly name: string;
  /** The key of the model that it is about. */
  readonly on: string;
  readonly description: string | null;
  /** With what its calls mean. */
  readonly condition: Condition;
  /** With its calls. */
  readonly written: WrittenCondition;
  /** As it is in the models file. */
  readonly text: string;
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
  /** `30 4 * * 1-5`, or `computed` if it is not a literal; null without a schedule. */
  readonly cron: string | null;
  readonly file: string;
}

/** A mail that the app's code can send. */
export interface MailDefinition {
  readonly name: string;
  /** Names of the required and of the optional values. */
  readonly needed: readonly string[];
  readonly optional: readonly string[];
}

/** An error that the app's code can throw. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  /** The default message for callers. */
  readonly description: string;
}

/** The routes of the storage module. */
export interface StorageDefinition {
  readonly slug: string;
  /** Whether a route sends files to anyone with a link. */
  readonly servesFiles: boolean;
  /** Whether uploads can be resumed. */
  readonly resumable: boolean;
  /** Fallbacks resolved; an operation without an entry in the manifest has none. */
  readonly limits: Readonly<Record<StorageOperation, LimitDefinition>>;
}

/** The parts of a custom route with a schema. */
export type SchemaPart = "params" | "query" | "body" | "answer";

/** The JSON Schemas of a custom route. Unknown ones are `{}`. */
export interface RouteSchemas {
  readonly params: DocumentSchema | null;
  readonly query: DocumentSchema | null;
  readonly body: DocumentSchema | null;
  /** Whether the body is passed as bytes. */
  readonly raw: boolean;
  readonly answer: { readonly schema: DocumentSchema } | { readonly contentType: string };
}

/** A custom route. */
export interface RouteDefinition {
  /** Path of its file, relative to the project. */
  readonly file: string;
  readonly method: RouteMethod;
  /** Below the prefix of the model routes, such as `/slots/:id`. */
  readonly path: string;
  /** The declared name; null for a name made of the method and the path. */
  readonly name: string | null;
  readonly description: string | null;
  readonly access: readonly string[];
  readonly schemas: RouteSchemas;
  readonly limit: LimitDefinition;
  /** Null if the route is not a tool of the module `mcp`. The default of `description` is that of the route. */
  readonly mcp: { readonly name: string; readonly description: string | null } | null;
}

export interface ModelDefinition extends StoredModel {
  readonly key: string;
  /** Path of the file that declares the model, relative to the project: the models file, or one next to it. */
  readonly source: string;
  /** Whether this is the model of the built-in accounts, which an app can extend, join and refer to. */
  readonly builtIn: boolean;
  /** Prefix of the model's TypeScript types, name in GraphQL mutations and input types: the key's underscore-separated parts capitalized, made unique. */
  readonly typeName: string;
  readonly table: string;
  readonly slug: string;
  readonly description: string | null;
  /** The model's former key, whose table a migration renames. */
  readonly renamedFrom: string | null;
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
  /** In declared order, which is the order of error answers. */
  readonly checks: readonly CheckDefinition[];
  readonly access: AccessDefinition;
  /** With fallbacks. An internal model has no routes for them. */
  readonly limits: Readonly<Record<Operation, LimitDefinition>>;
  /** The operations that are tools of the module `mcp`, in the order of all operations. Empty if it is off. */
  readonly mcp: readonly Operation[];
  /** For the accounts: `hooks/auth.ts`. */
  readonly hooks: HooksDefinition | null;
  /** By operation, the required fields that its before-hook fills in. Null if the hook file does not list them. */
  readonly filled: Readonly<Record<CreatingOperation, readonly string[] | null>>;
}

export interface FieldDefinition extends StoredField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string | null;
  readonly renamedFrom: string | null;
  /** Required, without default and preset. Callers must send a value for a new row, unless a hook fills it in. */
  readonly required: boolean;
  readonly nullable: boolean;
  /**
   * Absent without a default, or with a default of null. In canonical form: moments in UTC with milliseconds, UUIDs in lower case,
   * exact numbers as text.
   */
  readonly default?: Json;
  /** Absent if the server sets no value. Only roles with write access to the field can send another value. */
  readonly preset?: PresetDefinition;
  /** Enforced by the check constraint `enumCheckName()`. */
  readonly enum: readonly (string | number)[] | null;
  readonly searchable: boolean;
  /** In characters. For `string` the size of the column, by default 255; for other kinds of text a validation rule. */
  readonly maxLength: number | null;
  readonly minLength: number | null;
  /** Text if the kind is exact. */
  readonly minimum: number | string | null;
  readonly maximum: number | string | null;
  /** A regular expression in RE2 syntax, which runs in linear time. */
  readonly pattern: string | null;
  /** The digits of a decimal, or of each element of a list of decimals. */
  readonly decimal: DecimalSize | null;
  /** Null if the field is not a list. Enum, bounds, lengths and pattern of a list apply to its elements. */
  readonly items: ListBounds | null;
  readonly foreignKey: ForeignKeyDefinition | null;
}

export interface PresetDefinition {
  readonly value: Preset;
  readonly on: PresetTime;
  /** Whether the row needs the value. */
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
  /** Join name: `author` for `author_id` if no field has that name, otherwise the field's name. */
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
  /** Name of the constraint, at most 63 bytes. PostgreSQL tests the checks of a table in the order of their names. */
  readonly constraint: string;
  readonly condition: CheckCondition;
  /** The condition as it is in the models file. */
  readonly text: string;
  /** The field that error answers name. */
  readonly field: string;
  readonly message: string;
}

export interface RuleDefinition {
  readonly role: string;
  /** With what its calls mean. */
  readonly condition: Condition | null;
  /** With its calls, as policies and the access matrix print it. */
  readonly written: WrittenCondition | null;
  /** The condition as it is in the models file. */
  readonly text: string | null;
  /** The rule counts only for writes whose sent fields are all in the list. Null: for all writes. */
  readonly fields: readonly string[] | null;
}

/**
 * Access rules with fallbacks: without an entry, `count` and `exists` have the same list as `fetch`, and `upsert` has those of
 * `create` and `update`. `search` has the list of `fetch` if its entry is "as fetch".
 */
export interface AccessDefinition {
  readonly operations: Readonly<Record<Exclude<Operation, "upsert">, readonly RuleDefinition[]>>;
  readonly upsert: { readonly insert: readonly RuleDefinition[]; readonly update: readonly RuleDefinition[] };
  /** Operations that have the rules of others. */
  readonly fallbacks: readonly Fallback[];
  readonly fields: readonly FieldAccessDefinition[];
}

export interface FieldAccessDefinition {
  readonly field: string;
  /** Null for everyone who can run the operation. */
  readonly read: readonly string[] | null;
  readonly write: readonly string[] | null;
  /** For a column that an app adds to `users`: what the owner of the account can do. No role of `read` and `write` is `self`. */
  readonly owner?: { readonly reads: boolean; readonly writes: boolean };
}

/** Where the limit of an operation is declared: in its entry, in `default`, in the flat block of the model, or in the manifest. */
export type LimitOrigin = "entry" | "default" | "model" | "manifest";

/** The rate limit of an operation. */
export interface LimitDefinition {
  readonly origin: LimitOrigin;
  /** Null for unlimited. */
  readonly limit: (Limit & { readonly per: CountedPer }) | null;
}

/** The manifest's section `rate_limit`. A server reads it again when it starts. */
export interface RateLimitsDefinition {
  /** Path of the manifest, relative to the project. */
  readonly source: string;
  /** False turns off all limits, including those of models. */
  readonly enabled: boolean;
  /** For routes without another limit. */
  readonly default: Limit;
  /** Keys of the default limit that the manifest sets. */
  readonly declared: readonly ("default_max_requests" | "default_window_seconds")[];
}

export interface HooksDefinition {
  /** Path of the hook file, relative to the project. */
  readonly file: string;
  /** Whether it lists the fields that its before-hooks fill in. */
  readonly saysFills: boolean;
}
