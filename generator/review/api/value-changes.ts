import { isDeepStrictEqual } from "node:util";
import { type ApiModel, objectIn } from "./api-side.ts";
import type { Finding, Use } from "./findings.ts";
import type { Shape } from "./schema-shapes.ts";

/** A place in the API: its name in the report, and how callers use it. */
export interface Place {
  readonly subject: string;
  readonly use: Use;
  /** The model that the value belongs to, and its operation that takes it. */
  readonly model: ApiModel | null;
  readonly operation: string | null;
  /** The number of properties above it, since schemas can be recursive. */
  readonly depth: number;
}

type Rule = (was: Shape, is: Shape, use: Use) => Pick<Finding, "kind" | "what" | "by"> | null;

/** Another type. Nothing else of two values of different types can be compared. */
export function typeChange(was: Shape, is: Shape, { subject, use }: Place): Finding | null {
  const [narrow, wide] = use === "reads" ? [is, was] : [was, is];
  const [types, allowed] = [typesOf(narrow), typesOf(wide)];
  const fits =
    allowed === null ||
    types?.every((type) => allowed.includes(type) || (type === "integer" && allowed.includes("number"))) ===
      true;
  if (fits && hasSameFormat(was, is, use)) return null;
  const before = typesOf(was) === null ? "" : `; before: ${typeWords(was)}`;
  return { kind: "type", subject, what: `is of type ${typeWords(is)}${before}`, by: [use] };
}

/** The types without null; null for any type. */
function typesOf({ keywords }: Pick<Shape, "keywords">): string[] | null {
  const { type, enum: values, const: value } = keywords;
  const types = type === undefined ? valuesIn(values, value)?.map(typeOf) : [type].flat().map(String);
  return types === undefined ? null : [...new Set(types)].filter((each) => each !== "null");
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "object") return Array.isArray(value) ? "array" : "object";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Exact numbers in strings. */
const exactNumbers: readonly unknown[] = ["int64", "decimal"];

/** Formats of strings are types. An e-mail address is a string like any other for callers who read it. */
function hasSameFormat(was: Shape, is: Shape, use: Use): boolean {
  const [former, now] = [was, is].map(({ keywords }) =>
    [keywords["type"]].flat().includes("string") ? keywords["format"] : undefined,
  );
  if (former === now) return true;
  if (use !== "reads") return now === undefined || now === "password";
  return former === undefined ? !exactNumbers.includes(now) : former === "email" && now === undefined;
}

function typeWords({ keywords }: Pick<Shape, "keywords">): string {
  const { format } = keywords;
  const words = typesOf({ keywords })?.map((type) => {
    const items = { keywords: objectIn(keywords, "items") };
    if (type === "array" && typesOf(items) !== null) return `array of ${typeWords(items)}`;
    return type === "string" && typeof format === "string" ? `string (${format})` : type;
  });
  return words?.join(" or ") ?? "any JSON";
}

/** The other changes of a value itself. */
export function valueChanges(was: Shape, is: Shape, { subject, use }: Place): Finding[] {
  return rules.flatMap((rule) => {
    const found = rule(was, is, use);
    return found === null ? [] : [{ subject, ...found }];
  });
}

const outside = "anyone who sends a value outside this bound";

/** A bound of requests. `from` is the bound of a value without this keyword. */
function bound(keyword: string, sign: 1 | -1, words: string, unit = "", from = -Infinity): Rule {
  return (was, is, use) => {
    const [former, now] = [was.keywords[keyword] ?? from * sign, is.keywords[keyword]];
    if (
      use === "reads" ||
      was.keywords["enum"] !== undefined ||
      typeof former !== "number" ||
      typeof now !== "number"
    )
      return null;
    if (now * sign <= former * sign) return null;
    const before =
      Number.isFinite(former) && was.keywords[keyword] !== undefined ? `; before: ${former}` : "";
    return { kind: "other", what: `${words} ${now}${unit}${before}`, by: outside };
  };
}

/** Keywords of which the report only says that they changed, because it cannot tell whether they take less. */
const others = [
  ...[
    "multipleOf",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "prefixItems",
    "patternProperties",
    "propertyNames",
  ],
  ...["dependentRequired", "dependentSchemas", "minContains", "maxContains"],
];

const rules: readonly Rule[] = [
  (was, is, use) => {
    const [former, now] = [allowsNull(was), allowsNull(is)];
    if (former === now) return null;
    if (use === "reads")
      return now ? { kind: "other", what: "can be null in responses", by: ["reads"] } : null;
    return former ? { kind: "other", what: "cannot be null any more", by: "anyone who sends null" } : null;
  },
  valuesRule,
  digitsRule,
  (was, is, use) => {
    const [former, now] = [was, is].map(({ keywords }) => objectIn(keywords, "x-kirak")["scale"]);
    if (typeof former !== "number" || typeof now !== "number" || former === now) return null;
    if (use !== "reads" && now > former) return null;
    return { kind: "other", what: `has ${counted(now, "decimal")}; before: ${former}`, by: [use] };
  },
  bound("minLength", 1, "has at least", " characters", 0),
  bound("maxLength", -1, "has at most", " characters"),
  bound("minimum", 1, "is at least"),
  bound("maximum", -1, "is at most"),
  bound("exclusiveMinimum", 1, "is more than"),
  bound("exclusiveMaximum", -1, "is less than"),
  bound("minItems", 1, "has at least", " elements", 0),
  bound("maxItems", -1, "has at most", " elements"),
  bound("maxProperties", -1, "has at most", " properties"),
  (was, is, use) => {
    const [former = 0, now] = [was.keywords["minProperties"], is.keywords["minProperties"]];
    if (use === "reads" || typeof now !== "number" || now <= Number(former)) return null;
    const what = now === 1 ? "cannot be empty any more" : `has at least ${now} properties`;
    return { kind: "other", what, by: "anyone who sends fewer properties" };
  },
  ({ keywords: was }, { keywords: is }, use) =>
    use === "reads" || was["uniqueItems"] === true || is["uniqueItems"] !== true
      ? null
      : {
          kind: "other",
          what: "cannot have the same element twice",
          by: "anyone who sends an element twice",
        },
  ({ keywords: was }, { keywords: is }, use) =>
    use === "reads" || is["pattern"] === undefined || is["pattern"] === was["pattern"]
      ? null
      : {
          kind: "other",
          what: `must match ${is["pattern"]}`,
          by: "anyone who sends a text that does not match",
        },
  (was, is, use) =>
    use === "reads" || isClosed(was) || !isClosed(is) || typesOf(is)?.includes("object") === false
      ? null
      : { kind: "other", what: "takes no other properties any more", by: "anyone who sends some" },
  (was, is, use) => {
    const changed = others.filter(
      (name) => is.keywords[name] !== undefined && !isDeepStrictEqual(was.keywords[name], is.keywords[name]),
    );
    if (use === "reads" || changed.length === 0) return null;
    return { kind: "other", what: `may take fewer values: another ${changed.join(", ")}`, by: [use] };
  },
];

function allowsNull({ keywords: { type, enum: values, const: value } }: Shape): boolean {
  return type === undefined
    ? valuesIn(values, value)?.includes(null) !== false
    : [type].flat().includes("null");
}

/** An enum; undefined without one. */
function valuesIn(values: unknown, value: unknown): readonly unknown[] | undefined {
  if (value !== undefined) return [value];
  return Array.isArray(values) ? values : undefined;
}

/** Requests with fewer values, and responses with more. */
function valuesRule(was: Shape, is: Shape, use: Use): ReturnType<Rule> {
  const [former, now] = [was, is].map(({ keywords }) => valuesIn(keywords["enum"], keywords["const"]));
  const text = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(", ");
  const less = (some: readonly unknown[] = [], all: readonly unknown[] = []) =>
    some.filter((value) => value !== null && !all.includes(value));
  if (use === "reads") {
    if (former === undefined) return null;
    const added = less(now, former);
    if (now !== undefined && added.length === 0) return null;
    const what = `can be ${now === undefined ? "any value" : text(added)} in responses now`;
    return { kind: "new value", what, by: ["reads"] };
  }
  if (now === undefined) return null;
  const allowed = text(now.filter((value) => value !== null));
  if (former === undefined)
    return { kind: "other", what: `is one of ${allowed} now`, by: "anyone who sends another value" };
  const gone = less(former, now);
  if (gone.length === 0) return null;
  const by = "anyone who sends or filters by such a value";
  return { kind: "other", what: `does not accept ${text(gone)} any more`, by };
}

/** Digits before the point. A greater scale leaves fewer of them. */
function digitsRule(was: Shape, is: Shape, use: Use): ReturnType<Rule> {
  const [former, now] = [was, is].map(({ keywords }) => {
    const { precision, scale } = objectIn(keywords, "x-kirak");
    return typeof precision === "number" ? precision - (typeof scale === "number" ? scale : 0) : null;
  });
  if (use === "reads" || now == null || (former != null && now >= former)) return null;
  const before = former == null ? "" : `; before: ${former}`;
  const what = `has at most ${counted(now, "digit")} before the point${before}`;
  return { kind: "other", what, by: "anyone who sends more" };
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

function isClosed({ keywords }: Shape): boolean {
  return keywords["additionalProperties"] === false || keywords["unevaluatedProperties"] === false;
}
