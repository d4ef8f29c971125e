import type { AnyAuthHooks } from "../hooks/index.ts";
import type { Model, Validators } from "../model/index.ts";

/** The accounts of a service: what an app adds to the built-in `users`, and its hooks. */
export interface Accounts {
  readonly users: Model;
  /** Of the columns that the app added, and the built-in ones. */
  readonly validators: Validators;
  readonly hooks: AnyAuthHooks;
}
