import type { ServiceDefinition } from "#generator/definition/definition";
import { openApiDocument } from "#generator/emit/openapi/document";
import { printDocument } from "#generator/emit/openapi/print-document";
import { accessMatrixView } from "#generator/emit/views/access-matrix-view";
import { declaredRenames } from "#generator/migrations/renames";
import { tablesOf } from "#generator/migrations/snapshot";
import { accessChanges } from "#generator/review/access/access-changes";
import { type ApiTexts, apiChanges } from "#generator/review/api/breaking-changes";
import { schemaOf } from "../emit/graphql/schema-of.ts";
import { loadFiles } from "../load/load-text.ts";

/** The definition of some models, which must be valid. */
export async function definitionOf(models: object): Promise<ServiceDefinition> {
  const { definition, diagnostics } = await loadFiles({ "models.json": models });
  if (definition === null) throw new Error(JSON.stringify(diagnostics));
  return definition;
}

/** The tables of two definitions, and their renames. */
export function tableChanges(before: ServiceDefinition, after: ServiceDefinition) {
  const former = tablesOf(before);
  return { before: former, after: tablesOf(after), renames: declaredRenames(former, after) };
}

/** The text of `access-matrix.txt`. */
export function matrixOf(definition: ServiceDefinition): string {
  return accessMatrixView(definition).lines.join("\n");
}

/** The access changes of roles between two sets of models. */
export async function accessBetween(before: object, after: object, acknowledged = new Map<string, string>()) {
  const [was, is] = [await definitionOf(before), await definitionOf(after)];
  const matrices = { before: matrixOf(was), after: matrixOf(is) };
  return accessChanges(matrices, tableChanges(was, is), acknowledged);
}

/** The names of the wider access between two sets of models. */
export async function widened(before: object, after: object): Promise<string[]> {
  const { widenedAccess, widenedFields } = await accessBetween(before, after);
  return [...widenedAccess, ...widenedFields].map(({ id }) => id);
}

/** The texts of the generated files that describe an API. */
export function apiOf(definition: ServiceDefinition): ApiTexts {
  return { document: printDocument(openApiDocument(definition)), graphql: schemaOf(definition) };
}

/** What callers notice between two services: breaking changes, and then what is worth knowing. */
export function noticed(was: ServiceDefinition, is: ServiceDefinition): string[] {
  const tables = tableChanges(was, is);
  const matrices = { before: matrixOf(was), after: matrixOf(is) };
  const { narrowed } = accessChanges(matrices, tables, new Map());
  const changes = apiChanges(apiOf(was), apiOf(is), tables, narrowed.rows);
  if (changes === null) throw new Error("the former API cannot be read");
  const { breaking, worthKnowing } = changes;
  return [
    ...breaking.map(({ change, notices }) => `${change} (${notices})`),
    ...worthKnowing.map(({ change, notices }) => `worth knowing: ${change} (${notices})`),
  ];
}
