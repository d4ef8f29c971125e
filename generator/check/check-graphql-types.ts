import { kindOfType } from "../../vocabulary/field-kinds.ts";
import {
  aggregateType,
  derivedTypes,
  schemaTypes,
  type TypeSource,
  typesOfKind,
} from "../../vocabulary/graphql-names.ts";
import { typeNames } from "../definition/names.ts";
import type { RawModel } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";

/** A type of the GraphQL schema that a model gives it beside the one of its key. */
interface DerivedType {
  readonly name: string;
  readonly model: RawModel;
}

/** Model keys that meet other types of the GraphQL schema, in which each model has the type of its key and some more. */
export function checkGraphqlTypes({ models, report }: CheckContext): void {
  const derived = derivedFrom(models);
  const makers = new Map(derived.map(({ name, model }) => [name, model]));
  const users = usersOfTypes(models);
  const problems = new Map(
    models.map((model) => [model, keyProblem(model, makers.get(model.key), users.get(model.key))]),
  );
  for (const [model, other, type] of meetings(derived)) {
    // Of `books_aggregate` all types meet those of `books`; its key says enough.
    if (problems.get(model) !== null) continue;
    problems.set(model, `gives the GraphQL schema a type "${type}", as model "${other.key}" does`);
  }
  for (const [model, problem] of problems) {
    const message = `model key "${model.key}" ${problem}`;
    if (problem !== null) report("generated-name-collision", model.at, message, "choose another key");
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

/** The types that the schema has for the sake of some fields, each with the first of these in words. */
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
  if (schemaTypes.has(key)) return "is the name of a type that the GraphQL schema has itself";
  if (user !== undefined) return `is the name of a type that the GraphQL schema has for ${user}`;
  if (maker === undefined) return null;
  return key === aggregateType(maker.key)
    ? `is the name of the aggregates of model "${maker.key}"`
    : `is the name of a type that model "${maker.key}" gives the GraphQL schema`;
}

/** Types that two models give: the later model, the earlier one, the name. */
function meetings(derived: readonly DerivedType[]): [RawModel, RawModel, string][] {
  const first = new Map<string, RawModel>();
  return derived.flatMap(({ name, model }): [RawModel, RawModel, string][] => {
    const other = first.get(name);
    first.set(name, other ?? model);
    return other === undefined || other === model ? [] : [[model, other, name]];
  });
}
