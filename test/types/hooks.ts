/** What a hook file compiles. */

import type { Hooks } from "../../runtime/hooks/index.ts";
import { defineHooks } from "../../runtime/hooks/index.ts";

interface Types {
  row: { id: number; title: string };
  create: { title: string };
  update: { title?: string };
  where: { title?: string };
  order: "title";
  selection: readonly "title"[];
}

type ThingsHooks = Hooks<Types>;

const before_create: ThingsHooks["before_create"] = (record, { principal, transaction }) => {
  // @ts-expect-error what is required may be missing still
  record.title.trim();
  record.title = principal.role;
  transaction.raw("select 1");
};

const after_fetch: ThingsHooks["after_fetch"] = async (rows, context) => {
  // @ts-expect-error reads have no transaction
  context.transaction;
  return rows.slice(0, 1);
};

export const hooks = defineHooks<ThingsHooks>()({ before_create, after_fetch });

// @ts-expect-error there is no such hook
export const unknownHook = defineHooks<ThingsHooks>()({ before_creat: before_create });
// @ts-expect-error the hook of another operation
export const swapped = defineHooks<ThingsHooks>()({ before_create: after_fetch });

// @ts-expect-error a hook answers a value of the type it gets
export const wrongAnswer: ThingsHooks["before_create"] = () => ({ title: 5 });
