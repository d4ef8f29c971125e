import { describe, expect, it } from "vitest";
import { defineModel } from "#runtime/model/index";
import { storedOnce } from "#runtime/sql/records";
import type { FieldKind } from "#vocabulary/field-kinds";

const withPassword = (name: string, other: string) =>
  defineModel({
    key: "accounts",
    typeName: "Accounts",
    table: "accounts",
    slug: "accounts",
    id: "bigint",
    softDelete: false,
    maxLimit: 10,
    fields: { [name]: { kind: "password" as FieldKind }, [other]: { kind: "string" as FieldKind } },
    relations: {},
    uniqueKeys: [],
    foreignKeys: [],
  });

describe("storedOnce", () => {
  let hashed = 0;
  const hash = async (password: string) => `${password} hashed ${++hashed}`;

  it("hashes the passwords of a record once", async () => {
    const model = withPassword("pin", "code");
    const record = { pin: "1", code: "2" };
    expect(await storedOnce(model, record, hash)).toEqual({ pin: "1 hashed 1", code: "2" });
    expect(await storedOnce(model, record, hash)).toEqual({ pin: "1 hashed 1", code: "2" });
  });

  it("hashes what each model that gets the record has for a password", async () => {
    const record = { pin: "1", code: "2" };
    const [one, other] = [withPassword("pin", "code"), withPassword("code", "pin")];
    await storedOnce(one, record, hash);
    expect(await storedOnce(other, record, hash)).toEqual({
      pin: "1",
      code: expect.stringMatching(/^2 hashed/),
    });
  });
});
