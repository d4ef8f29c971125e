import { join } from "node:path";
import { checkAccess } from "kirak/testing";
import { expect, test } from "vitest";
import { service } from "../generated/index.ts";

// Each role asks for each row and field, over REST and GraphQL. The models say what the answers must be.
test("the access rules hold", { timeout: 240_000 }, async () => {
  const { cells } = await checkAccess(service, { root: join(import.meta.dirname, "..") });
  const named = (outcome: string) =>
    cells
      .filter((cell) => cell.outcome === outcome)
      .map(({ model, operation, caller, rows }) => `${model}.${operation} as ${caller}: ${rows}`);
  expect(named("failed")).toEqual([]);
  expect(named("not tried").sort()).toEqual([]);
});
