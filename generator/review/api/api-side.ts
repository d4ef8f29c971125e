import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { documentedMethods } from "../../../vocabulary/openapi/document.ts";
import { operations as modelOperations } from "../../../vocabulary/operations.ts";
import type { ModelPair } from "../access/model-pairs.ts";

/** One side of a comparison: an OpenAPI document, and the names of its models on the later side. */
export interface ApiSide {
  readonly operations: readonly ApiOperation[];
  readonly schemas: JsonObject;
  readonly responses: JsonObject;
  /** Models by their keys on the later side. */
  readonly models: ReadonlyMap<string, ApiModel>;
  /** The schemas of models by their names. */
  readonly parts: ReadonlyMap<string, ApiModelPart>;
  /** The component that a reference leads to; any other value as it is. */
  resolve(value: unknown): JsonObject;
}

/** A schema of a model. */
export interface ApiModelPart {
  readonly model: ApiModel;
  /** `Part`, `Input`, `Filter`, … */
  readonly part: string;
}

/** A model, with the name that it has on the later side. */
export interface ApiModel {
  readonly key: string;
  /** Its name on this side. */
  readonly ownKey: string;
  /** Its name in operationIds and in GraphQL. */
  readonly typeName: string;
  /** `soft_delete`, `max_limit` and others. */
  readonly facts: JsonObject;
  /** The fields that callers read or write, with their names on this side. */
  readonly fields: readonly string[];
  /** The schemas of the fields that callers write, by their names on this side. */
  readonly inputs: JsonObject;
  nameOf(field: string): string;
}

/** An operation. */
export interface ApiOperation {
  readonly id: string;
  /** `books.fetch`, or `POST /slots/:id/book`. */
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  /** Null if it is not one of a model. */
  readonly model: ApiModel | null;
  readonly content: JsonObject;
}

const suffixes = ["", "Part", "Input", "Create", "Update", "Upsert", "Restore", "Filter", "Field"];

/** Reads a document. `pairs` has the models that also exist on the later side, by their keys here. */
export function apiSide(document: JsonObject, pairs: ReadonlyMap<string, ModelPair>): ApiSide {
  const components = objectIn(document, "components");
  const schemas = objectIn(components, "schemas");
  const models = new Map<string, ApiModel>();
  const parts = new Map<string, ApiModelPart>();
  for (const name of Object.keys(schemas)) {
    const facts = objectIn(objectIn(schemas, name), "x-kirak-model");
    const component = name.replace(/Part$/, "");
    const model = modelOf(facts, schemas, component, pairs);
    if (model === null) continue;
    models.set(model.ownKey, model);
    for (const part of suffixes) parts.set(component + part, { model, part });
  }
  const operations = Object.entries(objectIn(document, "paths")).flatMap(([path, item]) =>
    documentedMethods.flatMap((method): ApiOperation[] => {
      const content = isJsonObject(item) ? item[method] : undefined;
      if (!isJsonObject(content)) return [];
      const [id, [tag = ""]] = [textIn(content, "operationId"), listIn(content, "tags").map(String)];
      const tagged = models.get(tag);
      const name = modelOperations.find((each) => id === each + tagged?.typeName);
      const model = (name !== undefined && tagged) || null;
      const label = model === null ? routeLabel({ method, path }) : `${model.key}.${name}`;
      return [{ id, label, method, path, tag, model, content }];
    }),
  );
  const resolve = (value: unknown): JsonObject => {
    const [, , map = "", name = ""] = isJsonObject(value) ? textIn(value, "$ref").split("/") : [];
    return map === "" ? (isJsonObject(value) ? value : {}) : objectIn(objectIn(components, map), name);
  };
  const byKey = new Map([...models.values()].map((model) => [model.key, model]));
  return {
    operations,
    schemas,
    responses: objectIn(components, "responses"),
    models: byKey,
    parts,
    resolve,
  };
}

/** A model by the facts of its `…Part`, which the document has of each model; null without facts. */
function modelOf(
  facts: JsonObject,
  schemas: JsonObject,
  component: string,
  pairs: ReadonlyMap<string, ModelPair>,
): ApiModel | null {
  const [ownKey, typeName] = [textIn(facts, "key"), textIn(objectIn(facts, "graphql"), "name")];
  if (typeName === "") return null;
  const pair = pairs.get(ownKey);
  const [reads, inputs] = ["Part", "Input"].map((part) =>
    objectIn(objectIn(schemas, component + part), "properties"),
  );
  return {
    key: pair?.after.key ?? ownKey,
    ownKey,
    typeName,
    facts,
    fields: Object.keys({ ...reads, ...inputs }),
    inputs: inputs ?? {},
    nameOf: (field) => pair?.before.nameOf(field) ?? field,
  };
}

/** `POST /slots/:id/book` */
export function routeLabel({ method, path }: Pick<ApiOperation, "method" | "path">): string {
  return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
}

/** The object in a property; empty if there is another value. Ignores inherited properties: a field can be called `constructor`. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return isJsonObject(value) ? value : {};
}

export function textIn(object: JsonObject, key: string): string {
  return typeof object[key] === "string" ? object[key] : "";
}

export function listIn(object: JsonObject, key: string): readonly unknown[] {
  return Array.isArray(object[key]) ? object[key] : [];
}

/** The name of the component that a schema refers to; null for another schema. */
export function componentOf(schema: unknown): string | null {
  return isJsonObject(schema) ? (textIn(schema, "$ref").split("/")[3] ?? null) : null;
}
