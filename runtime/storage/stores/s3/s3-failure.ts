/** What S3 answered instead, or why there was no answer. It holds no request, which would carry signatures and tokens into the log. */
export class S3Failure extends Error {
  override readonly name = "S3Failure";
  readonly operation: string;
  /** As S3 names it, or the system, or the SDK. */
  readonly code: string;
  /** Null where there was no answer. */
  readonly status: number | null;

  constructor(
    operation: string,
    what: { readonly code: string; readonly status: number | null; readonly message: string },
  ) {
    super(
      `S3 ${operation}: ${[what.status, what.code].filter((part) => part !== null).join(" ")}: ${what.message}`,
    );
    this.operation = operation;
    this.code = what.code;
    this.status = what.status;
  }

  /** Whether there is no such object, or no such upload. Of a HEAD there is no more to know than the status. */
  get absent(): boolean {
    return this.status === 404 && this.code !== "NoSuchBucket";
  }

  /** Whether an object stands at the key that was to be free. */
  get taken(): boolean {
    return this.status === 412;
  }

  /** Whether another write of the key was under way: S3 asks to try again. */
  get contested(): boolean {
    return this.status === 409 && this.code === "ConditionalRequestConflict";
  }
}

/** What an answer must say. Rejects what stands there without: a page of a proxy, or half an answer. */
export function saidIn<Said>(operation: string, name: string, said: Said | undefined): Said {
  if (said !== undefined) return said;
  throw new S3Failure(operation, { code: "IncompleteAnswer", status: 200, message: `says no ${name}` });
}

/** What the SDK rejected with, reduced to what may be logged. */
export function s3Failure(operation: string, error: unknown, secrets: readonly string[]): S3Failure {
  if (error instanceof S3Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const masked = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  return new S3Failure(operation, {
    code: masked(codeOf(error)),
    status: statusOf(error),
    message: masked(message),
  });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("$metadata" in error)) return null;
  const { $metadata: answer } = error;
  if (typeof answer !== "object" || answer === null || !("httpStatusCode" in answer)) return null;
  return typeof answer.httpStatusCode === "number" ? answer.httpStatusCode : null;
}
