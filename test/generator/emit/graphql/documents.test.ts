import { describe, expect, test } from "vitest";
import { problemsIn, schemaText, validSchema } from "./schemas.ts";

const schema = validSchema(schemaText("test/http/fixture/generated"));

describe("a client tool takes", () => {
  // biome-ignore format: one case a line
  test.each([
    ["lists", "{ books { id title } }"],
    ["plain filters", '{ books(title: "Emma", pages: 3, price: 1.5, in_stock: true, genre: "novel") { id } }'],
    ["null", "{ books(title: null) { id } }"],
    ["operators", '{ books(title: { ilike: "em%", neq: "Emma" }, pages: { in: [1, 2], is_null: false }) { id } }'],
    ["moments", '{ books(published: { gte: "2025-01-01" }, printed_at: { lt: "2025-01-01T00:00:00Z" }) { id } }'],
    ["pages and order", "{ books(limit: 3, offset: 2, orderBy: title__desc) { id } }"],
    ["search", '{ books(search: "em") { id } }'],
    ["joins", "{ books { author { name } editor { name } vault { name } chapters { number book { title } } } }"],
    ["lists of joins", "{ authors { books(limit: 2, pages: { gt: 1 }, orderBy: id) { title } profile { bio } } }"],
    ["trees", "{ folders { parent { parent { name } } children(limit: 1) { children { name } } } }"],
    ["aggregates", "{ sales_aggregate(groupBy: [region], orderBy: sum_amount__desc) { region count sum_amount } }"],
    ["nested figures", "{ sales_aggregate { count sum { amount } avg { price } min { day } max { moment } } }"],
    ["filtered figures", '{ sales_aggregate(region: { like: "n" }, limit: 1, search: "x") { count max_region } }'],
    ["creates", 'mutation { createBooks(input: { title: "Emma", genre: novel, meta: { a: [1] } }) { id genre } }'],
    ["exact numbers and times", '{ samples(decimal: { gte: 12.50 }, bigint: 9007199254740993, time: { lt: "12:30" }) { decimal bigint time } }'],
    ["lists", '{ samples(strings: { contains: "a" }, integers: [1, 2]) { strings integers } }'],
    ["lists to write", 'mutation ($d: [Decimal!]) { createSamples(input: { strings: "a", integers: [1], decimals: $d, wide: 0.1 }) { id } }'],
    ["exact figures", "{ samples_aggregate(groupBy: time) { time sum_decimal avg_bigint max { time } } }"],
    ["updates", 'mutation { updateBooks(input: { pages: 1 }, where: { title: { like: "E" } }) { id } }'],
    ["upserts", 'mutation { upsertBooks(input: { isbn: "1", title: "E" }) { id } }'],
    ["removals", "mutation { deleteBooks(ids: [1, 2]) { id } destroyBooks(where: { id: 3 }) { id title } }"],
    ["restores", "mutation { restoreBooks(input: { deleted_at: null }, where: { id: 3 }) { id } }"],
    ["names that meet", 'mutation { createLineItems(input: { name: "a" }) { name } createLineItems2(input: { label: "b" }) { label } }'],
    ["words of GraphQL", '{ words(query: "a", fragment: "b", on: "c", true: true) { query mutation on type true null } }'],
    ["variables", "query ($t: StringFilter, $n: Int = 3, $o: BooksOrderBy) { books(title: $t, limit: $n, orderBy: $o) { id } }"],
    ["inputs as variables", "mutation ($i: BooksCreate!) { createBooks(input: $i) { id } }"],
    ["variables in operators", "query ($q: String) { books(title: { ilike: $q }) { id } }"],
    ["directives", "query ($w: Boolean!) { books { id title @include(if: $w) pages @skip(if: $w) } }"],
    ["fragments", "{ books { ...b author { ... on authors { name } } } } fragment b on books { id title }"],
    ["aliases and typenames", "{ __typename a: books { __typename name: title } b: sales_aggregate { __typename count } }"],
  ])("%s", (_, document) => {
    expect(problemsIn(schema, document)).toEqual([]);
  });
});

describe("a client tool sees that there is no", () => {
  // biome-ignore format: one case a line
  test.each([
    ["unknown field", "{ books { titel } }"],
    ["internal root field", "{ vaults { id } }"],
    ["password to read", "{ sales { code } }"],
    ["filter on a password", '{ sales(code: "x") { id } }'],
    ["search without a searchable field", '{ docs(search: "x") { id } }'],
    ["sum of texts", "{ sales_aggregate { sum_region } }"],
    ["restore without soft_delete", "mutation { restoreFolders(input: { name: null }, where: { id: 1 }) { id } }"],
    ["operation without roles", "mutation { destroyChapters(ids: [1]) { id } }"],
    ["value that is not in the enum", 'mutation { createBooks(input: { title: "a", genre: thriller }) { id } }'],
    ["required field missing", "mutation { createBooks(input: { pages: 1 }) { id } }"],
    ["runtime column to write", 'mutation { createBooks(input: { title: "a", created_at: "2025-01-01" }) { id } }'],
    ["null in a list", "mutation { createSamples(input: { strings: [null] }) { id } }"],
    ["order by a list", "{ samples(orderBy: strings) { id } }"],
    ["figure of a list", "{ samples_aggregate { max_integers } }"],
    ["column of an account", "{ books { reader { password } } }"],
  ])("%s", (_, document) => {
    expect(problemsIn(schema, document)).not.toEqual([]);
  });
});
