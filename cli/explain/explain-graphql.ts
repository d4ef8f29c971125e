import { type FieldNode, Kind, parse, type SelectionNode, valueFromASTUntyped } from "graphql";
import { loadEndpoint, ModelRegistry } from "#runtime/api/graphql/index";
import { ServiceError } from "#runtime/core/errors/index";
import { isJsonObject, type JsonObject } from "#vocabulary/json";
import { descendingSuffix, listArguments, pageArguments } from "#vocabulary/graphql/arguments";
import { askingCaller } from "./asking-caller.ts";
import { explainOperation } from "./explain.ts";
import { statementsOf } from "./explain-statements.ts";
import { type ExplainedDocument, type ExplainRequest, WrongArguments } from "./explanation.ts";
import { recording } from "./recorded-statements.ts";
import type { ExplainedApp } from "./subject.ts";
import { allowed, ofError } from "./verdicts.ts";

const limits = { maxDepth: 20, maxRootFields: 100, maxComplexity: 10_000 };

/** Explains each root field of a document, and what the service answers to the whole. Errors: WrongArguments. */
export async function explainDocument(
  app: ExplainedApp,
  request: ExplainRequest,
): Promise<ExplainedDocument> {
  const document = request.graphql ?? "";
  const { fields, isQuery } = rootFields(document);
  if (request.analyze && !isQuery)
    throw new WrongArguments("--analyze runs the statement, so it is only for reads");
  const registry = new ModelRegistry(app.service.models, app.service.internalModels);
  const explained: ExplainedDocument["fields"][number][] = [];
  for (const field of fields) {
    const key = field.alias?.value ?? field.name.value;
    const asked = requestOf(field, registry, isQuery);
    // The statements of a query are those of the document, with its joins.
    const statements = isQuery ? { sql: false, plan: false, analyze: false } : {};
    const bare = { id: null, where: null, data: null, query: null, graphql: null };
    explained.push({
      key,
      explanation: await explainOperation(app, { ...request, ...bare, ...asked, ...statements }),
    });
  }
  const refused = explained.find(({ explanation }) => explanation.answer.outcome !== "allowed");
  const whole = isQuery && refused === undefined ? await answered(app, registry, request) : null;
  return {
    fields: explained,
    statements: whole?.statements ?? [],
    answer: refused?.explanation.answer ?? whole?.answer ?? allowed,
  };
}

/** Runs a query by the code of the service. Joins are refused here. */
async function answered(app: ExplainedApp, registry: ModelRegistry, request: ExplainRequest) {
  const { principal } = await askingCaller(request.as, app);
  const { recorded, services, caller } = recording(app, principal, true);
  const endpoint = await loadEndpoint({ registry, hooks: {}, limits, services, counters: new Map() });
  const answer = await endpoint.answer({ query: request.graphql }, caller).then(
    () => allowed,
    (error: unknown) =>
      ofError(error instanceof Error && error.cause instanceof ServiceError ? error.cause : error, ""),
  );
  return { answer, statements: await statementsOf({ app, recorded, request }) };
}

function rootFields(text: string): { readonly fields: readonly FieldNode[]; readonly isQuery: boolean } {
  let document: ReturnType<typeof parse>;
  try {
    document = parse(text, { noLocation: true });
  } catch (error) {
    throw new WrongArguments(`--graphql: ${error instanceof Error ? error.message : String(error)}`);
  }
  const [operation, other] = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || other !== undefined)
    throw new WrongArguments("--graphql must be a document with one operation");
  if ((operation.variableDefinitions ?? []).length > 0)
    throw new WrongArguments("--graphql takes no variables: write their values into the document");
  const fields = operation.selectionSet.selections
    .filter(isField)
    .filter(({ name }) => name.value !== "__typename");
  return { fields, isQuery: operation.operation === "query" };
}

const isField = (one: SelectionNode): one is FieldNode => one.kind === Kind.FIELD;

/** A root field as a request of REST. */
function requestOf(field: FieldNode, registry: ModelRegistry, isQuery: boolean) {
  const name = field.name.value;
  const given: JsonObject = Object.fromEntries(
    (field.arguments ?? []).map(({ name: { value: key }, value }) => [key, valueFromASTUntyped(value)]),
  );
  try {
    if (!isQuery) {
      const { member, verb } = registry.mutation(name);
      return { subject: `${member.model.key}.${verb}`, ...writeOf(given) };
    }
    const { member, kind } = registry.query(name);
    const search = kind === "aggregate" || given["search"] !== undefined;
    const query = JSON.stringify(
      kind === "aggregate" ? {} : queryOf(given, kind === "page" ? [] : selectedColumns(field)),
    );
    return { subject: `${member.model.key}.${search ? "search" : "fetch"}`, query };
  } catch (error) {
    if (error instanceof ServiceError) throw new WrongArguments(`--graphql: ${error.message}`);
    throw error;
  }
}

function writeOf({ id, ids, where, data }: JsonObject) {
  const filter = Array.isArray(ids) ? { id__in: ids } : id === undefined ? where : { id };
  return {
    where: isJsonObject(filter) ? JSON.stringify(flatFilters(filter)) : null,
    data: isJsonObject(data) ? JSON.stringify(data) : null,
  };
}

/** Arguments as the parameters of REST. */
function queryOf({ where, ...given }: JsonObject, columns: readonly string[]): JsonObject {
  const entries = Object.entries(given);
  const parameters = entries.flatMap(([name, value]): [string, unknown][] => {
    const parameter = listArguments.get(name) ?? pageArguments.get(name);
    if (parameter === undefined) return Object.entries(flatFilters({ [name]: value }));
    if (parameter !== "order_by" || typeof value !== "string") return [[parameter, value]];
    if (!value.endsWith(descendingSuffix)) return [[parameter, value]];
    return [
      [parameter, value.slice(0, -descendingSuffix.length)],
      ["order", "DESC"],
    ];
  });
  const filters = isJsonObject(where) ? flatFilters(where) : {};
  return {
    ...Object.fromEntries(parameters),
    ...filters,
    ...(columns.length > 0 && { select_fields: columns }),
  };
}

/** `{status: {ne: "x"}}` as `{status__ne: "x"}`. */
function flatFilters(where: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(where).flatMap(([field, value]): [string, unknown][] =>
      isJsonObject(value)
        ? Object.entries(value).map(([operator, one]) => [
            operator === "eq" ? field : `${field}__${operator}`,
            one,
          ])
        : [[field, value]],
    ),
  );
}

/** The selected fields of the model itself, without joins. */
function selectedColumns({ selectionSet }: FieldNode): string[] {
  return (selectionSet?.selections ?? [])
    .filter(isField)
    .filter((one) => one.selectionSet === undefined && one.name.value !== "__typename")
    .map(({ name }) => name.value);
}
