import { errorCodes } from "../../../vocabulary/error-codes.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { parsedJson } from "../../output/lock-file.ts";
import { rolePhrase } from "../access/access-text.ts";
import { modelPairs, type TableChanges } from "../access/model-pairs.ts";
import type { OpenedRows } from "../access/widened-access.ts";
import { apiSide, listIn, textIn } from "./api-side.ts";
import { schemaComparer } from "./compare-schemas.ts";
import { type ApiChanges, type ApiFinding, reported } from "./findings.ts";
import { graphqlChanges, graphqlSchema } from "./graphql-changes.ts";
import type { ApiPair } from "./note-changes.ts";
import {
  answerSchema,
  errorChanges,
  operationChanges,
  pairedOperations,
  removedOperations,
  requestSchema,
} from "./operation-changes.ts";
import { modelChanges } from "./whole-model-changes.ts";

/** The texts of `openapi.json` and `graphql/schema.graphql`. */
export interface ApiTexts {
  readonly document: string;
  readonly graphql: string;
}

/** The API before the first run. */
export const noApi: ApiTexts = { document: '{"paths": {}}', graphql: "" };

/**
 * The changes of the API that callers notice; null if the former API cannot be read. `closed` are the rows that roles have lost;
 * null if they are not known.
 */
export function apiChanges(
  before: ApiTexts | null,
  after: ApiTexts,
  tables: TableChanges,
  closed: readonly OpenedRows[] | null,
): ApiChanges | null {
  if (before === null) return null;
  const isSame = before.document === after.document && before.graphql === after.graphql;
  if (isSame && (closed ?? []).length === 0) return { breaking: [], worthKnowing: [] };
  const [former, now] = [parsedDocument(before.document), parsedDocument(after.document)];
  if (former === null || now === null) return null;
  const rest = restChanges(former, now, tables, closed);
  if (before.graphql === "" || before.graphql === after.graphql) return reported(rest.found);
  const [schema, newSchema] = [graphqlSchema(before.graphql), graphqlSchema(after.graphql)];
  if (schema === null || newSchema === null) return null;
  return reported([...rest.found, ...graphqlChanges(schema, newSchema, rest.pair.was, rest.found)]);
}

function parsedDocument(text: string): JsonObject | null {
  const document = parsedJson(text);
  return isJsonObject(document) && isJsonObject(document["paths"]) ? document : null;
}

function restChanges(
  former: JsonObject,
  now: JsonObject,
  tables: TableChanges,
  closed: readonly OpenedRows[] | null,
): { readonly found: readonly ApiFinding[]; readonly pair: ApiPair } {
  const known = new Set(listIn(former, "tags").map((tag) => (isJsonObject(tag) ? textIn(tag, "name") : "")));
  const models = new Map([...modelPairs(tables, known).values()].map((each) => [each.before.key, each]));
  const [was, is] = [apiSide(former, models), apiSide(now, new Map())];
  const operations = pairedOperations({ was, is });
  const pair = { was, is, models, common: new Set(operations.map((each) => each.is.label)) };
  const compare = schemaComparer(pair);
  const ofModels = [...was.models.values()].flatMap((model) => {
    const current = is.models.get(model.key);
    return current === undefined ? [] : modelChanges(model, current, pair, tables);
  });
  const found = [
    ...removedOperations(pair, operations),
    ...ofModels,
    ...(closed ?? []).flatMap((rows) => lostRows(rows, pair)),
    ...operations.flatMap((each) => {
      const { label: subject, path, model } = each.is;
      const operation = model === null ? null : (path.split("/").at(-1) ?? null);
      const place = { subject, operation, model: null, depth: 0 };
      return [
        ...operationChanges(each, pair, closed !== null),
        ...compare(requestSchema(each.was, was), requestSchema(each.is, is), { ...place, use: "sends" }),
        ...compare(answerSchema(each.was, was), answerSchema(each.is, is), { ...place, use: "reads" }),
      ];
    }),
    ...errorChanges(pair, new Set(Object.keys(errorCodes))),
  ];
  return { found, pair };
}

/** Rows that a role has lost, of operations that it can still call. */
function lostRows(
  { operation, along, role, rows, instead }: OpenedRows,
  { models, common }: ApiPair,
): ApiFinding[] {
  const [key = "", name = ""] = operation.split(".");
  const labels = [name, ...along].map((each) => `${models.get(key)?.after.key ?? key}.${each}`);
  if (instead === null) return [];
  return labels
    .filter((label) => common.has(label.split(":")[0] ?? ""))
    .map((subject) => ({
      kind: "access",
      subject,
      what: `may open fewer rows to ${rolePhrase(role)}: no longer ${rows}`,
      by: "rows can be missing or refused",
    }));
}
