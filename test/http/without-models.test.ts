import { join } from "node:path";
import { expect, test } from "vitest";
import type { Service } from "#runtime/index";
import { project } from "../generator/support/project.ts";
import { password } from "../support/accounts.ts";
import { anyService } from "../support/service.ts";

test("a project without models has accounts and GraphQL", async () => {
  const { root, generate, remove } = project({});
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, problems: [] });
  // A build has only what is compiled, and no migration is.
  remove("generated/migrations");
  const { service: generated }: { service: Service } = await import(
    /* @vite-ignore */ join(root, "generated/index.ts")
  );
  const service = await anyService(generated);
  const body = { email: "a@example.com", password };
  const statuses = [
    await service.send({ method: "POST", path: "/auth/register", body }),
    await service.send({ method: "POST", path: "/graphql", body: { query: "{ __typename }" } }),
    await service.send({ method: "GET", path: "/books/fetch" }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 404]);
});
