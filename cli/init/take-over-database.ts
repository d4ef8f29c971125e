import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageManager, Step, Surroundings } from "./init-surroundings.ts";

/** What a database is taken over by, once the files of an app are there. */
export interface TakingOver {
  readonly root: string;
  readonly database: string;
  readonly schema: string;
}

/** The commands that take a database over, as somebody types them in the app. */
export function commandsFor(manager: PackageManager, schema: string): string[] {
  const flags =
    schema === "public" ? "" : ` -- --schema ${/^\w+$/.test(schema) ? schema : JSON.stringify(schema)}`;
  return [`${manager} install`, `npm run introspect${flags}`, "npm run generate"];
}

/**
 * Installs the packages of an app and has its own `kirak` read the database, which prints the `generate` command to go on with. Answers the
 * commands that are left, and whether one failed, which has said why.
 */
export async function takeOverDatabase(
  { root, database, schema }: TakingOver,
  { manager, run }: Pick<Surroundings, "manager" | "run">,
  say: (text: string) => void,
): Promise<{ readonly commands: readonly string[]; readonly failed: boolean }> {
  // The environment goes before .env: a variable there would lead to another database.
  const variables = { SERVICE_DATABASE_URL: database };
  const kirak = (...words: readonly string[]): Step => ({
    program: process.execPath,
    words: [programOf(root), ...words],
    variables,
  });
  const steps = [
    () => ({ program: manager, words: ["install"] }),
    () => kirak("introspect", "--schema", schema),
  ];
  const commands = commandsFor(manager, schema);
  for (const [index, step] of steps.entries()) {
    say(`\n> ${commands[index]}\n`);
    if ((await run(step(), root)) !== 0) return { commands: commands.slice(index), failed: true };
  }
  return { commands: commands.slice(steps.length), failed: false };
}

/** The command line of the installed package. */
function programOf(root: string): string {
  const folder = join(root, "node_modules", "kirak");
  const { bin }: { bin: { kirak: string } } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, bin.kirak);
}
