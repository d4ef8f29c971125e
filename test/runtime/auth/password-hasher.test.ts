import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { describe, expect, it } from "vitest";
import { passwordHasher } from "../../../runtime/auth/index.ts";

describe("passwordHasher", () => {
  it("hashes with a salt of its own", async () => {
    const hash = passwordHasher(4);
    const [one, two] = await Promise.all([hash("pässword"), hash("pässword")]);
    expect(one).not.toBe(two);
    expect(await bcrypt.compare("pässword", one ?? "")).toBe(true);
  });

  it("lets 64 wait, refuses the next with 503, and goes on afterwards", async () => {
    const hash = passwordHasher(4);
    const fits = availableParallelism() + 64;
    const results = await Promise.allSettled(Array.from({ length: fits + 3 }, () => hash("x")));
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(3);
    expect(refused).toEqual(
      Array(3).fill({
        status: "rejected",
        reason: expect.objectContaining({ code: "HTTP_ERROR", status: 503 }),
      }),
    );
    expect(await hash("y")).toMatch(/^\$2b\$04\$/);
  });

  it("a failure frees its place", async () => {
    const hash = passwordHasher(4);
    const broken = Array.from({ length: 20 }, () => hash(JSON.parse("null")));
    expect((await Promise.allSettled(broken)).every(({ status }) => status === "rejected")).toBe(true);
    expect(await hash("x")).toMatch(/^\$2b/);
  });
});
