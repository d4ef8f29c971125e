import { closedSchema, isSchema, keywordsWithSchemas, schemaKeywords } from "../code-schemas.ts";
import { isJsonObject, type Json, jsonCopy } from "../json.ts";
import { type OpenApiDocument, type Part, partIn } from "../openapi/document.ts";

type Schemas = OpenApiDocument["components"]["schemas"];

/** The most schemas of a tool that come from references: two references at each of 16 levels would be megabytes. */
const mostSchemas = 1_000;

/** Keywords that accept more values if their schemas accept fewer. */
const narrowing: ReadonlySet<string> = new Set(["not", "oneOf", "if", "contains"]);

/** Keywords that describe a value and do not restrict it. */
const notes: ReadonlySet<string> = new Set([
  ...["title", "description", "default", "deprecated", "examples", "readOnly", "writeOnly"],
]);

/** A place in a schema. */
interface Place {
  /** The names of the schemas around it. */
  readonly around: readonly string[];
  /** Below a keyword of `narrowing`: a part that accepts any value would make the whole refuse values. */
  readonly narrows: boolean;
}

/** Writes schemas of a document without references, for one tool. */
export class InlinedSchemas {
  readonly #schemas: Schemas;
  #left = mostSchemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /**
   * A schema with those that it refers to. Objects reject keys that it does not name, as in the service. The part with a
   * reference to a schema around it becomes any value. So do parts with references after the limit.
   */
  closed(schema: unknown): Json {
    const inlined = this.#inlined(jsonCopy(schema), { around: [], narrows: false }) ?? {};
    return isSchema(inlined) ? jsonCopy(closedSchema(inlined)) : {};
  }

  /** Undefined if a reference would stay. */
  #inlined(schema: Json, place: Place): Json | undefined {
    this.#left -= 1;
    const { $ref, ...siblings } = partIn(schema);
    if (typeof $ref !== "string") return isJsonObject(schema) ? this.#keywords(schema, place) : schema;
    const name = $ref.split("/").at(-1) ?? "";
    if (place.around.includes(name) || this.#left < 0) return undefined;
    const target = this.#inlined(this.#schemas[name] ?? {}, { ...place, around: [...place.around, name] });
    // `closed` sets it again where the whole object still needs it.
    const { unevaluatedProperties, ...others } = siblings;
    const own = this.#keywords(unevaluatedProperties === false ? others : siblings, place);
    if (target === undefined || own === undefined) return undefined;
    if (Object.keys(own).every((keyword) => notes.has(keyword)))
      return isJsonObject(target) ? { ...target, ...own } : target;
    return { ...own, allOf: [target, ...[own["allOf"] ?? []].flat()] };
  }

  #keywords(schema: Part, { around, narrows }: Place): Part | undefined {
    const entries = Object.entries(schema).map(([keyword, value]) => {
      const place = { around, narrows: narrows || narrowing.has(keyword) };
      return [keyword, this.#content(keyword, value, place)] as const;
    });
    return complete(entries);
  }

  #content(keyword: string, value: Json, place: Place): Json | undefined {
    const holds = keyword === "prefixItems" ? "schemas" : schemaKeywords[keyword];
    if (holds === undefined || holds === "values") return value;
    const any = keywordsWithSchemas.get(keyword) === "part" && !place.narrows ? {} : undefined;
    const inner = (one: Json) => this.#inlined(one, place) ?? any;
    if (holds === "named")
      return complete(Object.entries(partIn(value)).map(([name, one]) => [name, inner(one)] as const));
    if (!Array.isArray(value)) return inner(value);
    const all = value.map(inner).filter((one) => one !== undefined);
    return all.length === value.length ? all : undefined;
  }
}

/** The object of entries; undefined if one of them is. */
function complete(entries: readonly (readonly [string, Json | undefined])[]): Part | undefined {
  const found = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return found.length === entries.length ? Object.fromEntries(found) : undefined;
}
