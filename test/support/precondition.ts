import type { Precondition, Statement } from "../../runtime/database/index.ts";

/** Why a statement was not run, with the reason as its cause. */
export class Refused extends Error {}

/** Fails for each name that stands in a table `gone`. */
export const refuse: Statement = {
  name: "refuse",
  text: "SELECT ('this is gone' || left(name, 0))::integer FROM gone WHERE name = $1",
};

/** A precondition over a name, and how often it held. */
export function preconditionOf(
  name: string,
  statement: Statement = refuse,
): { readonly precondition: Precondition; readonly noted: { held: number } } {
  const noted = { held: 0 };
  const held = () => void noted.held++;
  const refusal = (cause: Error) => new Refused("it was not run", { cause });
  return { precondition: { statement, values: [name], held, refusal }, noted };
}
