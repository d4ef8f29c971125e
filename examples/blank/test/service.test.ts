import { join } from "node:path";
import { checkAccess, startTestService } from "kirak/testing";
import { afterAll, expect, test } from "vitest";
import { service } from "../generated/index.ts";

// The service on a free port, with a fresh database that goes with it.
const app = await startTestService(service, { root: join(import.meta.dirname, "..") });
afterAll(() => app.stop());

test("a notebook is for its owner alone until it is public", async () => {
  const [ann] = await app.database.query<{ id: string }>("insert into users default values returning id");
  const owner = { role: "user", user_id: ann?.id ?? "" };
  const titles = async (as: typeof owner | null) => {
    const { body } = await app.request<{ title: string }[]>("/notebooks/fetch", { as });
    return body.data.map(({ title }) => title);
  };

  const created = await app.request<{ id: number }>("/notebooks/create", {
    as: owner,
    body: { data: { title: "Travels" } },
  });
  expect(created.status).toBe(200);
  expect(await titles(owner)).toEqual(["Travels"]);
  expect(await titles(null)).toEqual([]);

  const where = { id: created.body.data.id };
  const open = { method: "PUT", body: { where, data: { public: true } } };
  expect((await app.request("/notebooks/update", open)).body.error).toBe("PERMISSION_DENIED");
  expect((await app.request("/notebooks/update", { ...open, as: owner })).status).toBe(200);
  expect(await titles(null)).toEqual(["Travels"]);
});

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
