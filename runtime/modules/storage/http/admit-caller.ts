import type { Request, Response } from "express";
import type { StorageOperation } from "../../../../vocabulary/storage.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import { countRequest, type OperationCounter } from "../../rate-limit/index.ts";
import type { StorageServices } from "../files/storage-services.ts";
import { allowedPrefixOf } from "../keys/key-reach.ts";
import type { StorageCall } from "./storage-route.ts";

interface Caller {
  readonly principal: Principal;
  readonly address: string;
}

export interface StorageRouterOptions {
  readonly services: StorageServices;
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  /** Operations without a counter have no limit. */
  readonly counters: ReadonlyMap<StorageOperation, OperationCounter>;
}

/** Checks the credential, and counts the request. Errors: those of the credential, `RATE_LIMIT_EXCEEDED`. */
export async function admitCaller(
  { services, callerOf, counters }: StorageRouterOptions,
  operation: StorageOperation | null,
  request: Request,
  response: Response,
): Promise<Pick<StorageCall, "services" | "user" | "allowedPrefix">> {
  const { principal, address } = await callerOf(request, response);
  const { user_id: user } = principal;
  if (user === null) throw new ServiceError("MISSING_TOKEN", "Storage needs an access token or an API key.");
  const { id, trace } = request.context;
  if (operation !== null)
    await countRequest(counters.get(operation), { principal, address, trace }, response);
  const log = services.log.child({ request_id: id, ...trace.logFields });
  return {
    services: { ...services, log },
    user,
    allowedPrefix: allowedPrefixOf(principal, services.settings),
  };
}
