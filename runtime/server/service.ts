import type { DeclaredErrors } from "../../vocabulary/error-codes.ts";
import type { CustomRoute } from "../api/custom-routes/index.ts";
import type { ModelRoutes } from "../api/rest/index.ts";
import type { ModelEntry } from "../data/operations/index.ts";
import { builtInUsers, extendUsersValidators, policyOfUsers, type UsersPolicy } from "../data/users/index.ts";
import type { MakeKysely } from "../hooks/context/index.ts";
import type { AnyAuthHooks, AnyHooks, GraphqlHooks } from "../hooks/index.ts";
import type { Model, Validators } from "../models/index.ts";
import type { Accounts } from "../modules/auth/index.ts";
import type { DeclaredJobs } from "../modules/jobs/index.ts";

/** A model without routes. Joins, row conditions and app code can reach it; app code runs its hooks. */
type InternalModel = Omit<ModelEntry, "hooks"> & { readonly hooks?: AnyHooks };

/** The generated service, as `createServer` needs it. */
export interface Service {
  readonly name: string;
  /** Models with routes. */
  readonly models: readonly ModelRoutes[];
  readonly internalModels: readonly ModelEntry[];
  readonly accounts: Accounts;
  readonly graphql: { readonly hooks: GraphqlHooks };
  /** Below the prefix of the models. */
  readonly routes: readonly CustomRoute[];
  /** The error codes of the app. */
  readonly errors: DeclaredErrors;
  /** By name. */
  readonly jobs: DeclaredJobs;
  /** Templates of the app's mails, in `models/mails/`. */
  readonly mails: readonly string[];
  /** Whether jobs, mails or text messages use the queue, so that its schema is needed. */
  readonly usesQueue: boolean;
  /** `makeKysely` of `kirak/kysely`, with `typescript.kysely` in the manifest. */
  readonly kysely?: MakeKysely | null;
  /** Null without migrations. */
  readonly migrations: URL | null;
  /** The generated folder, with the OpenAPI document and the GraphQL schema. Null: the service does not serve them. */
  readonly folder: URL | null;
}

/** The app's additions to the accounts. */
interface AddedToAccounts {
  readonly users?: Model;
  readonly policy?: UsersPolicy;
  readonly validators?: Validators;
  readonly hooks?: AnyAuthHooks;
}

/** A service as `generated/index.ts` declares it, with only the parts that it has. */
export interface ServiceDeclaration
  extends Omit<
    Service,
    "internalModels" | "accounts" | "errors" | "routes" | "jobs" | "mails" | "usesQueue" | "folder"
  > {
  readonly internalModels: readonly InternalModel[];
  readonly accounts: AddedToAccounts;
  readonly errors?: DeclaredErrors;
  /** The default exports of the files in `models/routes/`. */
  readonly routes?: readonly (CustomRoute | readonly CustomRoute[])[];
  readonly jobs?: DeclaredJobs;
  readonly mails?: readonly string[];
  /** Whether the app uses the job queue, also without entries in `jobs` and `mails`. */
  readonly usesQueue?: boolean;
  readonly folder?: URL | null;
}

/** Declares the generated service. */
export function defineService({
  accounts,
  internalModels,
  errors = {},
  routes = [],
  jobs = {},
  mails = [],
  usesQueue = false,
  folder = null,
  ...declared
}: ServiceDeclaration): Service {
  const { users = builtInUsers, policy = { fields: {} }, hooks = {} } = accounts;
  const { validators = extendUsersValidators({ properties: {} }) } = accounts;
  const ownUsers = { model: users, policy: policyOfUsers(users, policy), validators };
  return {
    ...declared,
    internalModels: [...internalModels, ownUsers].map((one) => ({ hooks: {}, ...one })),
    accounts: { users, policy: ownUsers.policy, validators, hooks },
    errors,
    routes: routes.flat(),
    jobs,
    mails,
    usesQueue: usesQueue || mails.length > 0 || Object.keys(jobs).length > 0,
    folder,
  };
}
