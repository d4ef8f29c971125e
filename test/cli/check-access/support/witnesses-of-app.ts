import { join, resolve } from "node:path";
import {
  makeWitnesses,
  type Witness,
  type WitnessWorld,
  witnessWorld,
} from "#cli/check-access/witnesses/index";
import { rowsThatHold } from "#cli/conditions/index";
import type { ModelDefinition, RuleDefinition } from "#generator/definition/definition";
import { defaultPlaces } from "#generator/diagnostics/command";
import { readDefinition } from "#generator/pipeline/generate";
import { createDatabase } from "#runtime/core/database/index";
import type { Principal } from "#runtime/models/access/index";
import type { Service } from "#runtime/server/service";
import type { Condition } from "#vocabulary/conditions/conditions";
import { afterFile } from "../../../support/after-file.ts";
import { serviceDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";

const repository = resolve(import.meta.dirname, "..", "..", "..", "..");

/** The world of an app of this repository, on a database of its own. */
export async function worldOfApp(app: string, seed = 7): Promise<WitnessWorld> {
  const root = join(repository, app);
  const { definition } = await readDefinition({ root, ...defaultPlaces });
  if (definition === null) throw new Error("the models are invalid");
  const { service }: { service: Service } = await import(join(root, "generated", "index.ts"));
  const { url } = await serviceDatabase(service);
  const database = createDatabase({ url, maxConnections: 2, log: silent });
  afterFile(() => database.close());
  return witnessWorld(database, definition, seed);
}

/** A new user. */
export async function newCaller({ database }: WitnessWorld, id: string, role: string): Promise<Principal> {
  const email = `caller-${id}@example.com`;
  const text = "insert into users (id, email, role, is_verified) values ($1, $2, $3, true)";
  await database.run({ name: null, text }, [id, email, role]);
  return { user_id: id, role, email };
}

/** A rule, and what its rows are for. */
export interface RuleOf {
  readonly model: ModelDefinition;
  readonly rule: RuleDefinition;
  readonly operation: string;
}

/** The rules of all operations, each condition once for a role. */
export function rulesOf({ definition }: WitnessWorld): RuleOf[] {
  return definition.models.flatMap((model) => {
    const { operations, upsert } = model.access;
    const { insert, update } = upsert;
    const all = Object.entries({ ...operations, insert, upsert: update }).flatMap(([operation, rules]) =>
      rules.map((rule) => ({ model, rule, operation })),
    );
    const kindOf = (operation: string) =>
      ["create", "insert"].includes(operation) ? "record" : operation === "restore" ? "deleted" : "row";
    const keyed = all.map((each): [string, RuleOf] => [
      JSON.stringify([kindOf(each.operation), each.rule.role, each.rule.text]),
      each,
    ]);
    return [...new Map(keyed.toReversed()).values()].toReversed();
  });
}

/** Makes the witnesses of a rule. */
export async function witnessesOf(
  world: WitnessWorld,
  { model, rule, operation }: RuleOf,
  caller: Principal,
) {
  const request = { model: model.key, condition: rule.condition, caller };
  if (operation !== "create" && operation !== "insert") {
    const state = operation === "restore" ? "deleted" : "live";
    const { rows, missing } = await makeWitnesses(world, { ...request, state });
    return { made: rows, missing };
  }
  const gates = model.access.fields.filter(({ write }) => write !== null && !write.includes(caller.role));
  const presets = model.fields.filter(
    ({ name, preset }) =>
      preset !== undefined &&
      !model.access.fields.some(({ field, write }) => field === name && write?.includes(caller.role)),
  );
  const closed = new Set([...gates.map(({ field }) => field), ...presets.map(({ name }) => name)]);
  const { rows, missing } = await makeWitnesses(world, { ...request, state: { closed } });
  return { made: rows, missing };
}

/** The stored rows that are not what they were made for, as PostgreSQL finds. */
export async function wrongWitnesses(
  { database: connection, models }: WitnessWorld,
  key: string,
  condition: Condition | null,
  rows: readonly Witness[],
): Promise<Witness[]> {
  const model = models.get(key);
  if (model === undefined) throw new Error(`there is no model ${key}`);
  const wrong: Witness[] = [];
  for (const row of rows) {
    const held = await rowsThatHold({ connection, models }, model, condition, row.caller, [row.id]);
    if (held.length > 0 !== (row.kind === "in")) wrong.push(row);
  }
  return wrong;
}
