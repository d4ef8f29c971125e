import type { Operation } from "../../../vocabulary/operations.ts";
import { oncePer } from "../../core/concurrency/index.ts";
import { type CrudServices, type Guard, guard, type ModelEntry } from "../operations/index.ts";

/** What the database of code of one's own stands on. */
export interface CodeApplication {
  readonly services: CrudServices;
  /** All models, internal ones and `users` too. */
  readonly entries: readonly ModelEntry[];
}

const guardsOf = oncePer((_entry: ModelEntry) => new Map<Operation, Pick<Guard<Operation>, "admit">>());

/** The guard of an operation for callers. It is kept, since it remembers roles. */
export function callerGuard(entry: ModelEntry, operation: Operation): Pick<Guard<Operation>, "admit"> {
  const guards = guardsOf(entry);
  const made = guards.get(operation) ?? guard(entry.policy[operation]);
  guards.set(operation, made);
  return made;
}
