import fc from "fast-check";
import { createDatabase, type Database } from "#runtime/core/database/index";
import { extendUsers } from "#runtime/data/users/index";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import type { Field, Model } from "#runtime/models/index";
import { runtimeColumns } from "#vocabulary/fields/runtime-columns";
import { service as fixture } from "../../http/fixture/generated/index.ts";
import { afterFile } from "../../support/after-file.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { drawn, shrunk } from "./drawn.ts";
import { randomShapes } from "./random-shapes.ts";
import { randomTables, type Tables } from "./rows.ts";
import { type Kind, ownFields, type Shape, type Shapes } from "./shapes.ts";
import { adoptedName, adoptedSchema, createTables, foreignKeyName, renameTables, store } from "./tables.ts";

/** Random models with rows, in a database of their own. */
export interface RuleWorld {
  readonly shapes: Shapes;
  readonly tables: Tables;
  readonly models: ReadonlyMap<string, Model>;
  readonly db: TestDatabase;
  /** Connections to it as a service has them, until the test file ends. */
  readonly database: Database;
}

/** The n-th world, another one for each `HOSTILE_SEED`. */
export async function ruleWorld(n: number): Promise<RuleWorld> {
  const { shapes, tables } = made(n + 100 * (shrunk(1).seed - 7));
  return worldOf(shapes, tables, n % 2 === 1);
}

/** A world of these models and rows. `adopted`: tables and columns have other names than models and fields. */
export async function worldOf(shapes: Shapes, tables: Tables, adopted = false): Promise<RuleWorld> {
  const { builtIn } = await serviceMigrations(fixture.migrations);
  const db = await testDatabase([], builtIn);
  await createTables(db, shapes);
  await store(db, tables);
  if (adopted) await renameTables(db, shapes);
  await db.query("analyze");
  const database = createDatabase({ url: db.url, maxConnections: 4, log: silent });
  afterFile(() => database.close());
  const models = new Map(Object.values(shapes).map((shape) => [shape.key, modelOf(shape, adopted)]));
  return { shapes, tables, models, db, database };
}

/** The models and rows of a seed. */
function made(seed: number): { shapes: Shapes; tables: Tables } {
  const worlds = drawn((dice) => {
    const shapes = randomShapes(dice);
    return { shapes, tables: randomTables(dice, shapes) };
  });
  const [world] = fc.sample(worlds, { seed, numRuns: 1 });
  if (world === undefined) throw new Error("there is no world");
  return world;
}

function modelOf(shape: Shape, adopted: boolean): Model {
  const stored = (name: string) => (adopted && shape.key !== "users" ? { column: adoptedName(name) } : {});
  const fields = Object.fromEntries(
    ownFields(shape).map(([name, kind]) => [name, { ...fieldOf(name, kind), ...stored(name) }]),
  );
  const foreignKeys = Object.values(shape.links)
    .filter(({ kind }) => kind === "belongs_to")
    .map(({ field }) => ({ name: foreignKeyName(shape, field), field }));
  const { key, id, softDelete, links: relations } = shape;
  if (key === "users") return extendUsers({ fields, relations, uniqueKeys: [], foreignKeys });
  const typeName = key.charAt(0).toUpperCase() + key.slice(1);
  const uniqueKeys = [{ name: `${key}_code_key`, fields: ["code"] }];
  // biome-ignore format: many a line
  const model: Model = {
    key, typeName, table: key, slug: key, id, softDelete, maxLimit: 100, fields, relations, uniqueKeys,
    foreignKeys,
  };
  if (!adopted) return model;
  const columns = Object.fromEntries(runtimeColumns.map((name) => [name, stored(name)]));
  return { ...model, schema: adoptedSchema, table: adoptedName(key), columns };
}

function fieldOf(name: string, kind: Kind): Field {
  if (name === "code") return { kind };
  if (kind.startsWith("decimal")) return { kind, nullable: true, decimal: { precision: 12, scale: 2 } };
  return name === "name" ? { kind, nullable: true, searchable: true } : { kind, nullable: true };
}
