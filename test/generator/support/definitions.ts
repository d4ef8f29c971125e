import type {
  FieldDefinition,
  LimitDefinition,
  ModelDefinition,
  RuleDefinition,
  ServiceDefinition,
} from "#generator/definition/definition";
import type { StoredModel } from "#generator/definition/stored";
import type { Operation } from "#vocabulary/operations";

/** A service of the given models. */
export function service(...models: readonly ModelDefinition[]): ServiceDefinition {
  // biome-ignore format: many a line
  return {
    name: "fixture", source: "models/models.json", serviceSchema: null, servicePrefix: "", authPrefix: "/auth",
    socialProviders: [], selfService: [], emailCodes: false, passkeys: false, administration: true, kysely: false, cookieName: null, refreshCookieName: null,
    docs: { title: "service", version: "1.0.0", description: null }, storage: null, monitoring: false, mcp: false,
    rateLimits: { source: "models/manifest.json", enabled: true, default: everyMinute, declared: [] }, conditions: [], models,
    errors: [], mails: [], jobs: [], usesQueue: false, graphqlHooks: null, routes: [],
  };
}

/** An optional string field by default. */
export function field(name: string, parts: Partial<FieldDefinition> = {}): FieldDefinition {
  // biome-ignore format: many a line
  return {
    name, kind: "string", description: null, renamedFrom: null, required: false, nullable: true, enum: null,
    searchable: false, maxLength: parts.kind === undefined || parts.kind === "string" ? 255 : null,
    minLength: null, minimum: null, maximum: null, pattern: null, decimal: null, items: null,
    foreignKey: null, column: name, dbType: null, generated: false, sqlDefault: false, outOfRange: null, ...parts,
  };
}

/** A model without access for any role by default. */
export function model(key: string, parts: Partial<ModelDefinition> = {}): ModelDefinition {
  // biome-ignore format: many a line
  return {
    key, source: "models/models.json", builtIn: false, typeName: key.slice(0, 1).toUpperCase() + key.slice(1),
    table: key, slug: key, description: null, renamedFrom: null, ...stored(parts.softDelete ?? false, parts.idType ?? "integer"), softDelete: false,
    checks: [], internal: false, maxLimit: 1000, fields: [], relations: [], uniqueKeys: [], indexes: [],
    access: access({}), limits: limits({}), mcp: [], hooks: null, filled: { create: [], upsert: [] }, ...parts,
  };
}

/** The table that Kirak makes for a model. */
export function stored(softDelete: boolean, idType: ModelDefinition["idType"]): StoredModel {
  const column = (name: string) => ({
    name,
    described: false,
    dbType: null,
    nullable: false,
    generated: name === "id",
    outOfRange: null,
  });
  // biome-ignore format: many a line
  return {
    schemaName: null, idType, idSent: false, orderKey: null, readOnly: false, view: false, triggerMessages: false,
    columns: {
      id: column("id"), created_at: column("created_at"), updated_at: column("updated_at"),
      deleted_at: softDelete ? { ...column("deleted_at"), nullable: true } : null,
    },
  };
}

const everyMinute = { maxRequests: 100, windowSeconds: 60 };

/** The limits of a model; what it leaves out has the manifest's default. */
export function limits(own: Partial<ModelDefinition["limits"]>): ModelDefinition["limits"] {
  const rest: LimitDefinition = { origin: "manifest", limit: { ...everyMinute, per: "ip" } };
  // biome-ignore format: many a line
  return {
    fetch: rest, search: rest, count: rest, exists: rest, create: rest, update: rest, upsert: rest,
    delete: rest, destroy: rest, restore: rest, ...own,
  };
}

type Rules = readonly RuleDefinition[];

/** An access block; what it leaves out is denied, or falls back. */
export function access(
  rules: Partial<Record<Operation, Rules>>,
  fields: ModelDefinition["access"]["fields"] = [],
): ModelDefinition["access"] {
  const of = (operation: Operation) => rules[operation] ?? [];
  const [fetch, create, update] = [of("fetch"), of("create"), of("update")];
  // biome-ignore format: many a line
  return {
    operations: {
      fetch, search: of("search"), count: rules.count ?? fetch, exists: rules.exists ?? fetch, create, update,
      delete: of("delete"), destroy: of("destroy"), restore: of("restore"),
    },
    upsert: { insert: rules.upsert ?? create, update: rules.upsert ?? update },
    fallbacks: (["count", "exists", "upsert"] as const).filter((operation) => rules[operation] === undefined),
    fields,
  };
}

/** A rule for a role, for all rows unless a condition is given. */
export function rule(
  role: string,
  condition: RuleDefinition["condition"] = null,
  fields: RuleDefinition["fields"] = null,
): RuleDefinition {
  const text = condition === null ? null : "as in the models file";
  return { role, condition, written: condition, text, fields };
}
