import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { type ApiSide, componentOf, listIn, objectIn } from "./api-side.ts";

/** A schema without references, `allOf`, `anyOf` and `oneOf`. */
export interface Shape {
  /** All keywords except `properties` and `required`. */
  readonly keywords: JsonObject;
  readonly properties: ReadonlyMap<string, ShapeProperty>;
  readonly required: ReadonlySet<string>;
  /** The component that it is; null for a schema in its place. */
  readonly component: string | null;
}

interface ShapeProperty {
  readonly schema: unknown;
  /** The component that declares it. */
  readonly owner: string | null;
}

/** The alternatives of a schema, of which a value matches one. Most schemas have one. `above`: components that it is in. */
export function shapesOf(
  schema: unknown,
  api: ApiSide,
  above: ReadonlySet<string> = new Set(),
): readonly Shape[] {
  const opened = new Set(above);
  const shape = shapeOf(schema, api, null, opened);
  const { anyOf, oneOf, ...keywords } = shape.keywords;
  const options = [anyOf, oneOf].find(Array.isArray);
  if (options === undefined) return [shape];
  const all = options.flatMap((option: unknown) => shapesOf(option, api, opened));
  const [only, ...others] = all.filter((each) => each.keywords["type"] !== "null");
  const whole = { ...shape, keywords };
  const joined = (each: Shape) => ({ ...both(whole, each), component: each.component });
  // Null as a second alternative is a nullable value.
  const nullable = only?.keywords["type"];
  if (only === undefined || nullable === undefined || others.length > 0 || all.length === 1)
    return all.map(joined);
  return [joined({ ...only, keywords: { ...only.keywords, type: [nullable, "null"].flat() } })];
}

/** Adds the components that it opens to `opened`. One that is open already adds nothing to a shape. */
function shapeOf(schema: unknown, api: ApiSide, owner: string | null, opened: Set<string>): Shape {
  if (!isJsonObject(schema)) return { ...empty, keywords: schema === false ? { not: {} } : {} };
  const { $ref: _, allOf: __, properties: ___, required: ____, ...keywords } = schema;
  const name = componentOf(schema);
  const isNew = name !== null && !opened.has(name);
  if (isNew) opened.add(name);
  const parts = [
    ...(isNew ? [shapeOf(objectIn(api.schemas, name), api, name, opened)] : []),
    ...listIn(schema, "allOf").map((part) => shapeOf(part, api, owner, opened)),
    declaredIn(schema, keywords, api, owner),
  ];
  return { ...parts.reduce(both), component: name };
}

/** What a schema itself declares. Fields of models have the names of the later side. */
function declaredIn(schema: JsonObject, keywords: JsonObject, api: ApiSide, owner: string | null): Shape {
  const { model = null, part = "" } = owner === null ? {} : (api.parts.get(owner) ?? {});
  const nameOf = (name: string) => {
    const { field, operator } = part === "Filter" ? filterParts(name) : { field: name, operator: "" };
    return model === null ? name : model.nameOf(field) + operator;
  };
  const { enum: fields, ...others } = keywords;
  // Its values are names of fields.
  const isListOfFields = part === "Field" && Array.isArray(fields);
  const declared = isListOfFields
    ? fields.map((field: unknown) => [String(field), true] as const)
    : Object.entries(objectIn(schema, "properties"));
  return {
    keywords: isListOfFields ? others : keywords,
    properties: new Map(declared.map(([name, property]) => [nameOf(name), { schema: property, owner }])),
    required: new Set(listIn(schema, "required").map((name) => nameOf(String(name)))),
    component: null,
  };
}

const empty: Shape = { keywords: {}, properties: new Map(), required: new Set(), component: null };

/** A shape with the constraints of both. */
function both(one: Shape, other: Shape): Shape {
  const properties = new Map(one.properties);
  for (const [name, property] of other.properties) {
    const known = properties.get(name);
    if (known === undefined || known.schema === true) properties.set(name, property);
    else if (property.schema !== true)
      properties.set(name, { ...property, schema: { allOf: [known.schema, property.schema] } });
  }
  return {
    keywords: { ...one.keywords, ...other.keywords },
    properties,
    required: new Set([...one.required, ...other.required]),
    component: other.component,
  };
}

/** The field and the operator of a filter: `title__in` is `title` and `__in`. */
export function filterParts(name: string): { readonly field: string; readonly operator: string } {
  const [operator = ""] = /(?<=.)__[a-z]+(?:_[a-z]+)*$/.exec(name) ?? [];
  return { field: name.slice(0, name.length - operator.length), operator };
}
