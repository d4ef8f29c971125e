import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { columnPosition } from "#runtime/api/graphql/plan/list-arguments";
import { defineModel } from "#runtime/models/index";
import { type FieldKind, fieldKinds, kindOfType } from "#vocabulary/fields/field-kinds";

test("the models file has a type for each kind but that of integer ids", () => {
  const schema = JSON.parse(
    readFileSync(new URL("../../../schemas/models.schema.json", import.meta.url), "utf8"),
  );
  const types: string[] = schema.definitions.field.properties.type.enum;
  const named = types.flatMap((type) => kindOfType(type) ?? []);
  expect([...new Set(named), "bigint"].sort()).toEqual(Object.keys(fieldKinds).sort());
  expect(types.filter((type) => kindOfType(type) === null)).toEqual(["belongs_to", "has_many", "has_one"]);
});

test("variables of the schema's types may stand where values and filters of each kind do", () => {
  const shape = { key: "things", typeName: "Things", table: "things", slug: "things", id: "bigint" } as const;
  const none = { relations: {}, uniqueKeys: [], foreignKeys: [] };
  for (const kind of Object.keys(fieldKinds).filter(isKind)) {
    const fields = { value: { kind }, named: { kind, enum: ["a"] } };
    const model = defineModel({ ...shape, ...none, fields, softDelete: false, maxLimit: 1 });
    const { value, filter } = fieldKinds[kind].graphql;
    const isList = value.startsWith("[");
    const types = [value.replace(/^\[(.*)!\]$/, "$1"), filter ?? value];
    expect(columnPosition(model, "value")?.types).toEqual(expect.arrayContaining(types));
    expect(columnPosition(model, "named")?.types).toEqual(
      expect.arrayContaining(["Things_named", isList ? filter : "EnumFilter"]),
    );
    expect(columnPosition(model, "named")?.types.includes("EnumFilter")).toBe(!isList);
  }
});

function isKind(name: string): name is FieldKind {
  return Object.hasOwn(fieldKinds, name);
}
