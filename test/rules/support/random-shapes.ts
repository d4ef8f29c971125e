import type { Dice } from "./dice.ts";
import type { Kind, Link, Shapes } from "./shapes.ts";

const keys = ["alphas", "betas", "gammas", "deltas"] as const;

// biome-ignore format: many a line
const plain: Readonly<Record<string, Kind>> = {
  name: "string", note: "text", mail: "email", amount: "integer", ratio: "float", flag: "boolean",
  at: "datetime", day: "date", ref: "uuid", price: "decimal", serial: "int64", opens: "time",
  tags: "string[]", marks: "integer[]", rates: "decimal[]", refs: "uuid[]",
};

/** Foreign keys, with what a selection calls their joins. `keeper` has but the one name. */
// biome-ignore format: many a line
const parents = { up_id: "up", left_id: "left", this_id: "this", order_id: "order", keeper: "keeper" } as const;

interface Draft {
  readonly key: string;
  readonly id: "bigint" | "uuid";
  readonly softDelete: boolean;
  readonly fields: Record<string, Kind>;
  readonly links: Record<string, Link>;
}

/**
 * Four models and `users`, with ids of both kinds, with and without soft deletes, some of which belong to each other, to
 * themselves and to users; of most relations the other side is there too, as one row or as many.
 */
export function randomShapes(dice: Dice): Shapes {
  const drafts = new Map<string, Draft>(keys.map((key, at) => [key, draft(dice, key, at)]));
  // biome-ignore format: many a line
  drafts.set("users", {
    key: "users", id: "bigint", softDelete: false,
    fields: {
      role: "string", is_active: "boolean", is_verified: "boolean", team: "string", level: "integer",
      credit: "decimal", skills: "string[]",
    },
    links: {},
  });
  for (const child of drafts.values()) {
    const [first, second] = Object.entries(parents);
    const chosen = child.key === "users" ? [first, second] : Object.entries(parents);
    for (const pair of chosen) if (pair !== undefined) relate(dice, drafts, child, pair);
  }
  return Object.fromEntries(drafts);
}

function draft(dice: Dice, key: string, at: number): Draft {
  const fields = Object.fromEntries(
    Object.entries(plain).filter(([name]) => name === "name" || dice.chance(70)),
  );
  return {
    key,
    id: at % 2 === 0 ? "uuid" : "bigint",
    softDelete: at < 3,
    fields: { code: "string", ...fields },
    links: {},
  };
}

function relate(dice: Dice, drafts: Map<string, Draft>, child: Draft, [field, join]: [string, string]): void {
  const own = child.key === "users";
  if (!own && !["up_id", "keeper"].includes(field) && dice.chance(35)) return;
  const target = drafts.get(targetOf(dice, child, field));
  if (target === undefined) return;
  const byCode = !target.softDelete && target.key !== "users" && dice.chance(50);
  const references = byCode ? "code" : "id";
  child.fields[field] = byCode ? "string" : target.id;
  child.links[join] = { kind: "belongs_to", field, model: target.key, references };
  if (dice.chance(20)) return;
  const kind = dice.chance(40) ? "has_one" : "has_many";
  target.links[`${child.key}_${join}`] = { kind, field: references, model: child.key, references: field };
}

/** A model that belongs to itself, and one that belongs to users, is there in each world. */
function targetOf(dice: Dice, child: Draft, field: string): string {
  if (field === "up_id" && child.key !== "users") return child.key === "gammas" ? dice.pick(keys) : child.key;
  if (field === "keeper") return "users";
  return dice.pick(keys);
}
