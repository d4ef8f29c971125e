import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import {
  expectStored,
  part,
  type Samples,
  sampleFields,
  scaledText,
  unitsOf,
} from "../../support/exact-arbitraries.ts";
import { dataOf, type Variables } from "../../support/graphql.ts";
import { literal } from "../../support/graphql-both-ways.ts";
import { runs } from "../../support/seeded.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

/** A record: some of the fields, each with a value. */
const records = fc.record(
  Object.fromEntries(Object.entries(sampleFields).map(([name, [, values]]) => [name, values])),
  { requiredKeys: [] },
);

/** A literal of a document. A number that JSON represents as text can be unquoted. */
function inDocument(type: string, value: Json, bare: boolean): string {
  if (Array.isArray(value)) return `[${value.map((one) => inDocument(type, one, bare)).join()}]`;
  const isNumber = /^(numeric|bigint|int8)/.test(type);
  return bare && isNumber && typeof value === "string" ? value : literal(value);
}

const idOf = (row: Json): Json => (row !== null && typeof row === "object" && "id" in row ? row["id"] : null);

const answerOf = (data: Json): Json =>
  data !== null && typeof data === "object" && "answer" in data ? data["answer"] : null;

describe("what is written is answered and stored exactly", () => {
  /** `query` ends before the selection. */
  const written = async (record: Samples, query: string, variables?: Variables) => {
    await service.store({});
    const answered = part(record, "answered");
    const selection = ["id", ...Object.keys(answered)].join(" ");
    const row = answerOf(await dataOf(service, `${query} { ${selection} } }`, "admin", variables));
    expect(row).toEqual({ id: expect.any(Number), ...answered });
    const id = idOf(row);
    expect(answerOf(await dataOf(service, `{ answer: samples(id: ${id}) { ${selection} } }`))).toEqual([row]);
    await expectStored(service, id, answered);
  };

  test("from literals", async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.boolean(), async (record, bare) => {
        const input = Object.entries(part(record, "sent")).map(
          ([name, value]) => `${name}: ${inDocument(sampleFields[name]?.[0] ?? "", value, bare)}`,
        );
        await written(record, `mutation { answer: createSamples(input: { name: "x", ${input.join()} })`);
      }),
      runs(60),
    );
  });

  test("from variables and from their defaults", async () => {
    await fc.assert(
      fc.asyncProperty(records, async (record) => {
        const input = { name: "x", ...part(record, "sent") };
        const create = "{ answer: createSamples(input: $i)";
        await written(record, `mutation ($i: SamplesCreate!) ${create}`, { i: input });
        const fallback = Object.entries(input).map(
          ([name, value]) => `${name}: ${inDocument(sampleFields[name]?.[0] ?? "", value, true)}`,
        );
        await written(record, `mutation ($i: SamplesCreate = { ${fallback.join()} }) ${create}`);
      }),
      runs(40),
    );
  });
});

/** Digits after the point in which the tests compare: more than columns have. */
const fine = 40;

const compare: Readonly<Record<string, (value: bigint, operand: bigint) => boolean>> = {
  eq: (value, operand) => value === operand,
  neq: (value, operand) => value !== operand,
  gt: (value, operand) => value > operand,
  gte: (value, operand) => value >= operand,
  lt: (value, operand) => value < operand,
  lte: (value, operand) => value <= operand,
};

/** The fields with their types, digits after the point and digits before it. */
const numbers = [
  ["decimal", "Decimal", 2, 8],
  ["wide", "Decimal", 30, 30],
  ["whole", "Decimal", 0, 20],
  ["bigint", "Int64", 0, 18],
] as const;

/** Long numbers, close to each other. */
const near = (scale: number, around: bigint) =>
  fc.bigInt({ min: -20n, max: 20n }).map((units) => scaledText(around * 10n ** BigInt(scale) + units, scale));

describe("filters compare by value, not by digits", () => {
  test.each(numbers)("%s", async (field, type, scale, digits) => {
    const around = fc.constantFrom(0n, 10n ** BigInt(digits) - 100n, 100n - 10n ** BigInt(digits));
    const cases = around.chain((center) =>
      fc.record({
        values: fc.array(near(scale, center), { maxLength: 12 }),
        operand: near(type === "Int64" ? 0 : scale, center).chain((text) =>
          fc.constantFrom(text, ...(type === "Int64" ? [] : [text + (text.includes(".") ? "5" : ".5")])),
        ),
        operator: fc.constantFrom(...Object.keys(compare)),
        way: fc.constantFrom("bare", "quoted", "bound", "filter", "default"),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ values, operand, operator, way }) => {
        await service.store({ samples: values.map((value, index) => ({ id: index + 1, [field]: value })) });
        const holds = compare[operator];
        const ids = values.flatMap((value, index) =>
          holds?.(unitsOf(value, fine), unitsOf(operand, fine)) ? [{ id: index + 1 }] : [],
        );
        const ask = (head: string, filter: string) =>
          `${head}{ answer: samples(limit: 100, ${field}: ${filter}) { id } }`;
        const documents: Readonly<Record<string, string>> = {
          bare: ask("", `{ ${operator}: ${operand} }`),
          quoted: ask("", `{ ${operator}: "${operand}" }`),
          bound: ask(`query ($v: ${type}) `, `{ ${operator}: $v }`),
          filter: ask(`query ($f: ${type}Filter) `, "$f"),
          default: ask(`query ($d: ${type}Filter = { ${operator}: ${operand} }) `, "$d"),
        };
        const sent = { v: operand, f: { [operator]: operand } };
        expect(answerOf(await dataOf(service, documents[way] ?? "", null, sent))).toEqual(ids);
      }),
      runs(60),
    );
  });
});

/** A quotient with its last digit rounded half away from zero. */
function divided(units: bigint, count: bigint): bigint {
  const size = units < 0n ? -units : units;
  const rounded = (2n * size + count) / (2n * count);
  return units < 0n ? -rounded : rounded;
}

describe("sums and averages are exact", () => {
  test.each(numbers)("%s", async (field, _type, scale, digits) => {
    const most = 10n ** BigInt(digits + scale) - 1n;
    const values = fc.oneof(
      fc.bigInt({ min: -most, max: most }),
      fc.bigInt({ min: -9n, max: 9n }),
      fc.constantFrom(most, -most),
    );
    const rows = fc.array(fc.record({ name: fc.constantFrom("a", "b"), units: fc.option(values) }), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        await service.store({
          samples: list.map(({ name, units }, index) => ({
            id: index + 1,
            name,
            [field]: units === null ? null : scaledText(units, scale),
          })),
        });
        const groups = ["a", "b"].filter((name) => list.some((row) => row.name === name));
        const expected = groups.map((name) => {
          const units = list.flatMap((row) => (row.name === name && row.units !== null ? [row.units] : []));
          return { name, ...figures(units) };
        });
        const query = `{ answer: samples_aggregate(groupBy: name) { sum { ${field} } avg { ${field} } min { ${field} } max { ${field} } } }`;
        expect(answerOf(await dataOf(service, query))).toEqual(expected);
      }),
      runs(40),
    );

    function figures(units: readonly bigint[]) {
      const of = (name: string, value: string | null) => ({ [`${name}_${field}`]: value });
      if (units.length === 0)
        return { ...of("sum", null), ...of("avg", null), ...of("min", null), ...of("max", null) };
      const sorted = units.toSorted((a, b) => (a < b ? -1 : 1));
      const sum = units.reduce((total, one) => total + one, 0n);
      return {
        ...of("sum", scaledText(sum, scale)),
        ...of("avg", scaledText(divided(sum * 10n ** 6n, BigInt(units.length)), scale + 6)),
        ...of("min", scaledText(sorted[0] ?? 0n, scale)),
        ...of("max", scaledText(sorted.at(-1) ?? 0n, scale)),
      };
    }
  });
});
