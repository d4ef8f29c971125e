import { kindOfType } from "../../vocabulary/fields/field-kinds.ts";
import { isRuntimeColumn, runtimeColumns } from "../../vocabulary/fields/runtime-columns.ts";
import { parseAggregateKey } from "../../vocabulary/graphql/aggregates.ts";
import { aggregateArguments } from "../../vocabulary/graphql/arguments.ts";
import {
  aggregateType,
  derivedTypes,
  pageField,
  pageNames,
  schemaTypes,
  type TypeSource,
  typesOfKind,
} from "../../vocabulary/graphql/names.ts";
import { databaseName, maxIdentifierLength } from "../../vocabulary/identifiers.ts";
import { isInternalTable } from "../../vocabulary/migrations/internal-tables.ts";
import { nearest } from "../../vocabulary/nearest.ts";
import { clientNames } from "../../vocabulary/openapi/client-names.ts";
import { searchParameters } from "../../vocabulary/operations.ts";
import { typeNames } from "../definition/names.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import { type RawModel, reservedKeys } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import { hasColumn, hasRuntimeColumn } from "../resolve/model-graph.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks the names of models and fields. */
export function checkModelNames({ models, report }: CheckContext): void {
  const own = models.filter(({ builtIn }) => !builtIn);
  const keys = own.map((model) => ({ name: model.key, at: model.at }));
  checkCase("model keys", keys, report);
  for (const model of own) {
    checkName(`model key "${model.key}"`, model.key, model.at, report);
    if (reservedKeys.has(model.key.toLowerCase()) || isInternalTable(model.key)) {
      report(
        "reserved-model",
        model.at,
        `"${model.key}" is reserved for the service itself`,
        "choose another key",
      );
    }
    checkDatabaseName(model, own, report);
    checkFields(model, report);
  }
  for (const model of models) {
    checkSpellings(model, report);
    checkFieldNames(model, report);
  }
}

/** Reports a model whose name in `context.db` is the key of another model. */
function checkDatabaseName(model: RawModel, all: readonly RawModel[], report: ReportDiagnostic): void {
  const name = databaseName(model.key);
  if (name === model.key || !all.some(({ key }) => key === name)) return;
  const message = `"${model.key}" would be context.db.${name} in app code, which is the model "${name}"`;
  report("reserved-model", model.at, message, "choose another key for one of them");
}

/** Columns that PostgreSQL gives every table. */
const systemColumns: ReadonlySet<string> = new Set(["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid"]);

function checkFieldNames(model: RawModel, report: ReportDiagnostic): void {
  checkCase(`fields of model "${model.key}"`, model.fields, report, runtimeColumns);
  for (const field of model.fields) {
    checkName(`field "${field.name}" of model "${model.key}"`, field.name, field.at, report);
    if (isRuntimeColumn(field.name)) {
      const hint = hasRuntimeColumn(model, field.name)
        ? "every row has it already; remove the field"
        : `write "${field.name}_column": { "column": "${field.name}", … }`;
      report("reserved-field", field.at, `"${field.name}" of model "${model.key}" is a runtime column`, hint);
    }
    if (systemColumns.has(field.column?.value ?? field.name)) {
      const message = `"${field.name}" of model "${model.key}" is a system column of PostgreSQL`;
      report("reserved-field", field.at, message, "choose another name");
    }
  }
}

function checkSpellings(model: RawModel, report: ReportDiagnostic): void {
  for (const [first, second] of [
    ["table", "table_name"],
    ["schema", "fields"],
  ] as const) {
    const at = model.keys.get(second);
    if (at !== undefined && model.keys.has(first)) {
      report(
        "conflicting-keys",
        at,
        `model "${model.key}" has both "${first}" and "${second}"`,
        "keep one of them",
      );
    }
  }
}

function checkFields(model: RawModel, report: ReportDiagnostic): void {
  // A misspelt key is reported as such.
  const near = [...model.keys.keys()].some((key) => nearest(key, ["schema", "fields"]) !== null);
  if (!near) {
    report("missing-key", model.at, `model "${model.key}" lacks the key "fields"`, 'add "fields": { … }');
  }
}

function checkName(subject: string, name: string, at: SourceSpan, report: ReportDiagnostic): void {
  const problem = columnNameProblem(name);
  if (problem !== null)
    report(
      "invalid-name",
      at,
      `${subject} ${problem}`,
      `use letters, digits and single underscores, at most ${maxIdentifierLength}, starting with a letter`,
    );
}

/** Why a string cannot be the name of a model or field, or null. */
export function columnNameProblem(name: string): string | null {
  if (name === "") return "is empty";
  if (!/^[A-Za-z]/.test(name)) return "does not begin with a letter";
  if (!/^[A-Za-z0-9_]*$/.test(name)) return "has a character that is not allowed";
  if (name.includes("__")) return "has two underscores in a row, which separate filters from fields";
  return name.length > maxIdentifierLength
    ? `has ${name.length} characters, more than ${maxIdentifierLength}`
    : null;
}

function checkCase(
  what: string,
  names: readonly { name: string; at: SourceSpan }[],
  report: ReportDiagnostic,
  present: readonly string[] = [],
): void {
  const seen = new Map(present.map((name) => [name, name]));
  for (const { name, at } of names) {
    const first = seen.get(name.toLowerCase());
    if (first === undefined) seen.set(name.toLowerCase(), name);
    else if (first !== name)
      report("case-conflict", at, `"${first}" and "${name}" differ only by case (${what})`);
  }
}

/** Checks for fields with the name of a reserved parameter or of an aggregate. */
export function checkGeneratedNames({ models, report }: CheckContext): void {
  for (const model of models) checkHiddenFields(model, report);
}

function checkHiddenFields(model: RawModel, report: ReportDiagnostic): void {
  const names = new Set(model.fields.map((field) => field.name));
  for (const field of model.fields.filter(hasColumn)) {
    const subject = `field "${field.name}" of model "${model.key}"`;
    const hint = hiddenHint(field.name);
    if (hint !== null)
      report("hidden-field", field.at, `${subject} has the name of a reserved parameter`, hint);
    const aggregated = parseAggregateKey(field.name)?.field;
    if (field.name === "count" || (aggregated !== undefined && names.has(aggregated))) {
      report(
        "ambiguous-aggregate",
        field.at,
        `${subject} has the name of a key in aggregate answers`,
        "rename it: an aggregate that groups by it cannot return both",
      );
    }
  }
}

/** The advice for a reserved name; null for other names. */
function hiddenHint(name: string): string | null {
  const inGraphql = aggregateArguments.has(name);
  if (searchParameters.has(name)) {
    const graphql = inGraphql ? "; GraphQL lists cannot be filtered by it" : "";
    return `rename it, or filter by ${name}__in in query strings${graphql}`;
  }
  return inGraphql ? "rename it, or filter by it over REST: GraphQL lists cannot" : null;
}

/** An additional GraphQL type of a model, next to the type of its key. */
interface DerivedType {
  readonly name: string;
  readonly model: RawModel;
}

/** Checks that the GraphQL types of a model have other names than those of other models and of the schema. */
export function checkGraphqlTypes({ models, report }: CheckContext): void {
  const derived = derivedFrom(models);
  const makers = new Map(derived.map(({ name, model }) => [name, model]));
  const users = usersOfTypes(models);
  const problems = new Map(
    models.map((model) => [model, keyProblem(model, makers.get(model.key), users.get(model.key))]),
  );
  for (const [model, other, type] of nameCollisions(derived)) {
    // All types of `books_aggregate` collide with those of `books`. One report about the key is enough.
    if (problems.get(model) !== null) continue;
    problems.set(model, `needs the GraphQL type "${type}", which model "${other.key}" also needs`);
  }
  for (const [model, problem] of problems) {
    const message = `model key "${model.key}" ${problem}`;
    if (problem !== null) report("generated-name-collision", model.at, message, "choose another key");
  }
}

/** Reports models without pages in GraphQL, because a model key is a name that the pages need. */
export function checkPageFields({ models, report }: CheckContext): void {
  const names = typeNames(models.map(({ key }) => key));
  const keys = new Map(models.map((model) => [model.key, model]));
  for (const model of models.filter(({ internal }) => !internal)) {
    const { key } = model;
    const other = pageNames({ key, typeName: names.get(key) ?? key }).flatMap(
      (name) => keys.get(name) ?? [],
    )[0];
    if (other === undefined) continue;
    const message = `model "${other.key}" has a name that the GraphQL pages of model "${key}" need, so "${key}" has no pages`;
    report("page-field-hidden", other.at, message, `rename it if clients need ${pageField(key)}`);
  }
}

/** Reports models with the name of another property of generated clients. */
export function checkClientNames({ models, report }: CheckContext): void {
  for (const { key, at, internal } of models) {
    if (internal || !clientNames.includes(key)) continue;
    const message = `clients need the name "${key}" themselves, so they have this model as client.models.${key} only`;
    report("client-name-hidden", at, message, `rename it if clients need client.${key}`);
  }
}

function derivedFrom(models: readonly RawModel[]): DerivedType[] {
  const names = typeNames(models.map(({ key }) => key));
  return models.flatMap((model) => derivedTypes(sourceOf(model, names)).map((name) => ({ name, model })));
}

function sourceOf({ key, internal, fields }: RawModel, names: ReadonlyMap<string, string>): TypeSource {
  const enums = fields.flatMap((field) => (field.enum === null ? [] : [field.name]));
  return { key, typeName: names.get(key) ?? key, enums, internal };
}

/** The GraphQL types that only some field types need, each with the first field that needs it. */
function usersOfTypes(models: readonly RawModel[]): ReadonlyMap<string, string> {
  const users = models.flatMap(({ key, fields }) =>
    fields.flatMap(({ name, type }) => {
      const kind = type === null ? null : kindOfType(type.value);
      const field = `field "${name}" of model "${key}"`;
      return kind === null ? [] : typesOfKind(kind).map((used) => [used, field] as const);
    }),
  );
  return new Map(users.reverse());
}

function keyProblem({ key }: RawModel, maker: RawModel | undefined, user: string | undefined): string | null {
  if (schemaTypes.has(key)) return "is the name of a built-in GraphQL type";
  if (user !== undefined) return `is the name of a GraphQL type that ${user} needs`;
  if (maker === undefined) return null;
  return key === aggregateType(maker.key)
    ? `is the GraphQL name of the aggregates of model "${maker.key}"`
    : `is the name of a GraphQL type that model "${maker.key}" needs`;
}

/** Types that two models need: the later model, the earlier one, the name. */
function nameCollisions(derived: readonly DerivedType[]): [RawModel, RawModel, string][] {
  const first = new Map<string, RawModel>();
  return derived.flatMap(({ name, model }): [RawModel, RawModel, string][] => {
    const other = first.get(name);
    first.set(name, other ?? model);
    return other === undefined || other === model ? [] : [[model, other, name]];
  });
}

/** Checks former names of models and fields, which a migration renames. */
export function checkRenames({ models, report }: CheckContext): void {
  const keys = models.map((model) => ({ name: model.key, renamedFrom: model.renamedFrom }));
  checkFormerNames("model", "", keys, report);
  for (const model of models) checkFormerNames("field", ` of model "${model.key}"`, model.fields, report);
}

interface Renamed {
  readonly name: string;
  readonly renamedFrom: Located<string> | null;
}

function checkFormerNames(
  what: string,
  of: string,
  items: readonly Renamed[],
  report: ReportDiagnostic,
): void {
  const inUse = new Set(items.map((item) => item.name));
  const claimed = new Map<string, string>();
  for (const { name, renamedFrom } of items) {
    if (renamedFrom === null) continue;
    const { value: former, at } = renamedFrom;
    const subject = `the former name "${former}" of ${what} "${name}"${of}`;
    const first = claimed.get(former);
    const problem = what === "field" ? identifierProblem(former) : columnNameProblem(former);
    if (problem !== null) report("invalid-rename", at, `${subject} ${problem}`);
    else if (inUse.has(former)) report("invalid-rename", at, `${subject} is still in use`);
    else if (first !== undefined)
      report("invalid-rename", at, `${subject} is also the former name of "${first}"`);
    claimed.set(former, name);
  }
}

/** Why a string cannot be the name of a table or column of PostgreSQL, or null. */
export function identifierProblem(name: string): string | null {
  if (name === "") return "is empty";
  if (name.includes("\0")) return "contains a NUL character";
  const bytes = Buffer.byteLength(name);
  return bytes > maxIdentifierLength ? `has ${bytes} bytes, more than ${maxIdentifierLength}` : null;
}
