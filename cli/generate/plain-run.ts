import { usualPlaces } from "#generator/diagnostics/command";
import type { Places } from "#generator/last-run/reading";
import { shownPath } from "#generator/load/files";

/** The places of a run that writes and is asked for nothing else; null where a word of the command line may ask for more. */
export function placesIn(root: string, words: readonly string[]): Places | null {
  const given = new Map<string, string>();
  for (let index = 0; index < words.length; index += 2) {
    const [flag = "", value = ""] = words.slice(index, index + 2);
    const name = /^--(\w+)$/.exec(flag)?.[1] ?? "";
    if (!Object.hasOwn(usualPlaces, name) || given.has(name) || !/^[^-]/.test(value)) return null;
    given.set(name, value);
  }
  const place = (name: keyof typeof usualPlaces) => shownPath(root, given.get(name) ?? usualPlaces[name]);
  return { root, models: place("models"), manifest: place("manifest"), out: place("out") };
}
