import { join } from "node:path";
import { expect, test } from "vitest";
import type { Service } from "#runtime/index";
import { project } from "../generator/support/project.ts";
import { testService } from "../support/service.ts";

const everyone = [{ role: "*" }];
const { root, generate } = project({
  rooms: { soft_delete: true, fields: { name: { type: "string" } }, access: { destroy: everyone } },
  visits: {
    fields: {
      room: { type: "belongs_to", relationship: { model: "rooms", on_delete: "set_null" } },
      seats: { type: "integer" },
    },
    checks: [
      {
        name: "seated_somewhere",
        condition: "seats IS NULL OR room IS NOT NULL",
        message: "Seats are in a room.",
        field: "room",
      },
    ],
    access: { fetch: everyone },
  },
});
await generate();
const { service: served }: { service: Service } = await import(join(root, "generated/index.ts"));
const service = await testService({}, { served });
const given = { rooms: [{ id: 1 }], visits: [{ id: 1, room: 1, seats: 2 }] };
const broken = {
  ...{ statusCode: 400, error: "VALIDATION_ERROR", message: "Seats are in a room." },
  details: { field: "room", check: "seated_somewhere" },
};

test.each([
  ["DELETE", "/rooms/destroy", { query: { id: 1 } }],
  ["POST", "/graphql", { query: "mutation { destroyRooms(where: { id: 1 }) { id } }" }],
])(
  "a row that goes may leave one of another model that breaks its check, which is told: %s %s",
  async (method, path, body) => {
    await service.store(given);
    const { envelope } = await service.send({ method, path, body }, "admin");
    expect(envelope).toMatchObject(broken);
    expect(await service.query("select room, seats from visits")).toEqual([{ room: "1", seats: 2 }]);
  },
);
