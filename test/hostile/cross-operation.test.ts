import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWorld, token, type World } from "./support/world.ts";

/** The rules of one operation never serve another one, whichever ran first: plans are cached with their scope. */
describe("rules of different operations on one model", () => {
  let world: World;
  const user = token("user", "1");
  const theirs = "00000000-0000-4000-8000-000000000001";

  beforeAll(async () => {
    world = await startWorld();
    await world.db.query("insert into folders (id, owner_id) values (1, 2)");
  });

  beforeEach(async () => {
    await world.db.query("truncate slips, papers");
    await world.db.query("insert into slips (id, folder_id, code) values ($1, 1, 'theirs')", [theirs]);
  });

  it.each([
    [{ ids: [theirs] }, 403],
    [{ where: { code: "theirs" } }, 404],
    [{ query: { folder_id: 1 } }, 404],
  ])("destroy does not borrow the reach of delete: %j", async (body, status) => {
    const removed = await world.send({ method: "DELETE", path: "/slips/delete", token: user, body });
    expect(removed.status).toBe(200);
    await world.db.query("insert into slips (id, folder_id, code) values ($1, 1, 'theirs')", [theirs]);
    const refused = await world.send({ method: "DELETE", path: "/slips/destroy", token: user, body });
    expect(refused.status).toBe(status);
    expect(await world.db.query("select from slips")).toHaveLength(1);
  });

  it("update does not borrow the reach of upsert by id", async () => {
    const [row] = await world.db.query(
      "insert into papers (owner_id, title, state) values (1, 'b', 'final') returning id",
    );
    const id = Number(row?.["id"]);
    const data = { id, owner_id: 1, title: "changed", state: "final" };
    const upserted = await world.send({ method: "PUT", path: "/papers/upsert", token: user, body: { data } });
    expect(upserted.status).toBe(200);
    const { id: _, ...rest } = data;
    const body = { where: { id }, data: { ...rest, title: "renewed" } };
    const refused = await world.send({ method: "PUT", path: "/papers/update", token: user, body });
    expect(refused.status).toBe(403);
    expect(await world.db.query("select title from papers")).toEqual([{ title: "changed" }]);
  });
});
