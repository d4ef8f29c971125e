import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { documentedMethods } from "../../../vocabulary/openapi/document.ts";
import { operations as modelOperations } from "../../../vocabulary/operations.ts";
import type { ModelPair } from "../access/model-pairs.ts";

/** One side of a comparison: an OpenAPI document, and the names of its models on the later side. */
export interface ApiSide {
  readonly operations: readonly ApiOperation[];
  readonly schemas: JsonObject;
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
  /** The name that its schemas begin with. */
  readonly component: string;
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
  const componentOf = modelComponents(schemas);
  const models = new Map<string, ApiModel>();
  const operations = Object.entries(objectIn(document, "paths")).flatMap(([path, item]) =>
    documentedMethods.flatMap((method): ApiOperation[] => {
      const content = isJsonObject(item) ? item[method] : undefined;
      if (!isJsonObject(content)) return [];
      const [id, [tag]] = [textIn(content, "operationId"), [content["tags"]].flat().map(String)];
      const name = path.split("/").at(-1) ?? "";
      const typeName = modelOperations.some((each) => each === name && id.startsWith(each))
        ? id.slice(name.length)
        : "";
      const component = componentOf(typeName);
      const model = component === null ? null : modelOf(typeName, component, tag ?? "", pairs);
      if (model !== null) models.set(typeName, model);
      const label = model === null ? routeLabel({ method, path }) : `${model.key}.${name}`;
      return [{ id, label, method, path, tag: tag ?? "", model, content }];
    }),
  );
  const parts = [...models.values()].flatMap((model) =>
    suffixes.map((part) => [model.component + part, { model, part }] as const),
  );
  const resolve = (value: unknown): JsonObject => {
    const [, , map = "", name = ""] = referenceOf(value)?.split("/") ?? [];
    return map === "" ? (isJsonObject(value) ? value : {}) : objectIn(objectIn(components, map), name);
  };
  const byKey = new Map([...models.values()].map((model) => [model.key, model]));
  return { operations, schemas, models: byKey, parts: new Map(parts), resolve };
}

/** Finds the name of a model's schemas by its type name; null if there are no such schemas, because it is no model. */
function modelComponents(schemas: JsonObject): (typeName: string) => string | null {
  const named = Object.keys(schemas).flatMap((name) => {
    const facts = objectIn(objectIn(schemas, name), "x-kirak-model");
    const typeName = textIn(objectIn(facts, "graphql"), "name");
    return name.endsWith("Part") && typeName !== ""
      ? [[typeName, name.slice(0, -"Part".length)] as const]
      : [];
  });
  const components = new Map(named);
  // The document has no `Part` of a model whose rows no operation answers.
  const isUnread = (name: string) => ["Filter", "Upsert"].some((part) => Object.hasOwn(schemas, name + part));
  return (typeName) => components.get(typeName) ?? (typeName !== "" && isUnread(typeName) ? typeName : null);
}

function modelOf(
  typeName: string,
  component: string,
  key: string,
  pairs: ReadonlyMap<string, ModelPair>,
): ApiModel {
  const pair = pairs.get(key);
  const nameOf = (field: string) => pair?.before.nameOf(field) ?? field;
  return { key: pair?.after.key ?? key, ownKey: key, typeName, component, nameOf };
}

/** `POST /slots/:id/book` */
export function routeLabel({ method, path }: Pick<ApiOperation, "method" | "path">): string {
  return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
}

/** The fields that callers read or write. */
export function propertiesOf({ schemas }: ApiSide, component: string): string[] {
  const parts = ["Part", "Input"].map((part) => objectIn(schemas, component + part));
  return [...new Set(parts.flatMap((part) => Object.keys(objectIn(part, "properties"))))];
}

/** The facts that a document has of a model: `soft_delete`, `max_limit` and others. */
export function factsOf({ schemas }: ApiSide, { component }: ApiModel): JsonObject {
  return objectIn(objectIn(schemas, `${component}Part`), "x-kirak-model");
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

/** The reference of a value, if it is one. */
export function referenceOf(value: unknown): string | null {
  return isJsonObject(value) && typeof value["$ref"] === "string" ? value["$ref"] : null;
}
