import type { Request, Response } from "express";
import type { StorageOperation } from "../../../vocabulary/storage.ts";
import type { Problem } from "../../errors/index.ts";
import type { Answer } from "../../http/index.ts";
import type { StorageServices } from "../files/storage-services.ts";

/** A request of somebody who may use storage at all, counted already. */
export interface StorageCall {
  readonly services: StorageServices;
  readonly request: Request;
  readonly response: Response;
  /** Id of the user who calls. */
  readonly user: string;
  /** What the keys begin with that the caller reaches; empty: all. Null: none. */
  readonly reach: string | null;
  /** Of the query, known ones alone. */
  readonly parameters: ReadonlyMap<string, string>;
  /** What is wrong with them so far. */
  readonly problems: Problem[];
}

/** A route of the storage module (contract: "Storage"). */
export interface StorageRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly operation: StorageOperation;
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  readonly run: (call: StorageCall) => Promise<Answer>;
}
