import pino from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { insertUser } from "#runtime/auth/registration/registrations";
import { createDatabase } from "#runtime/database/index";
import { service } from "../../http/fixture/generated/index.ts";
import { serviceDatabase } from "../../support/database.ts";

const { url, query } = await serviceDatabase(service);
const database = createDatabase({ url, log: pino({ level: "silent" }) });
afterAll(() => database.close());
beforeEach(() => query("DELETE FROM users"));
const insert = (record: Record<string, unknown>) => insertUser(database, service.accounts.users, record);

describe("insertUser", () => {
  test("fills in what is left out", async () => {
    expect(await insert({ email: "ann@example.com" })).toEqual({
      id: expect.stringMatching(/^\d+$/),
      email: "ann@example.com",
      password: null,
      role: "user",
      firstName: null,
      lastName: null,
      phoneNumber: null,
      isVerified: false,
      isActive: true,
      createdAt: expect.stringMatching(/Z$/),
      lastLoginAt: null,
      credentialsChangedAt: null,
    });
  });

  test("takes what create-admin and one-time codes set", async () => {
    expect(await insert({ email: "root@example.com", role: "admin", is_verified: true })).toMatchObject({
      role: "admin",
      isVerified: true,
    });
    expect(await insert({ phone_number: "+4930123456" })).toMatchObject({
      email: null,
      phoneNumber: "+4930123456",
    });
  });

  test("of twenty at once one gets the address", async () => {
    const rows = await Promise.all(Array.from({ length: 20 }, () => insert({ email: "ann@example.com" })));
    expect(rows.filter((row) => row !== null)).toHaveLength(1);
  });

  test("a phone number that is taken is a conflict with a field", async () => {
    await insert({ phone_number: "+4930123456" });
    await expect(insert({ phone_number: "+4930123456" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { field: "phone_number" },
    });
  });
});
