import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import {
  expectStored,
  type Fields,
  part,
  sampleFields,
  scaledText,
  unitsOf,
} from "../support/exact-arbitraries.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const runs = { numRuns: 40 };

/** A record: some of the fields, each with a value or null. */
const records = fc.record(
  Object.fromEntries(
    Object.entries(sampleFields).map(([name, [, values]]) => [
      name,
      fc.oneof(
        { weight: 9, arbitrary: values },
        { weight: 1, arbitrary: fc.constant({ sent: null, answered: null }) },
      ),
    ]),
  ),
  { requiredKeys: [] },
);

async function data(method: string, path: string, body?: Fields): Promise<unknown> {
  const reply = await service.send({ method, path: `/samples/${path}`, ...(body && { body }) }, "admin");
  expect(reply.status, reply.text).toBe(200);
  return reply.envelope.data;
}

/** What each way of writing a record leaves in row 1. */
const ways: Readonly<Record<string, (record: Fields) => Promise<number>>> = {
  async create(record) {
    return idOf(await data("POST", "create", { data: { name: "x", ...record } }));
  },
  async "create of a list"(record) {
    const report = await data("POST", "create", { data: [{ name: "x", ...record }, { name: "other" }] });
    expect(report).toMatchObject({ inserted_count: 2, failed_count: 0 });
    return Object(report).inserted_ids[0];
  },
  async update(record) {
    await data("PUT", "update", { where: { id: 1 }, data: { name: "x", ...record } });
    return 1;
  },
  async "update of a list"(record) {
    const report = await data("PUT", "update", { data: [{ id: 1, name: "x", ...record }] });
    expect(report).toMatchObject({ updated_count: 1, failed_count: 0 });
    return 1;
  },
  async "upsert of a new row"(record) {
    return idOf(await data("PUT", "upsert", { data: { serial: "9007199254740993", ...record } }));
  },
  async "upsert of a row that is there"(record) {
    return idOf(await data("PUT", "upsert", { data: { serial: 1, name: "x", ...record } }));
  },
};

function idOf(answer: unknown): number {
  const id: unknown = Object(answer).id;
  if (typeof id !== "number") throw new Error("the answer has no id");
  return id;
}

describe("what is written is read back exactly, after", () => {
  test.each(Object.keys(ways))("%s", async (way) => {
    await fc.assert(
      fc.asyncProperty(records, async (record) => {
        await service.store({ samples: [{ id: 1, serial: 1 }] });
        const id = (await ways[way]?.(part(record, "sent"))) ?? 0;
        const answered = part(record, "answered");
        expect(await data("GET", `fetch?id=${id}`)).toEqual([expect.objectContaining(answered)]);
        await expectStored(service, id, answered);
      }),
      runs,
    );
  });
});

/** Digits after the point in which the tests compare: more than columns have. */
const fine = 40;

const compare: Readonly<Record<string, (value: bigint, operand: bigint) => boolean>> = {
  "": (value, operand) => value === operand,
  __ne: (value, operand) => value !== operand,
  __gt: (value, operand) => value > operand,
  __gte: (value, operand) => value >= operand,
  __lt: (value, operand) => value < operand,
  __lte: (value, operand) => value <= operand,
};

/** Small numbers, close to each other, and operands between them. */
const near = (scale: number) => fc.bigInt({ min: -300n, max: 300n }).map((units) => scaledText(units, scale));

/** The ids of rows that a filter finds: in the query string, in a body, and among all rows by a test of its own. */
async function expectFound(key: string, operand: Json, ids: readonly number[]): Promise<void> {
  const text = typeof operand === "string" ? operand : JSON.stringify(operand);
  const found = await data("GET", `fetch?${key}=${encodeURIComponent(text)}&limit=100&select_fields=id`);
  expect(found, `${key} ${text}`).toEqual(ids.map((id) => ({ id })));
  const reply = await service.send(
    { method: "PUT", path: "/samples/update", body: { where: { [key]: operand }, data: { name: "found" } } },
    "admin",
  );
  if (ids.length === 0) expect(reply.status).toBe(404);
  else expect(reply.envelope.data, `${key} ${text}`).toEqual({ updated_count: ids.length, updated_ids: ids });
}

describe("filters compare by value", () => {
  test.each([
    ["decimal", 2],
    ["wide", 30],
    ["whole", 0],
    ["bigint", 0],
  ])("%s", async (field, scale) => {
    const operands = field === "bigint" ? near(0) : fc.oneof(near(scale), near(scale + 1), near(scale + 8));
    await fc.assert(
      fc.asyncProperty(fc.array(near(scale), { maxLength: 12 }), operands, operands, async (values, a, b) => {
        await service.store({ samples: values.map((value, index) => ({ id: index + 1, [field]: value })) });
        const units = values.map((value) => unitsOf(value, fine));
        const [one, other] = [unitsOf(a, fine), unitsOf(b, fine)];
        const where = (holds: (value: bigint) => boolean) =>
          units.flatMap((value, index) => (holds(value) ? [index + 1] : []));
        for (const [suffix, holds] of Object.entries(compare))
          await expectFound(
            `${field}${suffix}`,
            a,
            where((value) => holds(value, one)),
          );
        await expectFound(
          `${field}__between`,
          [a, b],
          where((value) => value >= one && value <= other),
        );
        await expectFound(
          `${field}__in`,
          [a, b],
          where((value) => value === one || value === other),
        );
        await expectFound(
          `${field}__not_in`,
          [a, b],
          where((value) => value !== one && value !== other),
        );
      }),
      { numRuns: 8 },
    );
  });

  test("elements of lists", async () => {
    const few = fc.bigInt({ min: -2n, max: 2n }).map((units) => scaledText(units, 3));
    const lists = fc.array(fc.array(few, { maxLength: 3 }), { maxLength: 8 });
    const sought = fc.array(
      fc.oneof(
        few,
        few.map((text) => `${text}0`),
        fc.constant("0.0005"),
      ),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(lists, sought, async (values, list) => {
        await service.store({
          samples: values.map((value, index) => ({ id: index + 1, decimals: `{${value.join()}}` })),
        });
        const elements = list.map((text) => unitsOf(text, fine));
        const where = (holds: (value: readonly bigint[]) => boolean) =>
          values.flatMap((value, index) =>
            holds(value.map((text) => unitsOf(text, fine))) ? [index + 1] : [],
          );
        await expectFound(
          "decimals__contains",
          list,
          where((value) => elements.every((one) => value.includes(one))),
        );
        await expectFound(
          "decimals__overlaps",
          list,
          where((value) => elements.some((one) => value.includes(one))),
        );
      }),
      { numRuns: 15 },
    );
  });
});

test("rows are ordered by value", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sampleFields["wide"]?.[1] ?? fc.constant(null), { maxLength: 10 }),
      async (values) => {
        const texts = values.map((value) => String(value?.answered));
        await service.store({ samples: texts.map((wide, index) => ({ id: index + 1, wide })) });
        const found = await data("GET", "fetch?order_by=wide&order=desc&select_fields=wide");
        const sorted = texts.toSorted((a, b) => (unitsOf(a, fine) < unitsOf(b, fine) ? 1 : -1));
        expect(found).toEqual(sorted.map((wide) => ({ wide })));
      },
    ),
    runs,
  );
});
