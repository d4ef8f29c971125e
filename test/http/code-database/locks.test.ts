import { expect, test } from "vitest";
import { sendWith } from "../../support/code-in-hooks.ts";
import type { Reply } from "../../support/request.ts";
import { rows as given } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { waiting } from "../../support/turns.ts";
import type { StagedHooks } from "../fixture/stage.ts";

const service = await testService();

const update = (where: object, number: number) => ({
  method: "PUT",
  path: "/hooked/update",
  body: { where: { ...where }, data: { number } },
});

/** What the second of two updates was told, each of which asks for its rows: it comes while the first holds its own. */
async function second(where: object, hold: StagedHooks["before_update"]) {
  await service.store({ hooked: given });
  const late: Promise<Reply>[] = [];
  let told: unknown = null;
  const before_update: StagedHooks["before_update"] = async (value, context) => {
    if (value.data.number !== 10) {
      told = (await context.rows()).map(({ number }) => number);
      return;
    }
    await hold?.(value, context);
    if (late.length === 0) late.push(service.send(update(where, 20), "admin"));
    await waiting(service, 1);
  };
  const first = await sendWith(service, { before_update }, "admin", update({ id: 1 }, 10));
  return { first: first.status, second: (await late[0])?.status, told };
}

test("rows() locks its rows: a second rows() waits and returns the new values", async () => {
  const outcome = await second({ id: 1 }, async (_, { rows }) => void (await rows()));
  expect(outcome).toEqual({ first: 200, second: 200, told: [10] });
  expect(await service.query("SELECT number FROM hooked WHERE id = 1")).toEqual([{ number: 20 }]);
});

test("whom the new values do not match any more finds nothing", async () => {
  const outcome = await second({ number: 1 }, async (_, { rows }) => void (await rows()));
  expect(outcome).toEqual({ first: 200, second: 404, told: null });
});

test("so does a write of context.db, until the operation ends", async () => {
  const outcome = await second({ id: 2 }, async (_, { db }) => {
    await db.ledger.create({ hooked_name: "unseen" });
    await db.hooked.delete({ ids: [2] });
  });
  expect(outcome).toEqual({ first: 200, second: 404, told: null });
});
