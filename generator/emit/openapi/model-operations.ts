import { coversRole, everyRole, guestRole } from "../../../vocabulary/accounts/role-names.ts";
import {
  type AccessEntry,
  type DocumentedOperation,
  type Entries,
  type Part,
  type PathItem,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import {
  modelOperations,
  type Operation,
  operationMethods,
  readOperations,
} from "../../../vocabulary/operations.ts";
import type { ModelDefinition, RuleDefinition } from "../../definition/definition.ts";
import { anyOf, conditionText } from "../views/condition-view.ts";
import { credentialErrors, errorsOf, joinErrors } from "./error-responses.ts";
import { type DocumentedModel, idSchema, someFilters } from "./model-schemas.ts";
import { list, type OperationMaker, object, successResponse } from "./operation.ts";

/** The operations of a model that a role reaches. */
export function reachedOperations(model: ModelDefinition): Operation[] {
  const { access } = model;
  return modelOperations(model).filter((operation) =>
    operation === "upsert"
      ? isOpen([...access.upsert.insert, ...access.upsert.update])
      : isOpen(access.operations[operation]),
  );
}

function isOpen(rules: readonly RuleDefinition[]): boolean {
  return rules.length > 0;
}

const summaries: Readonly<Record<Operation, (key: string) => string>> = {
  fetch: (key) => `List ${key}`,
  search: (key) => `Search ${key}`,
  count: (key) => `Count ${key}`,
  exists: (key) => `Check whether ${key} exist`,
  create: (key) => `Create ${key}`,
  update: (key) => `Update ${key}`,
  upsert: (key) => `Insert or update one of ${key}`,
  delete: (key) => `Delete ${key}`,
  destroy: (key) => `Delete ${key} for good`,
  restore: (key) => `Restore deleted ${key}`,
};

/** Shared parameters of lists, in the order of docs/api.md. */
const listed = ["limit", "page", "offset", "page__after", "page__before", "page__total"].map((name) =>
  reference("parameters", name),
);

/** The paths of a model. */
export function modelPaths(
  documented: DocumentedModel,
  prefix: string,
  make: OperationMaker,
): Entries<PathItem> {
  const { model, operations } = documented;
  return Object.fromEntries(
    operations.map((operation) => [
      `${prefix}/${model.slug}/${operation}`,
      { [operationMethods[operation].toLowerCase()]: modelOperation(documented, operation, make) },
    ]),
  );
}

function modelOperation(
  documented: DocumentedModel,
  operation: Operation,
  make: OperationMaker,
): DocumentedOperation {
  const { model, name } = documented;
  const access = accessOf(model, operation);
  const body = bodyOf(documented, operation);
  const guests = access.some(({ role }) => role === everyRole || role === guestRole);
  const reads = readOperations.some((each) => each === operation);
  const missing = !reads && operation !== "create";
  return make({
    operationId: operation + model.typeName,
    tag: model.key,
    summary: summaries[operation](model.key),
    ...(operation === "delete" || operation === "destroy" ? { description: removalDescription } : {}),
    credentials: guests ? "optional" : "required",
    ...(reads && { parameters: parametersOf(name, operation) }),
    ...(body !== null && { body }),
    success: { 200: successOf(documented, operation) },
    errors: missing ? errorsOfChange : errorsOfOperation,
    app: model.hooks !== null,
    access,
    limit: model.limits[operation].limit,
  });
}

const errorsOfOperation = joinErrors(errorsOf("VALIDATION_ERROR", "PERMISSION_DENIED"), credentialErrors);
const errorsOfChange = joinErrors(errorsOfOperation, errorsOf("NOT_FOUND"));

const removalDescription = "Instead of a body, filters can be in the query string, such as `?id=7`.";

/** The roles that reach an operation, with their rows. An upsert without its own rules has those of create and update. */
function accessOf({ access }: ModelDefinition, operation: Operation): AccessEntry[] {
  if (operation !== "upsert") return entries(access.operations[operation]);
  const { insert, update } = access.upsert;
  if (!access.fallbacks.includes("upsert")) return entries(insert);
  return [
    ...entries(insert).map((entry) => ({ ...entry, part: "insert" as const })),
    ...entries(update).map((entry) => ({ ...entry, part: "update" as const })),
  ];
}

function entries(rules: readonly RuleDefinition[]): AccessEntry[] {
  const roles = [...new Set(rules.map(({ role }) => role))].sort();
  return roles.flatMap((role) => {
    const own = rules.filter((rule) => coversRole(rule.role, role));
    const plain = own.filter(({ fields }) => fields === null);
    const named = own.flatMap((rule): AccessEntry[] =>
      rule.fields === null ? [] : [{ role, ...openedRows([rule]), fields: rule.fields }],
    );
    return plain.length === 0 ? named : [{ role, ...openedRows(plain) }, ...named];
  });
}

/** The condition of the rows that rules open together, with what its calls mean. Empty for all rows. */
function openedRows(rules: readonly RuleDefinition[]): Pick<AccessEntry, "rows"> {
  const conditions = rules.map(({ condition }) => condition);
  if (conditions.includes(null)) return {};
  const rows = anyOf(conditions.filter((condition) => condition !== null));
  return { rows: rows === null ? "" : conditionText(rows) };
}

function parametersOf(name: string, operation: Operation): Part[] {
  const where = reference("parameters", `${name}Where`);
  if (operation === "count" || operation === "exists") return [where];
  return [
    ...(operation === "search" ? [reference("parameters", "search_term")] : []),
    where,
    ...listed,
    reference("parameters", `${name}OrderBy`),
    reference("parameters", "order"),
    reference("parameters", `${name}Select`),
  ];
}

/** The parameters of a model. */
export function modelParameters({ name, operations }: DocumentedModel): Entries<Part> {
  const filters = {
    name: "where",
    in: "query",
    style: "form",
    explode: true,
    schema: reference("schemas", `${name}Filter`),
  };
  const fields = { type: "array", items: reference("schemas", `${name}Field`) };
  const isListed = operations.includes("fetch") || operations.includes("search");
  return {
    [`${name}Where`]: filters,
    ...(isListed && {
      [`${name}OrderBy`]: { name: "order_by", in: "query", schema: reference("schemas", `${name}Field`) },
      [`${name}Select`]: {
        name: "select_fields",
        in: "query",
        style: "form",
        explode: false,
        schema: fields,
      },
    }),
  };
}

/** The schema of a body; null if the operation reads none. */
function bodyOf({ model, name }: DocumentedModel, operation: Operation): Part | null {
  const where = someFilters(name);
  const of = (suffix: string) => reference("schemas", name + suffix);
  switch (operation) {
    case "create":
      return object({ data: { anyOf: [single(model, of("Create")), list(of("Create"))] } });
    case "update":
      return {
        anyOf: [
          object({ where, data: { ...of("Update"), minProperties: 1 } }),
          object({ data: list(bulkRecord(model, name)) }),
        ],
      };
    case "upsert":
      return object({ data: single(model, of("Upsert")) });
    case "restore":
      return object({ where, data: of("Restore") });
    case "delete":
    case "destroy":
      return of("Removal");
    default:
      return null;
  }
}

/** A record of its own: not empty, unless the server sets some fields or there are none. */
function single({ fields }: ModelDefinition, schema: Part): Part {
  const mayBeEmpty = fields.length === 0 || fields.some(({ preset }) => preset !== undefined);
  return mayBeEmpty ? schema : { ...schema, minProperties: 1 };
}

/** A record of a bulk update: new values, and the id of its row. */
function bulkRecord(model: ModelDefinition, name: string): Part {
  return {
    type: "object",
    allOf: [reference("schemas", `${name}Input`)],
    required: ["id"],
    properties: { id: idSchema(model) },
    unevaluatedProperties: false,
  };
}

/** The part of the names of shared components that is about ids. */
const idForms = { integer: "Ids", bigint: "Texts", uuid: "Uuids", string: "Texts" } as const;

const createReports = { Ids: "CreateReport", Uuids: "CreateReportOfUuids", Texts: "CreateReportOfTexts" };

/** The answer of an operation. */
function successOf({ model, name }: DocumentedModel, operation: Operation): Part {
  const ids = idForms[model.idType];
  switch (operation) {
    case "fetch":
    case "search":
      return reference("responses", `${name}Rows`);
    case "create":
      return reference("responses", `${name}Created`);
    case "count":
      return reference("responses", "Count");
    case "exists":
      return reference("responses", "Exists");
    case "update":
      return reference("responses", `Updated${ids}`);
    case "upsert":
      return reference("responses", `Upserted${ids.slice(0, -1)}`);
    case "delete":
      return reference("responses", `Deleted${ids}`);
    case "destroy":
      return reference("responses", `Destroyed${ids}`);
    case "restore":
      return reference("responses", `Restored${ids}`);
  }
}

/** The answers that belong to one model. */
export function modelResponses({ model, name, operations }: DocumentedModel): Entries<Part> {
  const rows = { type: "array", items: reference("schemas", `${name}Part`) };
  const report = reference("schemas", createReports[idForms[model.idType]]);
  return {
    ...((operations.includes("fetch") || operations.includes("search")) && {
      [`${name}Rows`]: successResponse("The rows; `pagination` with `page`, `offset` or a cursor.", rows, {
        pagination: reference("schemas", "Pagination"),
      }),
    }),
    ...(operations.includes("create") && {
      [`${name}Created`]: successResponse("The new row, or the report of several.", {
        anyOf: [reference("schemas", name), report],
      }),
    }),
  };
}
