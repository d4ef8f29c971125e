import type { Diagnostic, Sources } from "./diagnostic.ts";

/** A bug of the generator, never an error in the app's files: exit code 70, printed with its stack. */
export class GeneratorBug extends Error {
  override name = "GeneratorBug";
}

/** Why a run stops, and how to fix it. */
export interface StopProblem {
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
  /** Steps or a unified diff; can be empty. */
  readonly details: string;
  readonly fix: string;
}

/** Errors of the file system in words. Other codes are bugs of the generator. */
const fileSystemReasons: Readonly<Record<string, string>> = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "there is no space left on the disk",
  EDQUOT: "there is no space left for this user",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "expected a folder, found a file",
  EISDIR: "expected a file, found a folder",
  ENOTEMPTY: "expected a file, found a folder",
  EBUSY: "another program uses it",
  ELOOP: "its symbolic links form a loop",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
};

/** A file that cannot be read or written, or null for another error. */
export function fileSystemProblem(error: unknown): StopProblem | null {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return null;
  const reason = fileSystemReasons[String(error.code)];
  if (reason === undefined) return null;
  const [path] = ["dest", "path"].flatMap((name) => Reflect.get(error, name) ?? []);
  return {
    kind: "file-system",
    message: `${path ?? "a file"} cannot be read or written: ${reason} (${error.code})`,
    details: "",
    fix: "correct the path, and run the command again",
  };
}

/** The output of a run that ends early. */
export interface StopReasons {
  readonly problems?: readonly StopProblem[];
  readonly diagnostics?: readonly Diagnostic[];
  /** The texts that the diagnostics point to. */
  readonly sources?: Sources;
}

/** Ends a run. Exit code 1: a person must decide; 2: the input is invalid. */
export class Stop extends Error {
  override readonly name = "Stop";
  readonly exitCode: 1 | 2;
  readonly reasons: StopReasons;

  constructor(exitCode: 1 | 2, reasons: StopReasons) {
    super(reasons.problems?.map(({ message }) => message).join("\n") ?? "");
    this.exitCode = exitCode;
    this.reasons = reasons;
  }
}

/** The Stop for an error: of a stage, or of a file that cannot be read or written. Null for other errors, which are bugs. */
export function stopOf(error: unknown): Stop | null {
  if (error instanceof Stop) return error;
  const problem = fileSystemProblem(error);
  return problem === null ? null : new Stop(2, { problems: [problem] });
}
