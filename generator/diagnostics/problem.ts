/** Why a run stops, and what to do about it. */
export interface Problem {
  readonly kind:
    | "access"
    | "base"
    | "history"
    | "heads"
    | "unknown-migration"
    | "refused"
    | "unknown-step"
    | "rename"
    | "destructive"
    | "edited"
    | "drift"
    | "output"
    | "lint"
    | "file-system"
    | "absent"
    | "existing"
    | "database";
  readonly message: string;
  /** Steps or a unified diff; may be empty. */
  readonly details: string;
  readonly fix: string;
}
