import { nearest } from "../../vocabulary/nearest.ts";

/** What is said of a flag that is none; `given` has its dashes, and `known` are names without them. */
export function unknownFlag(given: string, known: readonly string[]): string {
  return `unknown flag ${given}${question(given.replace(/^-+/, ""), known)}`;
}

/** What is said of a word where only flags may stand. */
export function notFlag(word: string, known: readonly string[]): string {
  return `${JSON.stringify(word)} is no flag${question(word, known)}`;
}

function question(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === null ? "" : `; did you mean --${meant}?`;
}
