import type { ServiceDefinition } from "../../definition/definition.ts";
import { type CommandFlags, commandOf } from "../../diagnostics/command.ts";
import type { Sources } from "../../diagnostics/index.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import type { LookAlike } from "../rename-candidates.ts";
import { renameLine } from "./rename-line.ts";

/** What the lines to write are made of. */
interface Inputs {
  readonly definition: ServiceDefinition;
  readonly sources: Sources;
  readonly flags: CommandFlags;
}

/** Drops that look like half of a rename: what to write if it is one, and which id to accept if not. */
export function renameProblem(alike: readonly LookAlike[], inputs: Inputs): Problem {
  const { flags } = inputs;
  const command = (ids: readonly string[]) => commandOf({ ...flags, accepted: [...flags.accepted, ...ids] });
  const details = alike.map((entry) => {
    const { id, former, names, model } = entry;
    const [prefix, values] = model === null ? ["", "rows"] : [`${model}.`, "values"];
    const lines = names.map((name) =>
      keeping(values, names.length > 1 ? ` in ${name}` : "", name, entry, inputs),
    );
    return (
      `${prefix}${former} goes and ${names.map((name) => prefix + name).join(" or ")} comes: a rename?\n` +
      `${lines.join("")}  to drop them, ${command([id])}\n`
    );
  });
  return {
    kind: "rename",
    message: "something goes and something like it comes, which may be a new name",
    details: details.join(""),
    fix: `say which it is: write the lines above, or ${command(alike.map(({ id }) => id))}`,
  };
}

function keeping(
  values: string,
  where: string,
  name: string,
  { model, former }: LookAlike,
  { definition, sources }: Inputs,
): string {
  const file = definition.models.find(({ key }) => key === (model ?? name))?.source ?? definition.source;
  const paths = model === null ? [[name]] : ["fields", "schema"].map((section) => [model, section, name]);
  const { place, text } = renameLine(file, sources.get(file) ?? "", paths, former);
  return `  to keep the ${values}${where}, write ${place}\n      ${text}\n`;
}
