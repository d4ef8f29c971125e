/** Limits that the manifest sets (`manifest.graphql`). */
export interface Limits {
  /** A root field is 1, each nested selection set adds 1; fragments add nothing. */
  readonly maxDepth: number;
  readonly maxRootFields: number;
  /** Selected fields after fragments, roots included. */
  readonly maxComplexity: number;
}

/**
 * Limits of every query text (decisions, part 6). `nesting` counts open brackets of every kind: the parser calls itself
 * for each, and 2,000 of them are more than the stack holds. `literals` are the characters of arguments, which fragments
 * multiply.
 */
export const textLimits = {
  bytes: 100_000,
  tokens: 2_000,
  directives: 50,
  nesting: 250,
  literalDepth: 64,
  literals: 1_000_000,
} as const;
