/** An operation that a role reaches now and did not reach before. */
export interface WidenedAccess {
  /** `books.fetch` */
  readonly operation: string;
  readonly role: string;
}

/** Operation, role and the rest of a line of `access-matrix.txt`; a role is one word or a string in quotes. */
const matrixLine = /^(\S+\.\S+) +("(?:[^"\\]|\\.)*"|\S+)/;

/** Roles by operation, as an access matrix lists them. */
function rolesByOperation(matrix: string): Map<string, Set<string>> {
  const roles = new Map<string, Set<string>>();
  for (const line of matrix.split("\n")) {
    const [, operation, role] = matrixLine.exec(line) ?? [];
    if (operation === undefined || role === undefined || line.startsWith("#")) continue;
    const known = roles.get(operation) ?? new Set();
    if (role !== "nobody") known.add(role);
    roles.set(operation, known);
  }
  return roles;
}

/** Operations that more roles reach than before. Those of new models are not among them: the models are reported. */
export function widenedAccess(before: string, after: string): WidenedAccess[] {
  const former = rolesByOperation(before);
  return [...rolesByOperation(after)].flatMap(([operation, roles]) => {
    const known = former.get(operation);
    if (known === undefined || known.has("*")) return [];
    return [...roles].filter((role) => !known.has(role)).map((role) => ({ operation, role }));
  });
}
