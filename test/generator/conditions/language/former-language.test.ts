import fc from "fast-check";
import { expect, test } from "vitest";
import { compileCondition } from "#generator/conditions/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import { scopeOf } from "../scope-of-models.ts";

// Conditions without the newer forms keep their meaning, for all names of fields and relations. Each piece is
// made as a text, together with the meaning of that text.

const string = { type: "string" };
const belongsTo = (model: string) => ({ type: "belongs_to", relationship: { model } });
/** Words of the newer forms, and words of SQL; all were free to be names, and still are. */
// biome-ignore format: one case a line
const newWords = [
  "exists", "Exists", "where", "this", "now", "interval", "user", "select", "from", "minute", "EXISTS",
];
/** Words that the language always had, which only a comparison after them tells from their meaning. */
const oldWords = ["and", "or", "not", "in", "is", "like", "ilike", "between", "null", "true", "false"];

// biome-ignore format: one case a line
const models = { rows: { schema: { ...Object.fromEntries([...newWords, ...oldWords].map((name) => [name, string])), this_id: belongsTo("others"),
      exists_id: belongsTo("others"), where_by: belongsTo("others"),
      others: { type: "has_many", relationship: { model: "others", foreign_key: "row" } }, size: { type: "integer" }, at: { type: "datetime" } },
  },
  others: { schema: { ...Object.fromEntries(newWords.map((name) => [name, string])), row: belongsTo("rows") } },
};
const scope = scopeOf(models, "rows");

interface Piece {
  readonly text: string;
  readonly condition: Condition;
}

const words = fc.constantFrom(...newWords);
/** A field as it is written, and as the tree names it: joins go by either name. */
const named = fc.oneof(
  words.map((name) => ({ written: name, field: name })),
  fc
    .tuple(
      fc.constantFrom(["this_id", "this_id"], ["exists_id", "exists_id"], ["where_by", "where_by"]),
      words,
    )
    .map(([[written, join], name]) => ({ written: `${written}.${name}`, field: `${join}.${name}` })),
);
const literal = fc
  .stringMatching(/^[A-Za-z0-9 '(){}=.-]{0,6}$/)
  .map((value) => ({ written: `'${value.replaceAll("'", "''")}'`, value }));
const claim = fc.constantFrom("user_id" as const, "role" as const, "email" as const);
const value = fc.oneof(
  literal,
  claim.map((placeholder) => ({ written: `{${placeholder}}`, value: { placeholder } })),
);
const blank = fc.constantFrom(" ", "  ", "\n", "\t");
const cased = (word: string) =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((up) =>
      [...word].map((letter, index) => (up[index] ? letter.toUpperCase() : letter.toLowerCase())).join(""),
    );
// biome-ignore format: many a line
const signs = [
  ["=", "eq", "eq"], ["!=", "ne", "ne"], ["<>", "ne", "ne"], ["<", "lt", "gt"], ["<=", "lte", "gte"],
  [">", "gt", "lt"], [">=", "gte", "lte"],
] as const;
const sign = fc.constantFrom(...signs);

const comparison = fc.record({ named, value, sign, gap: fc.constantFrom("", " "), turned: fc.boolean() }).map(
  ({ named: { written, field }, value: other, sign: [symbol, op, flipped], gap, turned }): Piece =>
    turned
      ? {
          text: `${other.written}${gap}${symbol}${gap}${written}`,
          condition: { op: flipped, field, value: other.value },
        }
      : {
          text: `${written}${gap}${symbol}${gap}${other.written}`,
          condition: { op, field, value: other.value },
        },
);
const afterOldWord = fc
  .record({ word: fc.constantFrom(...oldWords), value: literal, sign })
  .map(({ word, value: other, sign: [symbol, op] }): Piece => {
    return { text: `${word} ${symbol} ${other.written}`, condition: { op, field: word, value: other.value } };
  });
const times = fc.constantFrom<Piece>(
  { text: "at<=now()", condition: { op: "lte", field: "at", value: { placeholder: "now" } } },
  { text: "NOW( ) > at", condition: { op: "lt", field: "at", value: { placeholder: "now" } } },
  { text: "now = 'now()'", condition: { op: "eq", field: "now", value: "now()" } },
  { text: "size>-5", condition: { op: "gt", field: "size", value: -5 } },
  { text: "size = +5", condition: { op: "eq", field: "size", value: 5 } },
  {
    text: "{user_id} = this_id.row",
    condition: { op: "eq", field: "this_id.row", value: { placeholder: "user_id" } },
  },
);
// biome-ignore format: many a line
const wordy = fc
  .record({
    named, not: cased("not"), is: cased("is"), null: cased("null"), in: cased("in"), blank, value,
    second: value,
  })
  .chain(({ named: { written, field }, not, blank: gap, value: one, second, ...of }) =>
    fc.constantFrom<Piece>(
      { text: [written, of.is, of.null].join(gap), condition: { op: "is_null", field } },
      { text: [written, of.is, not, of.null].join(gap), condition: { op: "is_not_null", field } },
      { text: `${written} = ${of.null}`, condition: { op: "is_null", field } },
      {
        text: `${written}${gap}${of.in}(${one.written},${second.written})`,
        condition: { op: "in", field, values: [one.value, second.value] },
      },
      {
        text: [written, not, of.in, `(${one.written})`].join(gap),
        condition: { op: "not_in", field, values: [one.value] },
      },
      {
        text: `${written} between ${one.written} and ${second.written}`,
        condition: { op: "between", field, from: one.value, to: second.value },
      },
      {
        text: [written, not, "LIKE", one.written].join(gap),
        condition: { op: "not", condition: { op: "like", field, value: one.value } },
      },
      {
        text: [written, "ilike", one.written].join(gap), condition: { op: "ilike", field, value: one.value },
      },
    ),
  );

const { piece } = fc.letrec<{ piece: Piece }>((tie) => {
  const joined = fc
    .record({
      op: fc.constantFrom("and" as const, "or" as const),
      items: fc.array(tie("piece"), { minLength: 2, maxLength: 3 }),
      blank,
    })
    .chain(({ op, items, blank: gap }) =>
      cased(op).map((word): Piece => {
        const flat = items.flatMap(({ condition }) =>
          condition.op === op ? condition.conditions : [condition],
        );
        return {
          text: items.map(({ text }) => `(${text})`).join(`${gap}${word}${gap}`),
          condition: { op, conditions: flat },
        };
      }),
    );
  const negated = fc.record({ item: tie("piece"), word: cased("not") }).map(
    ({ item, word }): Piece => ({
      text: `${word}(${item.text})`,
      condition: { op: "not", condition: item.condition },
    }),
  );
  // biome-ignore format: many a line
  return {
    piece: fc.oneof(
      { depthSize: "small", withCrossShrink: true }, comparison, afterOldWord, times, wordy, joined, negated,
    ),
  };
});

test("a condition without the newer forms keeps its meaning, for all names of fields", () => {
  fc.assert(
    fc.property(piece, ({ text, condition }) => {
      expect(compileCondition(text, scope)).toEqual({ condition, written: condition, problems: [] });
    }),
    { seed: 20, numRuns: 1_000 },
  );
});

test.each([
  ["exists = 'a' AND where = 'b' OR NOT this = 'c'", "and"],
  ["EXISTS IN ('a')", "in"],
  ["NOT exists = 'a'", "not"],
  ["exists BETWEEN 'a' AND 'b'", "between"],
  ["not exists IN ('a')", "not"],
])("%s is not an EXISTS", (text, op) => {
  const { condition } = compileCondition(text, scope);
  expect(condition?.op === "or" ? condition.conditions[0]?.op : condition?.op).toBe(op);
});
