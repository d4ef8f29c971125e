import { createSecretKey, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { AccessTokens } from "#runtime/auth/index";
import { StampedIds } from "#runtime/auth/tokens/access-token";

const key = createSecretKey(Buffer.from("a secret of more than thirty-two bytes"));
const ids = new StampedIds(key);
const changed = (credentialsChangedAt: string | null, id = "7") => ({ id, credentialsChangedAt });
const moment = "2026-01-01T00:00:00.500Z";
const second = Date.parse(moment) / 1000 - 0.5;

describe("an id", () => {
  test("is a UUID of version 8, and no two are the same", () => {
    const many = Array.from({ length: 1000 }, () => ids.next(changed(null)));
    expect(new Set(many).size).toBe(1000);
    for (const id of many)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("is of the credentials that it was made for alone", () => {
    for (const own of [changed(null), changed(moment)]) {
      const id = ids.next(own);
      expect(new StampedIds(key).isOf(id, own)).toBe(true);
      for (const other of [changed("2026-01-01T00:00:00.501Z"), changed(moment, "8"), changed(null, "8")])
        expect(ids.isOf(id, other)).toBe(false);
    }
    expect(ids.isOf(ids.next(changed(null)), changed(moment))).toBe(false);
  });

  test("cannot be stamped without the secret", () => {
    const foreign = new StampedIds(createSecretKey(Buffer.from("another secret of thirty-two bytes")));
    expect(ids.isOf(foreign.next(changed(null)), changed(null))).toBe(false);
  });

  test.each([randomUUID(), "", "j", `${ids.next(changed(null))}0`])("%j is of other making", (id) => {
    expect(ids.isOf(id, changed(null))).toBeNull();
  });
});

describe("a token", () => {
  const tokens = new AccessTokens(key, 3600);
  const user = { id: "7", role: "user", email: null };
  const issued = (credentialsChangedAt: string | null, now: number) =>
    tokens.verify(tokens.sign({ ...user, credentialsChangedAt }, now), now);

  test.each([-3600, 0, 3600])(
    "is current by its stamp, whatever the clock says: %i seconds away",
    (seconds) => {
      const now = Date.parse(moment) + seconds * 1000;
      expect(tokens.isCurrent(issued(moment, now), changed(moment))).toBe(true);
      expect(tokens.isCurrent(issued(null, now), changed(moment))).toBe(false);
    },
  );

  test.each([
    [-1, false],
    [0, false],
    [1, true],
  ])("without a stamp it goes by its second: %i after the change", (seconds, expected) => {
    const iat = second + seconds;
    const claims = {
      sub: "7",
      role: "user",
      email: "",
      jti: randomUUID(),
      type: "access" as const,
      iat,
      exp: iat + 60,
    };
    expect(tokens.isCurrent(claims, changed(moment))).toBe(expected);
    expect(tokens.isCurrent(claims, changed(null))).toBe(true);
  });
});
