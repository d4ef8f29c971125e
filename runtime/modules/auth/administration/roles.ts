import { didYouMean } from "../../../../vocabulary/nearest.ts";
import { invalid } from "../../../core/errors/index.ts";

/** Refuses a role that no account can have, with the nearest name: 400 `VALIDATION_ERROR`. */
export function requireKnownRole(role: string, known: ReadonlySet<string>): void {
  if (known.has(role)) return;
  const hint = didYouMean(role, known);
  const message = `is not a role that an access rule or a route names${hint === null ? "" : `: ${hint}`}`;
  throw invalid([{ field: "role", message }]);
}
