import { isJsonObject } from "../../../vocabulary/json.ts";
import { type ApiSide, componentOf } from "./api-side.ts";
import type { ApiFinding } from "./findings.ts";
import { type ApiPair, noteChanges, type Sides } from "./note-changes.ts";
import { filterParts, type Shape, shapesOf } from "./schema-shapes.ts";
import { type Place, valueChanges, valueTypeChange } from "./value-changes.ts";

/** Compares two schemas. */
export type SchemaComparer = (was: unknown, is: unknown, at: Place) => readonly ApiFinding[];

const deepest = 16;

/** A comparer that compares each pair of schemas once, since schemas can be recursive. */
export function schemaComparer(pair: ApiPair): SchemaComparer {
  const known = new Map<string, readonly ApiFinding[]>();
  const equal = equalSchemas(pair);
  const compare: SchemaComparer = (was, is, at) => {
    const [former, now] = [JSON.stringify(was), JSON.stringify(is)];
    const isSame = former === now && (former.match(references) ?? []).every((name) => equal.has(name));
    if (isSame || at.depth > deepest) return [];
    const component = componentOf(is) === null ? null : componentOf(was);
    // A component has the same name in the report in each place.
    const { subject, use, operation } = component === null ? at : placeOf(pair.was, component, at);
    const key = JSON.stringify([former, now, subject, use, operation]);
    const found = known.get(key);
    if (found !== undefined) return found;
    // A schema can refer to itself.
    known.set(key, []);
    const changes = compareShapes(was, is, at);
    known.set(key, changes);
    return changes;
  };
  /** Callers send one of the former alternatives, and read one of the new ones. */
  const compareShapes: SchemaComparer = (was, is, at) => {
    const [former, now] = [shapesOf(was, pair.was), shapesOf(is, pair.is)];
    return at.use === "reads"
      ? now.flatMap((one) => nearest(former, one, (other) => shapeChanges(other, one, at)))
      : former.flatMap((one) => nearest(now, one, (other) => shapeChanges(one, other, at)));
  };
  const shapeChanges = (was: Shape, is: Shape, at: Place): ApiFinding[] => {
    const isOfModel = pair.was.parts.has(was.component ?? "");
    const place = was.component === null || isOfModel ? at : placeOf(pair.was, was.component, at);
    const type = valueTypeChange(was.keywords, is.keywords, place);
    if (type !== null) return [type];
    return [
      ...valueChanges(was.keywords, is.keywords, place),
      ...compare(was.keywords["items"] ?? {}, is.keywords["items"] ?? {}, {
        ...place,
        depth: place.depth + 1,
      }),
      ...mapChanges(was, is, place),
      ...propertyChanges(was, is, place),
    ];
  };
  /** Changes of properties with any name. */
  const mapChanges = (was: Shape, is: Shape, { subject, ...at }: Place): readonly ApiFinding[] => {
    const [former, now] = [was, is].map(({ keywords }) => keywords["additionalProperties"]);
    const place = { ...at, subject: `${subject}.*`, depth: at.depth + 1 };
    if (at.use === "reads") {
      if (!isJsonObject(former)) return [];
      const isKept = now !== undefined && now !== false;
      return isKept ? compare(former, now, place) : [gone(pair.was, null, "", place)];
    }
    // That a request takes no other properties any more is a change of the value itself.
    return former === false || now === false ? [] : compare(former ?? {}, now ?? {}, place);
  };
  const propertyChanges = (was: Shape, is: Shape, at: Place): ApiFinding[] => {
    const kept = [...was.properties].flatMap(([name, property]): ApiFinding[] => {
      const now = is.properties.get(name);
      const place = propertyPlace(pair.was, property.owner, name, at);
      if (now === undefined) return [gone(pair.was, property.owner, name, place)];
      const required = { was: was.required.has(name), is: is.required.has(name) };
      return [
        ...requiredChanges(required, place),
        ...noteChanges(pair.was.resolve(property.schema), pair.is.resolve(now.schema), required, place, pair),
        ...compare(property.schema, now.schema, place),
      ];
    });
    const demanded = [...is.properties].flatMap(([name, { owner }]): ApiFinding[] => {
      if (at.use === "reads" || was.properties.has(name) || !is.required.has(name)) return [];
      return [requirement("is new and required", propertyPlace(pair.is, owner, name, at))];
    });
    return [...kept, ...demanded];
  };
  return compare;
}

const references = /(?<="#\/components\/schemas\/)[^"]+/g;

/** The schemas that are equal on both sides, with everything that they refer to: most of them, in most runs. */
function equalSchemas({ was, is }: ApiPair): ReadonlySet<string> {
  const texts = Object.entries(was.schemas)
    .map(([name, schema]) => [name, JSON.stringify(schema)] as const)
    .filter(([name, text]) => JSON.stringify(is.schemas[name]) === text)
    .map(([name, text]) => [name, text.match(references) ?? []] as const);
  const equal = new Set(texts.map(([name]) => name));
  const refersToOther = () =>
    texts.filter(([name, to]) => equal.has(name) && to.some((each) => !equal.has(each)));
  for (let other = refersToOther(); other.length > 0; other = refersToOther())
    for (const [name] of other) equal.delete(name);
  return equal;
}

/** The changes to the alternative of the same component, or to the most similar one. */
function nearest(
  candidates: readonly Shape[],
  shape: Shape,
  changesTo: (candidate: Shape) => ApiFinding[],
): ApiFinding[] {
  const distances = candidates.map((each) => distance(each, shape));
  const all = candidates.filter((_, index) => distances[index] === Math.min(...distances)).map(changesTo);
  return all.reduce((best, each) => (each.length < best.length ? each : best), all[0] ?? []);
}

function distance(one: Shape, other: Shape): number {
  if (one.component !== null && one.component === other.component) return -1;
  const isSame = one.keywords["type"] === other.keywords["type"];
  const names = [...one.properties.keys(), ...other.properties.keys()];
  return (
    names.filter((name) => !one.properties.has(name) || !other.properties.has(name)).length +
    (isSame ? 0 : 1000)
  );
}

/** A component has its own name in the report. */
function placeOf(api: ApiSide, component: string, at: Place): Place {
  const { model, part = "" } = api.parts.get(component) ?? {};
  if (model === undefined) return { ...at, subject: component, model: null };
  const isFilter = part === "Filter" || part === "Field";
  return {
    ...at,
    subject: model.key,
    model,
    ...(isFilter && { use: "filters by", operation: null }),
    ...(at.use === "reads" && { operation: null }),
  };
}

function propertyPlace(api: ApiSide, owner: string | null, name: string, at: Place): Place {
  const { subject, ...rest } = owner === null ? at : placeOf(api, owner, at);
  const field = partOf(api, owner) === "Filter" ? filterParts(name).field : name;
  // `POST /slots body.seats`
  const mark = owner === null && at.depth === 0 ? " " : ".";
  return { ...rest, subject: subject + mark + field, depth: at.depth + 1 };
}

function partOf(api: ApiSide, owner: string | null): string | undefined {
  return api.parts.get(owner ?? "")?.part;
}

function gone(api: ApiSide, owner: string | null, name: string, { subject, use }: Place): ApiFinding {
  const isOperator = partOf(api, owner) === "Filter" && filterParts(name).operator !== "";
  if (!isOperator) return { kind: "gone", subject, what: "", by: [use] };
  return { kind: "filters", subject, what: "has no filter", list: [name], by: "anyone who filters by it" };
}

function requiredChanges({ was, is }: Sides<boolean>, place: Place): ApiFinding[] {
  const { subject, use } = place;
  if (use === "reads")
    return was && !is ? [{ kind: "optional", subject, what: "can be missing in responses", by: [use] }] : [];
  return is && !was ? [requirement("is required now", place)] : [];
}

function requirement(what: string, { subject, operation }: Place): ApiFinding {
  const list = operation === null ? {} : { list: [operation] };
  const by = "anyone who omits it";
  return { kind: "required", subject, what: operation === null ? what : `${what} in`, ...list, by };
}
