import { expect, test } from "vitest";
import { loadFiles } from "../load/load-text.ts";

const places = { fields: { name: { type: "string" } }, access: { fetch: [{ role: "*" }] } };

async function reported(model: object): Promise<string[]> {
  const books = { access: { fetch: [{ role: "*" }] }, ...model };
  const { diagnostics } = await loadFiles({ "models.json": { books, places } });
  return diagnostics.map(({ code, message, hint }) => {
    const text = message.replaceAll(/ of (field "a" of )?model "books"/g, "");
    return `${code}: ${text}${hint === null ? "" : ` (${hint})`}`;
  });
}

const asString = "(write it as a string, because a JSON number loses digits)";
const large = "'9007199254740993'";

// biome-ignore format: one case a line
test.each<[field: object, messages: string[]]>([
  // The size of a decimal.
  [{ type: "decimal" }, [
    'missing-key: field "a" lacks the key "precision" (add the number of digits, and of digits after the point: "precision": 12, "scale": 2)',
  ]],
  [{ type: "decimal[]", scale: 2, minimum: "0.01" }, [
    'missing-key: field "a" lacks the key "precision" (add the number of digits, and of digits after the point: "precision": 12, "scale": 2)',
  ]],
  [{ type: "decimal", precison: 4 }, ['unknown-key: field "a" has the unknown key "precison" (did you mean "precision"?)']],
  [{ type: "decimal", precision: 1 }, []],
  [{ type: "decimal", precision: 1000, scale: 1000 }, []],
  [{ type: "decimal", precision: 1001 }, ['invalid-value: "precision" must be at most 1000']],
  [{ type: "decimal", precision: 0 }, ['invalid-value: "precision" must be at least 1']],
  [{ type: "decimal", precision: 4, scale: -1 }, ['invalid-value: "scale" must be at least 0']],
  [{ type: "decimal", precision: 2, scale: 3, minimum: "1" }, ['invalid-bounds: "scale" is greater than its "precision", 2']],
  [{ type: "integer", precision: 4, scale: 2 },
    ['inapplicable-option: "precision" does not apply to the type "integer"', 'inapplicable-option: "scale" does not apply to the type "integer"']],
  // Bounds.
  [{ type: "decimal", precision: 4, scale: 2, minimum: "-99.99", maximum: 99.5 }, []],
  [{ type: "decimal", precision: 4, scale: 2, minimum: "0.001", maximum: "100" }, [
    'invalid-bounds: the bound "0.001" does not fit the field, which has 4 digits, 2 of them after the point',
    'invalid-bounds: the bound "100" does not fit the field, which has 4 digits, 2 of them after the point',
  ]],
  [{ type: "decimal", precision: 4, scale: 2, minimum: "1,5" }, [`invalid-bounds: the bound "1,5" is not a decimal such as '12.50'`]],
  [{ type: "decimal", precision: 20, scale: 0, maximum: 12345678901234568 },
    [`invalid-bounds: the bound 12345678901234568 is not a decimal such as '12.50' ${asString}`]],
  [{ type: "decimal", precision: 4, scale: 2, minimum: "10", maximum: "9.99" }, ['invalid-bounds: "minimum" is greater than its "maximum", 9.99']],
  [{ type: "decimal", precision: 4, scale: 2, minimum: "9.5", maximum: "9.50" }, []],
  [{ type: "bigint", minimum: "-9223372036854775808", maximum: "9223372036854775807" }, []],
  [{ type: "bigint", minimum: "1.5", maximum: "9223372036854775808" }, [
    `invalid-bounds: the bound "1.5" is not an integer of 64 bits such as ${large}`,
    `invalid-bounds: the bound "9223372036854775808" is not an integer of 64 bits such as ${large}`,
  ]],
  [{ type: "bigint", maximum: 9007199254740992 },
    [`invalid-bounds: the bound 9007199254740992 is not an integer of 64 bits such as ${large} ${asString}`]],
  [{ type: "bigint", minimum: "10", maximum: "9" }, ['invalid-bounds: "minimum" is greater than its "maximum", 9']],
  [{ type: "integer", minimum: "5" }, ['invalid-bounds: the bound "5" is not an integer of 32 bits (write 5)']],
  [{ type: "float", maximum: "0.5" }, ['invalid-bounds: the bound "0.5" is not a number (write 0.5)']],
  [{ type: "float", maximum: "half" }, ['invalid-bounds: the bound "half" is not a number']],
  [{ type: "time", minimum: "08:00" }, ['inapplicable-option: "minimum" does not apply to the type "time"']],
  [{ type: "integer[]", minimum: 10, maximum: 9 }, ['invalid-bounds: "minimum" is greater than its "maximum", 9']],
  [{ type: "integer[]", maximum: 3000000000 }, ["invalid-bounds: the bound 3000000000 is not an integer of 32 bits"]],
  [{ type: "string[]", min_length: 300 }, ['invalid-bounds: "min_length" is greater than its maximum length, 255']],
  // How many elements a list has.
  [{ type: "string[]", min_items: 3, max_items: 3 }, []],
  [{ type: "string[]", min_items: 4, max_items: 3 }, ['invalid-bounds: "min_items" is greater than the maximum number of its elements, 3']],
  [{ type: "string[]", enum: ["a", "b"], min_items: 3, unique_items: true },
    ['invalid-bounds: "min_items" is greater than the maximum number of its elements, 2']],
  [{ type: "string[]", enum: ["a", "b"], min_items: 2, unique_items: true }, []],
  [{ type: "string[]", enum: ["a", "b"], min_items: 3 }, []],
  [{ type: "string[]", min_items: 1001 }, ['invalid-bounds: "min_items" is greater than the maximum number of its elements, 1000']],
  [{ type: "string", min_items: 1, max_items: 2, unique_items: true },
    ["min_items", "max_items", "unique_items"].map((option) => `inapplicable-option: "${option}" does not apply to the type "string"`)],
  [{ type: "string", unique_items: false }, []],
  // Enum values are compared by value.
  [{ type: "decimal", precision: 4, scale: 2, enum: ["1.5", 2, "2.50"] }, []],
  [{ type: "decimal", precision: 4, scale: 2, enum: ["1.5", "1.50", 1.5] },
    ['invalid-enum: the enum value "1.50" appears twice', "invalid-enum: the enum value 1.5 appears twice"]],
  [{ type: "decimal", precision: 4, scale: 2, enum: ["1.555"] },
    ['invalid-enum: the enum value "1.555" does not fit the field, which has 4 digits, 2 of them after the point']],
  [{ type: "bigint", enum: ["1", 1] }, ["invalid-enum: the enum value 1 appears twice"]],
  [{ type: "bigint[]", enum: ["01", 9007199254740992] }, [
    `invalid-enum: the enum value "01" is not an integer of 64 bits such as ${large}`,
    `invalid-enum: the enum value 9007199254740992 is not an integer of 64 bits such as ${large} ${asString}`,
  ]],
  [{ type: "string[]", max_length: 3, enum: ["red", "green", 5] },
    ['invalid-enum: the enum value "green" is longer than 3 characters', "invalid-enum: the enum value 5 is not a string"]],
  [{ type: "time", enum: ["08:00"] }, ['inapplicable-option: "enum" does not apply to the type "time"']],
  // Defaults.
  [{ type: "decimal", precision: 4, scale: 2, minimum: 1, enum: ["12.50"], default: "12.5" }, []],
  [{ type: "decimal", precision: 4, scale: 2, minimum: 20, default: 12.5 }, ["invalid-default: the default 12.5 is less than 20.00"]],
  [{ type: "bigint", default: 9007199254740992 },
    [`invalid-default: the default 9007199254740992 is not an integer of 64 bits such as ${large} ${asString}`]],
  [{ type: "time", default: "24:00" }, ["invalid-default: the default \"24:00\" is not a time of day such as '12:30'"]],
  [{ type: "string[]", default: [], required: true }, []],
  [{ type: "string[]", default: "red" }, ['invalid-default: the default "red" is not a list, each element of which is a string']],
  [{ type: "string[]", default: ["red", null] }, ['invalid-default: the default ["red",null] is not a list, each element of which is a string']],
  [{ type: "string[]", min_items: 1, default: [] }, ["invalid-default: the default [] has fewer than 1 element"]],
  [{ type: "string[]", max_items: 1, default: ["red", "blue"] }, ['invalid-default: the default ["red","blue"] has more than 1 element']],
  [{ type: "string[]", enum: ["red"], default: ["blue"] },
    ['invalid-default: the default ["blue"] has the element "blue", which is not one of "red"']],
  [{ type: "decimal[]", precision: 4, scale: 2, unique_items: true, default: ["1.5", "1.50"] },
    ['invalid-default: the default ["1.5","1.50"] has the same element twice']],
  [{ type: "decimal[]", precision: 4, scale: 2, default: ["1.5", "1.50"] }, []],
  // What a list is not.
  [{ type: "string[]", index: true }, []],
  [{ type: "string[]", unique: true }, ['inapplicable-option: "unique" does not apply to the type "string[]"']],
  [{ type: "string[]", searchable: true }, ['inapplicable-option: "searchable" does not apply to the type "string[]"']],
  [{ type: "integer[]", foreign_key: true, relationship: { model: "places" } }, [
    'reference-type-mismatch: field "a" has the type "integer[]", but "id" of model "places" has the type "integer" (a list cannot be a foreign key: add a model whose rows refer to "books" and to "places")',
  ]],
  // A reference has the type of what it refers to.
  [{ type: "integer", foreign_key: true, relationship: { model: "places" } }, []],
  [{ type: "bigint", foreign_key: true, relationship: { model: "places" } }, [
    'reference-type-mismatch: field "a" has the type "bigint", but "id" of model "places" has the type "integer" (write "type": "integer", or "belongs_to" for the type of the other side)',
  ]],
])("%j: %j", async (a, messages) => expect(await reported({ fields: { a } })).toEqual(messages));

const tags = { type: "string[]" };

// biome-ignore format: one case a line
test.each<[model: object, messages: string[]]>([
  [{ fields: { tags, name: { type: "string" } }, unique: [["tags"], ["name", "tags"]] },
    ['unknown-key-field: "tags" in a unique key is a list, which cannot be part of a unique key',
      'unknown-key-field: "tags" in a unique key is a list, which cannot be part of a unique key']],
  [{ fields: { tags, name: { type: "string" } }, indexes: [["name", "tags"]] },
    ['unknown-key-field: "tags" in an index is a list, which cannot be part of an index of several fields (give it a separate index: "index": true)']],
  [{ fields: { tags }, indexes: [["tags"]] }, []],
  [{ fields: { tags: { ...tags, index: true } }, indexes: [["tags"]] }, ["duplicate-index: the index on tags is declared twice"]],
  [{ fields: { tags: { type: "text[]", index: true } } },
    ['long-index-entry: values of "tags" can be too long for an index entry of 2704 bytes (set "max_length" to at most 676)']],
  [
    { fields: { number: { type: "bigint", unique: true },
        large: { ...{ type: "bigint", foreign_key: true }, relationship: { model: "books", foreign_key: "number" } },
        small: { ...{ type: "integer", foreign_key: true }, relationship: { model: "books", foreign_key: "number" } } },
    },
    [
      'reference-type-mismatch: field "small" has the type "integer", but "number" has the type "bigint" (write "type": "bigint", or "belongs_to" for the type of the other side)',
    ],
  ],
])("%j: %j", async (model, messages) => expect(await reported(model)).toEqual(messages));

test("fields of the accounts obey the same rules", async () => {
  const users = {
    fields: {
      balance: { type: "decimal" },
      most: { type: "bigint", default: "1.5" },
      tags: { type: "string[]", min_items: 2, default: ["a"] },
    },
  };
  const { diagnostics } = await loadFiles({ "models.json": { places, users } });
  expect(diagnostics.map(({ code }) => code)).toEqual(["missing-key", "invalid-default", "invalid-default"]);
});

test("bounds, allowed values and defaults of exact numbers have one form, and so has a reference to a decimal", async () => {
  const size = { precision: 6, scale: 2 };
  const price = {
    ...{ type: "decimal", ...size, unique: true },
    ...{ minimum: 1, maximum: "100.5", enum: ["2", 3.5], default: "2.0" },
  };
  const relationship = { model: "books", foreign_key: "price" };
  const books = { ...places, fields: { price, was: { type: "belongs_to", relationship } } };
  const { definition, diagnostics } = await loadFiles({ "models.json": { books } });
  expect(diagnostics).toEqual([]);
  const fields = definition?.models.find(({ key }) => key === "books")?.fields;
  expect(fields?.[0]).toMatchObject({
    ...{ kind: "decimal", decimal: size },
    ...{ minimum: "1.00", maximum: "100.50", enum: ["2.00", "3.50"], default: "2.00" },
  });
  expect(fields?.[1]).toMatchObject({ kind: "decimal", decimal: size, minimum: null, enum: null });
});
