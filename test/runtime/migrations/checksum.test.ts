import { expect, test } from "vitest";
import { checksumOf } from "#runtime/migrations/history/migration-checksum";
import type { Migration, Step } from "#vocabulary/migration-steps";

const migration = (...up: Step[]): Migration => ({ name: "0001_initial", parent: null, up, down: [] });
const id = { name: "id", type: "bigint", nullable: false, default: "identity" } as const;
const pin = { name: "pin", type: "text", nullable: true } as const;

test("what makes no difference to a database makes none to the checksum", () => {
  const plain = migration(
    { step: "create_table", table: "t", columns: [id, pin] },
    { step: "add_column", table: "t", column: pin },
    { step: "rename_table", table: "t", to: "u" },
  );
  const labelled = migration(
    { step: "create_table", table: "t", model: "things", columns: [id, { ...pin, secret: true }] },
    { step: "add_column", table: "t", column: { ...pin, secret: true } },
    { step: "rename_table", table: "t", to: "u", model: "things" },
  );
  expect(checksumOf(labelled)).toBe(checksumOf(plain));
});

test("a default that is called like such a label counts", () => {
  const value = (secret: boolean) => ({ ...pin, type: "jsonb" as const, default: { literal: { secret } } });
  const of = (secret: boolean) =>
    checksumOf(migration({ step: "add_column", table: "t", column: value(secret) }));
  expect(of(true)).not.toBe(of(false));
});
