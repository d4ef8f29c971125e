import type { Difference } from "./difference.ts";

/** A difference, and whether the service and its migrations work in spite of it. */
export interface Finding extends Difference {
  readonly harmless: boolean;
}

/** A difference that can make a service or a migration fail. */
export function fault(difference: Difference): Finding {
  return { ...difference, harmless: false };
}

/** A harmless difference. */
export function remark(difference: Difference): Finding {
  return { ...difference, harmless: true };
}

interface Named {
  readonly name: string;
}

/** Pairs of two lists by name: first all expected elements, then those that only the other list has. */
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
