import { coversRole } from "../../vocabulary/role-names.ts";
import type { RawAccess } from "../load/raw.ts";
import type { RawHooks } from "../load/read-hooks.ts";
import type { CheckContext } from "./check-context.ts";

/** What an upsert does without being asked. */
const bypassed = ["before_create", "after_create", "before_update", "after_update"];

/** An upsert runs neither the hooks of create nor those of update: what they see to can be gone around (decisions, part 4). */
export function checkUpsert({ models, modelHooks, report }: CheckContext): void {
  for (const { key, access } of models) {
    const said = modelHooks.get(key);
    if (said === undefined || said.exported.has("before_upsert") || !opensUpsert(access)) continue;
    const run = bypassed.filter((name) => said.exported.has(name));
    if (run.length === 0) continue;
    const at = access.operations.get("upsert")?.at ?? access.at;
    const message = `upsert of model "${key}" is open and runs no ${run.join(" and no ")}: what the hooks see to can be gone around`;
    report("upsert-bypasses-hooks", at, message, wayOut(run, said));
  }
}

function wayOut(run: readonly string[], { file, fills }: RawHooks): string {
  const hook = run.includes("before_create") ? "const before_upsert = before_create;" : "a before_upsert";
  const list = fills === null ? "" : `, with a list of its own in "fills" of that file`;
  return `export ${hook} in ${file}${list}, or close it with "upsert": []`;
}

/** Whether some caller passes both halves of an upsert, or its own rules. */
function opensUpsert({ operations }: RawAccess): boolean {
  const rolesOf = (name: "create" | "update" | "upsert") =>
    operations.get(name)?.rules.map(({ role }) => role.value);
  const own = rolesOf("upsert");
  if (own !== undefined) return own.length > 0;
  const [creators, updaters] = [rolesOf("create") ?? [], rolesOf("update") ?? []];
  return creators.some((one) => updaters.some((other) => coversRole(one, other) || coversRole(other, one)));
}
