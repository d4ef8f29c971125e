import bcrypt from "bcrypt";
import { describe, expect, it } from "vitest";
import { PasswordQueue } from "#runtime/modules/auth/index";

const queue = () => {
  const passwords = new PasswordQueue(4);
  return { passwords, hash: (password: string) => passwords.hash(password, null) };
};

describe("PasswordQueue", () => {
  it("a failure frees its place", async () => {
    const { hash } = queue();
    const broken = Array.from({ length: 20 }, () => hash(JSON.parse("null")));
    expect((await Promise.allSettled(broken)).every(({ status }) => status === "rejected")).toBe(true);
    expect(await hash("x")).toMatch(/^\$2b/);
  });

  it("a wrong password takes the same time for every stored value: a cheaper hash, no hash, or another text", async () => {
    const passwords = new PasswordQueue(9);
    const cheap = await bcrypt.hash("right", 4);
    const duration = async (hash: string | null) => {
      const start = performance.now();
      expect(await passwords.verify("wrong", hash, null)).toBe(false);
      return performance.now() - start;
    };
    const times = { none: [] as number[], cheap: [] as number[], other: [] as number[] };
    for (let round = 0; round < 5; round++) {
      times.none.push(await duration(null));
      times.cheap.push(await duration(cheap));
      times.other.push(await duration("$argon2id$something else"));
    }
    // A thirtieth of it, or nothing at all, where the difference is not made up for.
    const median = (list: number[]) => list.sort((a, b) => a - b)[2] ?? 0;
    expect(median(times.cheap)).toBeGreaterThan(median(times.none) / 3);
    expect(median(times.other)).toBeGreaterThan(median(times.none) / 3);
    expect(await passwords.verify("right", cheap, null)).toBe(true);
  });

  it("characters beyond bcrypt's limit count", async () => {
    const { passwords, hash } = queue();
    const stored = await hash("x".repeat(72));
    expect(await passwords.verify("x".repeat(72), stored, null)).toBe(true);
    expect(await passwords.verify(`${"x".repeat(72)}y`, stored, null)).toBe(false);
  });
});
