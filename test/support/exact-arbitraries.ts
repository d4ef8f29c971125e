import fc from "fast-check";
import { expect } from "vitest";
import type { Json } from "#vocabulary/json";
import type { TestService } from "./service.ts";

/** A value as a request may send it, and as it is answered. */
export interface Sample {
  readonly sent: Json;
  readonly answered: Json;
}

const same = (value: Json): Sample => ({ sent: value, answered: value });

/** A whole number of `10^-scale` as text with so many decimals. */
export function scaledText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return `${units < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${fraction}`}`;
}

/** The same number in units of `10^-scale`, which must be fine enough. */
export function unitsOf(text: string, scale: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(scale, "0"));
}

const trimmed = (text: string) => (text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);

/** Numbers that JSON has as well, where they have few digits. */
function formsOf(answered: string): Json[] {
  const digits = answered.replace(/[-.]/g, "").replace(/^0+|0+$/g, "");
  return [answered, trimmed(answered), ...(digits.length <= 15 ? [Number(answered)] : [])];
}

/** Whole numbers of all lengths: nearly all of those between two bounds are as long as these. */
function wholeNumbers(most: bigint): fc.Arbitrary<bigint> {
  const lengths = Array.from({ length: String(most).length }, (_, index) => 10n ** BigInt(index + 1) - 1n);
  return fc.oneof(
    ...lengths.map((limit) =>
      fc.bigInt({ min: limit < most ? -limit : -most, max: limit < most ? limit : most }),
    ),
    fc.constantFrom(most, -most, 0n),
  );
}

export const decimals = (precision: number, scale: number): fc.Arbitrary<Sample> =>
  wholeNumbers(10n ** BigInt(precision) - 1n).chain((units) => {
    const answered = scaledText(units, scale);
    return fc.constantFrom(...formsOf(answered)).map((sent) => ({ sent, answered }));
  });

const most64 = 2n ** 63n - 1n;

export const bigints: fc.Arbitrary<Sample> = fc
  .oneof(
    wholeNumbers(most64),
    fc.constant(-most64 - 1n),
    fc.constantFrom(2n ** 53n, 2n ** 53n - 1n, 2n ** 53n + 1n),
  )
  .chain((number) => {
    const answered = String(number);
    const forms = Number.isSafeInteger(Number(number)) ? [answered, Number(number)] : [answered];
    return fc.constantFrom(...forms).map((sent) => ({ sent, answered }));
  });

export const times: fc.Arbitrary<Sample> = fc
  .date({ min: new Date(0), max: new Date(86_399_999), noInvalidDate: true })
  .chain((date) => {
    const answered = date.toISOString().slice(11, 23);
    const forms = [answered, ...(answered.endsWith("00") ? [answered.slice(0, -2)] : [])];
    if (answered.endsWith(".000")) forms.push(answered.slice(0, 8));
    if (answered.endsWith(":00.000")) forms.push(answered.slice(0, 5));
    return fc.constantFrom(...forms).map((sent) => ({ sent, answered }));
  });

const moments = fc
  .date({ min: new Date("0001-01-02T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z"), noInvalidDate: true })
  .chain((date) => {
    const answered = date.toISOString();
    return fc.constantFrom(answered, answered.replace("Z", "9+00:00")).map((sent) => ({ sent, answered }));
  });

const texts = fc
  .string({
    unit: fc.oneof(fc.constantFrom(..."\\\"'{},.N \t\n\r%_é😀"), fc.string({ minLength: 1, maxLength: 1 })),
    maxLength: 8,
  })
  .filter((text) => !text.includes("\0") && text.isWellFormed())
  .map(same);

const listOf = (element: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .array(element, { maxLength: 5 })
    .map((list) => ({ sent: list.map(({ sent }) => sent), answered: list.map(({ answered }) => answered) }));

/** For each field of the fixture's samples that is not a key: its values, and its type in PostgreSQL. */
// biome-ignore format: one entry a line
export const sampleFields: Readonly<Record<string, readonly [type: string, values: fc.Arbitrary<Sample>]>> = {
  decimal: ["numeric", decimals(10, 2)],
  wide: ["numeric", decimals(60, 30)],
  whole: ["numeric", decimals(20, 0)],
  bigint: ["bigint", bigints],
  time: ["time", times],
  strings: ["varchar[]", listOf(texts)],
  texts: ["text[]", listOf(texts)],
  emails: ["text[]", listOf(fc.constantFrom("a@example.org", "ü@exämple.org").map(same))],
  integers: ["integer[]", listOf(fc.integer().map(same))],
  bigints: ["bigint[]", listOf(bigints)],
  decimals: ["numeric[]", listOf(decimals(8, 3))],
  floats: ["double precision[]", listOf(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => same(n + 0 || 0)))],
  booleans: ["boolean[]", listOf(fc.boolean().map(same))],
  datetimes: ["timestamptz[]", listOf(moments)],
  dates: ["date[]", listOf(moments.map(({ answered }) => same(String(answered).slice(0, 10))))],
  times: ["time[]", listOf(times)],
  uuids: ["uuid[]", listOf(fc.uuid().chain((answered) => fc.constantFrom(answered, answered.toUpperCase()).map((sent) => ({ sent, answered }))))],
};

/** A record: some of the fields, each with a value. */
export type Samples = Readonly<Record<string, Sample | undefined>>;
export type Fields = { readonly [name: string]: Json };

/** A record as it is sent, or as it is answered. */
export const part = (record: Samples, which: keyof Sample): Fields =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, sample]) => (sample === undefined ? [] : [[name, sample[which]]])),
  );

/** Compares what the table holds with texts that PostgreSQL reads itself. */
export async function expectStored(service: TestService, id: Json, answered: Fields): Promise<void> {
  const names = Object.keys(answered);
  if (names.length === 0) return;
  const equal = names.map(
    (name, index) => `"${name}" is not distinct from $${index + 2}::${sampleFields[name]?.[0]} as "${name}"`,
  );
  const [row] = await service.query(`select ${equal.join()} from samples where id = $1`, [
    id,
    ...Object.values(answered),
  ]);
  expect(row).toEqual(Object.fromEntries(names.map((name) => [name, true])));
}
