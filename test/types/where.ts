/** What filters, orders and selections of a model compile. Checked by `npm run typecheck`; nothing runs. */
import { defineModel, type OrderBy, type Selection, type Where } from "#runtime/models/index";

// biome-ignore format: many a line
const model = defineModel({
  key: "things", typeName: "Things", table: "things", slug: "things", id: "bigint", softDelete: true,
  maxLimit: 10,
  fields: {
    title: { kind: "string" }, status: { kind: "string", enum: ["draft", "live"] },
    views: { kind: "integer", nullable: true }, owner: { kind: "uuid" }, seen_at: { kind: "datetime" },
    flag: { kind: "boolean" }, meta: { kind: "json" }, pin: { kind: "password" },
    price: { kind: "decimal", decimal: { precision: 10, scale: 2 } }, serial: { kind: "int64" },
    opens: { kind: "time" }, tags: { kind: "string[]", nullable: true }, marks: { kind: "integer[]" },
    sizes: { kind: "string[]", enum: ["small", "large"] },
  },
  relations: {}, uniqueKeys: [], foreignKeys: [],
});

type ThingsWhere = Where<typeof model>;

export const legal: ThingsWhere[] = [
  {},
  { id: 1, title: "a", title__like: "%a%", title__in: ["a", "b"] },
  { status: "draft", status__not_in: ["live"] },
  { views: null, views__gte: 1, views__between: [1, 2], views__is_null: true },
  { owner__ne: "0b9c4b0e-0000-4000-8000-000000000000", flag: true },
  { seen_at__lt: "2026-01-01", created_at__gte: "2026-01-01T00:00:00Z", meta__is_not_null: true },
  { price: "12.50", price__gt: "12.505", price__between: ["1", "2"], serial__in: ["9007199254740993"] },
  { opens__lt: "12:30", opens__is_null: true, price: null },
  { tags: ["a"], tags__contains: ["a", "b"], marks__overlaps: [1], sizes__contains: ["small"] },
  { tags: null, tags__is_not_null: true },
];

const fixedTags = ["a", "b"] as const;
export const readonlyLists: ThingsWhere = { tags: fixedTags, tags__contains: fixedTags };

// @ts-expect-error there is no such field
export const unknownField: ThingsWhere = { colour: "red" };
// @ts-expect-error a value outside the enum
export const outsideEnum: ThingsWhere = { status: "gone" };
// @ts-expect-error a number field takes no text
export const wrongType: ThingsWhere = { views: "1" };
// @ts-expect-error LIKE is for text
export const likeOnNumber: ThingsWhere = { views__like: "1%" };
// @ts-expect-error a uuid has no order
export const uuidComparison: ThingsWhere = { owner__gt: "x" };
// @ts-expect-error a boolean has no order
export const booleanComparison: ThingsWhere = { flag__gt: false };
// @ts-expect-error between takes two values
export const threeValues: ThingsWhere = { views__between: [1, 2, 3] };
// @ts-expect-error json has no comparisons
export const jsonEquality: ThingsWhere = { meta: {} };
// @ts-expect-error a decimal is a text, to keep all digits
export const decimalNumber: ThingsWhere = { price: 12.5 };
// @ts-expect-error a bigint is a text
export const bigintNumber: ThingsWhere = { serial__gt: 5 };
// @ts-expect-error LIKE is for text
export const likeOnTime: ThingsWhere = { opens__like: "12%" };
// @ts-expect-error an element is looked for by contains
export const elementAsList: ThingsWhere = { tags: "a" };
// @ts-expect-error contains takes a list
export const elementOfList: ThingsWhere = { tags__contains: "a" };
// @ts-expect-error in is for single values
export const listIn: ThingsWhere = { tags__in: [["a"]] };
// @ts-expect-error a list has no order
export const listComparison: ThingsWhere = { marks__gt: [1] };
// @ts-expect-error elements have a type
export const wrongElement: ThingsWhere = { marks__contains: ["1"] };
// @ts-expect-error an element outside the enum
export const elementOutsideEnum: ThingsWhere = { sizes__overlaps: ["medium"] };
// @ts-expect-error contains is for lists
export const containsInText: ThingsWhere = { title__contains: ["a"] };
// @ts-expect-error a password is never filtered by
export const passwordFilter: ThingsWhere = { pin: "1234" };

// biome-ignore format: one case a line
export const order: OrderBy<typeof model>[] = [
  "id", "title", "views", "deleted_at", "price", "serial", "opens",
];
// @ts-expect-error lists have no order
export const listOrder: OrderBy<typeof model> = "tags";
// @ts-expect-error json has no order
export const jsonOrder: OrderBy<typeof model> = "meta";

export const selection: Selection<typeof model> = ["id", "meta", "price", "tags"];
// @ts-expect-error a password is never returned
export const passwordSelected: Selection<typeof model> = ["pin"];
