import { shellWord } from "../../vocabulary/shell-word.ts";

/** The flags of a run that the next command must repeat. */
export interface CommandFlags {
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  /** Overwrite files that were edited by hand. */
  readonly force: boolean;
  /** Ids of accepted destructive steps. */
  readonly accepted: readonly string[];
  /** Migrations to derive again, with all migrations that build on them. */
  readonly rebase: readonly string[];
  /** A commit to compare with, instead of the last run. */
  readonly base: string | null;
}

/** The default paths of inputs and output. */
export const defaultPlaces = {
  models: "models/models.json",
  manifest: "models/manifest.json",
  out: "generated",
} as const;

/** The command to continue: with all paths, all accepted steps, and `--force` if needed. */
export function commandOf(flags: CommandFlags): string {
  const places = (["models", "manifest", "out"] as const).flatMap((name) =>
    flags[name] === defaultPlaces[name] ? [] : [`--${name} ${shellWord(flags[name])}`],
  );
  const accepted = [...new Set(flags.accepted)].map((id) => `--accept-destructive ${shellWord(id)}`);
  const rebase = flags.rebase.map((name) => `--rebase ${shellWord(name)}`);
  const base = flags.base === null ? [] : [`--base ${shellWord(flags.base)}`];
  const words = [...places, ...base, ...rebase, ...accepted, ...(flags.force ? ["--force"] : [])];
  return words.length === 0 ? "npm run generate" : `npm run generate -- ${words.join(" ")}`;
}
