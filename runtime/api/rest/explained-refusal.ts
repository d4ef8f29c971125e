import { explainCommand } from "../../../vocabulary/explain-command.ts";
import type { JsonObject } from "../../../vocabulary/json.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Principal } from "../../models/access/index.ts";
import { columnsOf, type Model } from "../../models/index.ts";
import { readParameters } from "./input.ts";

interface RefusedCall {
  readonly model: Model;
  readonly operation: Operation;
  readonly principal: Principal;
  readonly query: string;
  /** Undefined if the request was refused before it was read. */
  readonly body: JsonObject | undefined;
}

/** A 403 with the command that explains it as `details.explain`; other errors unchanged. */
export function explainedRefusal(
  thrown: unknown,
  { model, principal, query, ...sent }: RefusedCall,
): unknown {
  if (!(thrown instanceof ServiceError) || thrown.code !== "PERMISSION_DENIED") return thrown;
  const columns = [...columnsOf(model).values()];
  const passwords = new Set(columns.filter(({ kind }) => kind === "password").map(({ name }) => name));
  const { key } = model;
  const parameters = readParameters(query, []);
  const explain = explainCommand({ ...sent, model: key, user: principal.user_id, parameters, passwords });
  const { code, message, details, status, headers, cause } = thrown;
  return new ServiceError(code, message, { ...details, explain }, { status, headers, cause });
}
