import type { RuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import type { Json } from "../../vocabulary/json.ts";
import type { AccessKey } from "../../vocabulary/operations.ts";
import type { PasskeySection } from "../../vocabulary/passkeys.ts";
import type { CountedPer } from "../../vocabulary/rate-limits.ts";
import type { RouteSchemas, SchemaPart } from "../definition/definition.ts";
import type { IdType } from "../definition/stored.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { Located } from "./read.ts";

/** A model of the models file, with positions. Values of a wrong JSON type are left out: the shape check reports them. */
export interface RawModel {
  readonly key: string;
  /** Of the key. */
  readonly at: SourceSpan;
  /** Whether this is the built-in `users`. */
  readonly builtIn: boolean;
  readonly table: Located<string> | null;
  readonly slug: Located<string> | null;
  readonly description: string | null;
  readonly renamedFrom: Located<string> | null;
  readonly softDelete: boolean;
  readonly internal: boolean;
  readonly maxLimit: number | null;
  readonly idType: IdType;
  readonly schemaName: Located<string> | null;
  /** The runtime columns that `columns` names. */
  readonly columns: ReadonlyMap<RuntimeColumn, Located<RawStoredColumn | null>>;
  readonly orderKey: RawFieldList | null;
  /** Also of a view. */
  readonly readOnly: boolean;
  readonly view: boolean;
  readonly triggerMessages: boolean;
  readonly fields: readonly RawField[];
  readonly unique: readonly RawFieldList[];
  readonly indexes: readonly RawFieldList[];
  readonly checks: readonly RawCheck[];
  readonly access: RawAccess;
  readonly rateLimit: RawRateLimit | null;
  /** Null if nothing is exposed. */
  readonly mcp: RawMcp | null;
  readonly lintIgnore: RawLintIgnore;
  /** Keys of the model by name, for conflicts between spellings. */
  readonly keys: ReadonlyMap<string, SourceSpan>;
}

/** The key `mcp` of a model. */
export interface RawMcp {
  readonly at: SourceSpan;
  /** Null for `true`, which stands for the usual operations. */
  readonly operations: readonly Located<string>[] | null;
}

/** A runtime column as the table has it. */
export interface RawStoredColumn {
  readonly column: Located<string> | null;
  readonly dbType: Located<string> | null;
  readonly nullable: boolean;
  readonly generated: Located<boolean> | null;
  readonly outOfRange: Located<string> | null;
}

/** A complete entry of `$conditions`. */
export interface RawCondition {
  readonly name: string;
  /** Of the name. */
  readonly at: SourceSpan;
  /** The key of a model. */
  readonly on: Located<string>;
  readonly condition: Located<string>;
  readonly description: string | null;
}

export interface RawField {
  readonly name: string;
  /** Of the name. */
  readonly at: SourceSpan;
  readonly type: Located<string> | null;
  readonly description: string | null;
  readonly renamedFrom: Located<string> | null;
  readonly required: boolean;
  readonly nullable: boolean | null;
  readonly default: Located<Json> | null;
  /** The physical name. */
  readonly column: Located<string> | null;
  readonly dbType: Located<string> | null;
  readonly generated: boolean;
  /** Whether the default is an expression of the database. */
  readonly sqlDefault: boolean;
  readonly outOfRange: Located<string> | null;
  readonly preset: Located<string> | null;
  /** Whether the long form says that every write sets the preset. */
  readonly presetOnWrite: boolean;
  readonly enum: readonly Located<Json>[] | null;
  readonly searchable: boolean;
  readonly unique: boolean;
  readonly index: boolean;
  readonly maxLength: Located<number> | null;
  readonly minLength: Located<number> | null;
  /** A text if the type is exact. */
  readonly minimum: Located<number | string> | null;
  readonly maximum: Located<number | string> | null;
  readonly pattern: Located<string> | null;
  readonly precision: Located<number> | null;
  readonly scale: Located<number> | null;
  readonly minItems: Located<number> | null;
  readonly maxItems: Located<number> | null;
  readonly uniqueItems: boolean;
  readonly foreignKey: Located<boolean> | null;
  readonly relationship: RawRelationship | null;
  readonly lintIgnore: RawLintIgnore;
  /** The positions of the keys. */
  readonly keys: ReadonlyMap<string, SourceSpan>;
}

/** A `lint_ignore`: the silenced codes, the reason and the range in the file. */
export interface RawLintIgnore {
  /** The definition around it, from its key to its end. In the manifest, the whole file. */
  readonly scope: SourceSpan;
  readonly entries: readonly { readonly code: Located<string>; readonly reason: Located<string> }[];
}

export interface RawRelationship {
  readonly at: SourceSpan;
  readonly model: Located<string> | null;
  readonly foreignKey: Located<string> | null;
  readonly onDelete: Located<string> | null;
}

export interface RawFieldList {
  readonly at: SourceSpan;
  readonly fields: readonly Located<string>[];
}

/** A complete entry of `checks`. */
export interface RawCheck {
  readonly name: Located<string>;
  readonly condition: Located<string>;
  readonly message: Located<string>;
  readonly field: Located<string> | null;
}

export interface RawRule {
  readonly role: Located<string>;
  /** All roles of the list that the role is in. */
  readonly list: readonly string[];
  readonly condition: Located<string> | null;
  /** The rule counts only for writes whose sent fields are all in the list. Null: for all writes. */
  readonly fields: { readonly at: SourceSpan; readonly names: readonly Located<string>[] } | null;
}

export interface RawAccess {
  /** The position of the key `access`, or of the model's key without it. */
  readonly at: SourceSpan;
  /** Only operations with an entry, and `$all`. */
  readonly operations: ReadonlyMap<AccessKey, RawOperationAccess>;
  readonly fields: readonly RawFieldAccess[];
}

export interface RawOperationAccess {
  /** Of the key. */
  readonly at: SourceSpan;
  /** Empty if the entry is a phrase. */
  readonly rules: readonly RawRule[];
  /** The phrase for the rules of another operation: `as fetch`. */
  readonly phrase: Located<string> | null;
}

export interface RawFieldAccess {
  readonly field: Located<string>;
  readonly read: readonly Located<string>[] | null;
  readonly write: readonly Located<string>[] | null;
}

/** A rate limit in any of its shapes. */
export interface RawRateLimit {
  readonly at: SourceSpan;
  readonly enabled: boolean | null;
  readonly maxRequests: number | null;
  readonly windowSeconds: number | null;
  readonly per: CountedPer;
  readonly keys: ReadonlyMap<string, SourceSpan>;
  /** The entries by operation, and `default`. */
  readonly entries: ReadonlyMap<string, RawRateLimit>;
}

/** A schema that only the code of its file has. */
export interface ComputedSchema {
  readonly part: SchemaPart;
  readonly at: SourceSpan;
}

/** A custom route, as declared in its file. */
export interface RawRoute {
  /** Relative to the project. */
  readonly file: string;
  readonly at: SourceSpan;
  readonly method: Located<string>;
  readonly path: Located<string>;
  readonly name: Located<string> | null;
  readonly description: string | null;
  readonly schemas: RouteSchemas;
  /** Parts whose schema is not a literal. */
  readonly computed: readonly ComputedSchema[];
  readonly access: { readonly at: SourceSpan; readonly roles: readonly Located<string>[] };
  readonly rateLimit: RawRateLimit | null;
  /** Null if the route is not a tool. */
  readonly mcp: { readonly name: Located<string>; readonly description: string | null } | null;
}

/** An entry of `access-acknowledged.json`: an access id and a reason. */
export interface RawAcknowledgement {
  readonly id: Located<string>;
  readonly reason: Located<string> | null;
}

/** The part of the manifest that the generator needs, with positions. */
export interface RawManifest {
  readonly file: string;
  readonly name: Located<string> | null;
  readonly rateLimits: RawRateLimits;
  readonly trustedProxies: readonly Located<string>[];
  readonly serviceSchema: Located<string> | null;
  readonly servicePrefix: Located<string> | null;
  readonly authPrefix: Located<string> | null;
  readonly storage: RawStorage;
  /** Whether `modules` lists the module. */
  readonly monitoring: boolean;
  /** Its entry in `modules`; null if the module is off. */
  readonly mcp: Located<string> | null;
  readonly allowOriginRegex: Located<string> | null;
  readonly origins: readonly Located<string>[];
  readonly cookieName: Located<string> | null;
  readonly refreshCookieName: Located<string> | null;
  readonly bcryptCost: Located<number> | null;
  readonly socialProviders: readonly Located<string>[];
  /** Null if the key is missing. */
  readonly selfService: readonly Located<string>[] | null;
  readonly emailCodes: Located<boolean> | null;
  /** Null if they are off. */
  readonly passkeys: Located<PasskeySection> | null;
  readonly baseUrl: Located<string> | null;
  /** `auth.administration`; null if the key is missing. */
  readonly administration: Located<boolean> | null;
  readonly social: readonly RawProviderSettings[];
  /** `typescript.kysely`; null if the key is missing. */
  readonly kysely: Located<boolean> | null;
  readonly docs: RawDocs;
  readonly lintIgnore: RawLintIgnore;
}

/** `docs` of the manifest. */
export interface RawDocs {
  readonly path: Located<string> | null;
  readonly title: Located<string> | null;
  readonly version: Located<string> | null;
  readonly description: Located<string> | null;
}

/** `auth.social.<provider>` of the manifest. */
export interface RawProviderSettings {
  readonly name: Located<string>;
  /** By name, with the positions of the keys. */
  readonly settings: ReadonlyMap<string, Located<Json>>;
}

/** A custom mail. */
export interface RawMail {
  readonly name: string;
  /** Names of required values, and of optional ones. */
  readonly needed: readonly string[];
  readonly optional: readonly string[];
}

/** A job. */
export interface RawJob {
  readonly name: string;
  /** `30 4 * * 1-5`, or `computed` if it is not a literal; null without a schedule. */
  readonly cron: string | null;
  /** Relative to the project. */
  readonly file: string;
}

/** A custom error. */
export interface RawError {
  readonly code: Located<string>;
  readonly status: number;
  readonly description: string;
}

/** The part of `storage` in the manifest that the generator needs. */
export interface RawStorage {
  /** Its entry in `modules`; null if the module is off. */
  readonly enabled: Located<string> | null;
  readonly provider: Located<string> | null;
  readonly slug: Located<string> | null;
  readonly scope: Located<string> | null;
  readonly resumable: Located<boolean> | null;
  readonly rateLimit: RawRateLimit | null;
}

/** The part of `rate_limit` in the manifest that the generator needs. */
export interface RawRateLimits {
  readonly enabled: Located<boolean> | null;
  readonly maxRequests: Located<number> | null;
  readonly windowSeconds: Located<number> | null;
}

/** Keys that models cannot have, because `hooks/auth.ts` and `hooks/graphql.ts` are not hooks of models. */
export const reservedKeys: ReadonlySet<string> = new Set(["auth", "graphql"]);
