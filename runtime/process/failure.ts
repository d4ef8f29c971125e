import { ConfigError } from "../core/config/index.ts";
import { mask } from "../core/masking/index.ts";
import { EmbeddedError } from "../migrations/embedded-postgres/index.ts";
import { MigrationError } from "../migrations/runner/index.ts";
import { JobError } from "../modules/jobs/index.ts";

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
]);

/** Errors of these system calls are connection errors, even with codes like ENOENT (a missing socket). */
const connectionCalls = new Set(["connect", "getaddrinfo"]);

/** A failure of a command, with a message for the operator. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

const forOperators = [CommandError, ConfigError, EmbeddedError, JobError, MigrationError];

/**
 * Why the process cannot start: one sentence for known causes outside of Kirak, otherwise the stack trace.
 */
export function explain(error: unknown): string {
  return mask(describe(error));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (forOperators.some((kind) => error instanceof kind)) return error.message;
  if ("syscall" in error && error.syscall === "listen") return explainListen(error);
  const reason = connectionProblem(error);
  if (reason === null) return error.stack ?? error.message;
  return `the database cannot be reached (SERVICE_DATABASE_URL): ${reason}`;
}

function explainListen(error: Error & { code?: string; port?: number; address?: string }): string {
  if (error.code === "EADDRINUSE") return `port ${error.port} is in use: set PORT to another one`;
  if (error.code === "EACCES") return `port ${error.port} is reserved: set PORT to another one`;
  return `cannot listen on ${error.address}, port ${error.port} (HOST, PORT): ${error.message}`;
}

function connectionProblem(
  error: Error & { code?: unknown; severity?: unknown; syscall?: unknown },
): string | null {
  // For a host name with several addresses: one error per address, and an empty message.
  if (error instanceof AggregateError) {
    const [first] = error.errors;
    return first instanceof Error ? connectionProblem(first) : null;
  }
  if (error.cause instanceof Error) return connectionProblem(error.cause);
  const code = String(error.code);
  // pg throws it if a server accepts the connection and never answers.
  if (error.message === "timeout expired") return "no answer in time";
  // Wrong password, missing database, server starting up, too many connections.
  const isRefused =
    error.severity === "FATAL" ||
    connectionCodes.has(code) ||
    connectionCalls.has(String(error.syscall)) ||
    /^Connection terminated/.test(error.message);
  return isRefused ? error.message : null;
}
