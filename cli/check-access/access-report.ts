/** The public API that was asked. */
export type Front = "rest" | "graphql" | "mcp";

/** One question: an operation of a model, a caller, a set of rows, and a public API. */
export interface AccessCell {
  readonly model: string;
  readonly operation: string;
  /** `guest`, a role, or `another` and a role: a second user with it. */
  readonly caller: string;
  readonly front: Front;
  /** Rows that rules open (`in`) or close (`out`), `all` rows without ids, `denied`, or the tried field. */
  readonly rows: string;
  /** `passed`, `failed`, `not tried`, or `changed by before_create of tasks`. */
  readonly outcome: string;
  readonly reason?: string;
  readonly request?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** A rule in a finding. */
export interface FoundRule {
  readonly model: string;
  readonly operation: string;
  readonly role: string;
  readonly condition: string;
  readonly reason: string;
}

/** What `checkAccess` returns, and `kirak check-access --json` prints. */
export interface AccessReport {
  readonly cells: readonly AccessCell[];
  /** Rules that no row can satisfy. */
  readonly dead: readonly FoundRule[];
  /** Rules that another rule of the same role covers. */
  readonly covered: readonly FoundRule[];
  /** Models with a path to a tenant that their rules never mention. */
  readonly forgets_tenant: readonly {
    readonly model: string;
    readonly tenant: string;
    readonly path: string;
  }[];
  /** Custom routes that answered a caller: the rules of models do not restrict their rows. */
  readonly not_covered_by_rules: readonly { readonly route: string; readonly callers: readonly string[] }[];
  readonly passed: number;
  readonly failed: number;
  readonly not_tried: number;
}

/** The parts of the check. Default: all models, roles and operations. */
export interface AccessOptions {
  /** The app's folder; default: the working folder. */
  readonly root?: string;
  /** Keys of models. */
  readonly models?: readonly string[];
  readonly roles?: readonly string[];
  readonly operations?: readonly string[];
  /** The same seed makes the same rows. Default 1. */
  readonly seed?: number;
  /** Keeps the database, and gets its URL. */
  readonly keptDatabase?: (url: string) => void;
  /** A PostgreSQL for the database of the check, instead of `SERVICE_TEST_DATABASE_URL`. */
  readonly databaseUrl?: string;
}

export const outcomes = { passed: "passed", failed: "failed", notTried: "not tried" } as const;

/** Is `1` in tests that `--mutate` runs. The check then asks nothing: it would notice each mutation. */
export const mutating = "KIRAK_MUTATE";

export const emptyReport: AccessReport = {
  ...{ cells: [], dead: [], covered: [], forgets_tenant: [], not_covered_by_rules: [] },
  ...{ passed: 0, failed: 0, not_tried: 0 },
};

/** Number of cells with an outcome. */
export function countOf(cells: readonly AccessCell[], outcome: string): number {
  return cells.filter((cell) => cell.outcome === outcome).length;
}
