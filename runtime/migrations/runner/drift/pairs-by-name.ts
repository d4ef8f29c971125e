interface Named {
  readonly name: string;
}

/** What two lists hold under the same name: first all of the expected ones, then those that only the other list has. */
export function pairsByName<Part extends Named>(
  expected: readonly Part[],
  actual: readonly Part[],
): (readonly [expected: Part | null, actual: Part | null])[] {
  const others = new Map(actual.map((part) => [part.name, part]));
  const known = new Set(expected.map(({ name }) => name));
  return [
    ...expected.map((part) => [part, others.get(part.name) ?? null] as const),
    ...actual.filter(({ name }) => !known.has(name)).map((part) => [null, part] as const),
  ];
}
