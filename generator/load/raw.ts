import type { Json } from "../../vocabulary/json.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import type { CountedPer } from "../../vocabulary/rate-limits.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { Located } from "./read.ts";

/** The models file as it is, with positions. Values of a wrong JSON type are left out; the shape check reports them. */
export interface RawModel {
  readonly key: string;
  /** Of the key. */
  readonly at: SourceSpan;
  /** The accounts of the service itself. */
  readonly builtIn: boolean;
  readonly table: Located<string> | null;
  readonly slug: Located<string> | null;
  readonly description: string | null;
  readonly renamedFrom: Located<string> | null;
  readonly softDelete: boolean;
  readonly internal: boolean;
  readonly maxLimit: number | null;
  readonly idType: "integer" | "uuid";
  readonly fields: readonly RawField[];
  readonly unique: readonly RawFieldList[];
  readonly indexes: readonly RawFieldList[];
  readonly checks: readonly RawCheck[];
  readonly access: RawAccess;
  readonly rateLimit: RawRateLimit | null;
  readonly lintIgnore: RawLintIgnore;
  /** Keys of the model by name, for conflicts between spellings. */
  readonly keys: ReadonlyMap<string, SourceSpan>;
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
  readonly preset: Located<string> | null;
  readonly enum: readonly Located<Json>[] | null;
  readonly searchable: boolean;
  readonly unique: boolean;
  readonly index: boolean;
  readonly maxLength: Located<number> | null;
  readonly minLength: Located<number> | null;
  /** A number as text where the type is exact. */
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
  /** Where each key of the field is. */
  readonly keys: ReadonlyMap<string, SourceSpan>;
}

/** A `lint_ignore`: which codes it silences, why, and in which stretch of the file. */
export interface RawLintIgnore {
  /** The definition that it is in, from its key to its end; the whole file in the manifest. */
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

/** One of the list `checks`, where all that it must hold is there. */
export interface RawCheck {
  readonly name: Located<string>;
  readonly condition: Located<string>;
  readonly message: Located<string>;
  readonly field: Located<string> | null;
}

export interface RawRule {
  readonly role: Located<string>;
  /** The roles of its list, where it is one. */
  readonly list: readonly string[];
  readonly condition: Located<string> | null;
}

export interface RawAccess {
  /** Of the key `access`, or of the model's key without one. */
  readonly at: SourceSpan;
  /** Only the operations that have an entry. */
  readonly operations: ReadonlyMap<
    Operation,
    { readonly at: SourceSpan; readonly rules: readonly RawRule[] }
  >;
  readonly fields: readonly RawFieldAccess[];
}

export interface RawFieldAccess {
  readonly field: Located<string>;
  readonly read: readonly Located<string>[] | null;
  readonly write: readonly Located<string>[] | null;
}

/** A rate limit in whichever of its shapes; the keys that are in it. */
export interface RawRateLimit {
  readonly at: SourceSpan;
  readonly enabled: boolean | null;
  readonly maxRequests: number | null;
  readonly windowSeconds: number | null;
  readonly per: CountedPer;
  readonly keys: ReadonlyMap<string, SourceSpan>;
  /** The entries of operations and `default`. */
  readonly entries: ReadonlyMap<string, RawRateLimit>;
}

/** A route of your own, as its file says it. */
export interface RawRoute {
  /** Relative to the project. */
  readonly file: string;
  readonly at: SourceSpan;
  readonly method: Located<string>;
  readonly path: Located<string>;
  readonly access: { readonly at: SourceSpan; readonly roles: readonly Located<string>[] };
  readonly rateLimit: RawRateLimit | null;
}

/** An acknowledgement of `access-acknowledged.json`: what is open, and why. */
export interface RawAcknowledgement {
  readonly id: Located<string>;
  readonly reason: Located<string> | null;
}

/** What the generator needs of the manifest, with positions. */
export interface RawManifest {
  readonly file: string;
  readonly name: Located<string> | null;
  readonly rateLimits: RawRateLimits;
  readonly trustedProxies: readonly Located<string>[];
  readonly servicePrefix: Located<string> | null;
  readonly authPrefix: Located<string> | null;
  readonly storage: RawStorage;
  /** Whether `modules` names the module. */
  readonly monitoring: boolean;
  readonly allowOriginRegex: Located<string> | null;
  readonly origins: readonly Located<string>[];
  readonly cookieName: Located<string> | null;
  readonly bcryptCost: Located<number> | null;
  readonly socialProviders: readonly Located<string>[];
  readonly social: readonly RawProviderSettings[];
  readonly lintIgnore: RawLintIgnore;
}

/** `auth.social.<provider>` of the manifest. */
export interface RawProviderSettings {
  readonly name: Located<string>;
  /** By name; the places of the keys. */
  readonly settings: ReadonlyMap<string, Located<Json>>;
}

/** A mail of the app's own, by its templates. */
export interface RawMail {
  readonly name: string;
  /** Names of values that must be given, and of those that may be missing. */
  readonly needed: readonly string[];
  readonly optional: readonly string[];
}

/** A job, by its file. */
export interface RawJob {
  readonly name: string;
  /** Relative to the project. */
  readonly file: string;
}

/** An error of the app's own. */
export interface RawError {
  readonly code: Located<string>;
  readonly status: number;
  readonly description: string;
}

/** The section `storage` of the manifest, as far as the generator needs it. */
export interface RawStorage {
  /** Where `modules` names it; null where the module is off. */
  readonly enabled: Located<string> | null;
  readonly provider: Located<string> | null;
  readonly slug: Located<string> | null;
  readonly scope: Located<string> | null;
  readonly rateLimit: RawRateLimit | null;
}

/** The section `rate_limit` of the manifest, as far as it says what is counted. */
export interface RawRateLimits {
  readonly enabled: Located<boolean> | null;
  readonly maxRequests: Located<number> | null;
  readonly windowSeconds: Located<number> | null;
}

/** Model keys with hook files of their own: `hooks/auth.ts` and `hooks/graphql.ts`. */
export const reservedKeys: ReadonlySet<string> = new Set(["auth", "graphql"]);
