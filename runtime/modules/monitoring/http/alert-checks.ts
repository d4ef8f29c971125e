import { isServed } from "../../../../vocabulary/account-features.ts";
import {
  accountRoutes,
  adminRoutes,
  localFilesRoute,
  storageRoutes,
  userRoutes,
} from "../../../../vocabulary/built-in-routes.ts";
import { isJsonObject, type JsonObject } from "../../../../vocabulary/json.ts";
import {
  aiMetrics,
  httpMetrics,
  maxAlertChecks,
  monitoringNumbers,
  type WindowMetric,
} from "../../../../vocabulary/monitoring.ts";
import { storageProviders } from "../../../../vocabulary/storage.ts";
import { accountFeaturesOf, type Config, type StorageSettings } from "../../../core/config/index.ts";
import { readJsonBody, sendSuccess } from "../../../core/http/index.ts";
import type { NamedModel } from "../monitoring.ts";
import type { AlertCheck, AlertResult } from "../records/reads.ts";
import type { AlertNames, MonitoringRoute } from "./monitoring-router.ts";
import { validationError } from "./parameters.ts";
import { readIfReachable, readParameters } from "./store-routes.ts";

/** `POST /monitoring/alerts/evaluate`: a result for each check; also responds without the store. */
export const evaluateAlerts: MonitoringRoute = {
  async run(call) {
    readParameters({}, call);
    const { services, request, response } = call;
    const body = await readJsonBody(request, services.bodyLimitBytes);
    const { store, now, names } = services;
    const { mountPath } = request.context;
    const checks = readAlertChecks(body, (name) => recordedName(names, mountPath, name));
    const data = await readIfReachable(store.read("alerts", { now: now(), checks }));
    sendSuccess(response, { message: "checks evaluated", data: data ?? withoutStore(checks) });
  },
};

/** The results while the store is unreachable: only health checks breach (docs/monitoring.md#alerts). */
function withoutStore(checks: readonly AlertCheck[]): string {
  const results = checks.map(({ id, metric }): AlertResult => {
    const isHealth = metric === "health";
    return { id, breaching: isHealth, value: isHealth ? 0 : null, sample_count: 0 };
  });
  return JSON.stringify({ results });
}

/** A problem of a check; index null: a problem of the body. */
interface CheckProblem {
  readonly index: number | null;
  readonly field: string;
  readonly message: string;
}

/** Maps a name in `routes` to its recorded form; null if it is unknown. */
type RecordedNameOf = (name: string) => string | null;

type Report = (field: string, message: string) => void;

const longestWindowSeconds = monitoringNumbers.window_seconds.max;
const reportedProblems = 100;
const metrics: readonly string[] = [...httpMetrics, ...aiMetrics, "health"];
const keys: readonly string[] = ["id", "metric", "op", "value", "window_seconds", "routes"];

/** Parses the checks of a body (docs/monitoring.md#alerts). Errors: 422 with all problems. */
export function readAlertChecks(
  body: JsonObject | undefined,
  recorded: RecordedNameOf,
): readonly AlertCheck[] {
  const problems: CheckProblem[] = [];
  const ofBody: Report = (field, message) => problems.push({ index: null, field, message });
  for (const key of Object.keys(body ?? {})) if (key !== "checks") ofBody(key, "is not a key of this body");
  const list = body?.["checks"];
  const isList = Array.isArray(list) && list.length >= 1 && list.length <= maxAlertChecks;
  if (!isList) ofBody("checks", `must be a list of 1 to ${maxAlertChecks} checks`);
  const sent: readonly unknown[] = isList ? list : [];
  const checks = sent.flatMap((check, index) => {
    const read = readCheck(check, recorded, (field, message) => problems.push({ index, field, message }));
    return read === null ? [] : [read];
  });
  refuse(problems);
  return checks;
}

function refuse(problems: readonly CheckProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const { index, field, message } = first;
  const place = index === null ? field : `checks[${index}].${field}`;
  const errors = problems.slice(0, reportedProblems);
  throw validationError(`${place}: ${message}`, { field: place, errors });
}

/** Null after it has reported a problem. */
function readCheck(check: unknown, recorded: RecordedNameOf, report: Report): AlertCheck | null {
  if (!isJsonObject(check)) {
    report("checks", "each check must be an object");
    return null;
  }
  for (const key of Object.keys(check)) if (!keys.includes(key)) report(key, "is not a key of a check");
  const id = readId(check["id"], report);
  const { metric } = check;
  if (typeof metric !== "string" || !metrics.includes(metric)) {
    report("metric", `must be one of ${metrics.join(", ")}`);
    return null;
  }
  if (isOneOf(metric, httpMetrics) || isOneOf(metric, aiMetrics))
    return windowCheck(metric, id, check, recorded, report);
  if (check["routes"] !== undefined) report("routes", onlyForRequests);
  return id === null ? null : { id, metric: "health" };
}

const onlyForRequests = "applies only to request metrics";

function windowCheck(
  metric: WindowMetric,
  id: string | number | null,
  check: JsonObject,
  recorded: RecordedNameOf,
  report: Report,
): AlertCheck | null {
  const { op, value, window_seconds: windowSeconds } = check;
  const isOp = op === "gt" || op === "lt";
  if (!isOp) report("op", "must be gt or lt");
  const isValue = typeof value === "number" && Number.isFinite(value);
  if (!isValue) report("value", "must be a number");
  const isWindow = isWindowLength(windowSeconds);
  if (!isWindow) report("window_seconds", `must be a whole number from 1 to ${longestWindowSeconds}`);
  const routes = readRoutes(metric, check["routes"], recorded, report);
  if (id === null || !isOp || !isValue || !isWindow) return null;
  return { id, metric, op, value, windowSeconds, routes };
}

function isWindowLength(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= longestWindowSeconds;
}

/** JavaScript would round a larger number, so the response could not repeat it. */
function readId(id: unknown, report: Report): string | number | null {
  if (typeof id === "string") return id;
  if (typeof id === "number" && (Number.isSafeInteger(id) || (Number.isFinite(id) && !Number.isInteger(id))))
    return id;
  report("id", "must be a string or a number");
  return null;
}

/** Null: all requests. */
function readRoutes(
  metric: WindowMetric,
  routes: unknown,
  recorded: RecordedNameOf,
  report: Report,
): readonly string[] | null {
  if (routes === undefined) return null;
  if (!isOneOf(metric, httpMetrics)) report("routes", onlyForRequests);
  else if (!isTextList(routes)) report("routes", "must be a non-empty list of model keys and route patterns");
  else {
    const known = routes.map(recorded);
    const unknown = routes[known.indexOf(null)];
    if (unknown === undefined) return [...new Set(known.filter((name) => name !== null))];
    report("routes", `${JSON.stringify(unknown)} is neither a model nor the pattern of a route`);
  }
  return null;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function isOneOf<Word extends string>(word: string, words: readonly Word[]): word is Word {
  return words.some((one) => one === word);
}

/** The pattern of requests without a route. */
const unmatched = "unmatched";

type NamingConfig = Pick<
  Config,
  "servicePrefix" | "authPrefix" | "storage" | "social" | "auth" | "production"
>;

/** Names that checks can use. Unrecorded routes are left out: their checks would never fire. */
export function alertNames(
  { servicePrefix, authPrefix, storage, social, auth, production }: NamingConfig,
  models: readonly NamedModel[],
  routes: readonly string[],
): AlertNames {
  const ofModels = models.flatMap(({ key, slug, paths }) => [
    key,
    ...paths.map((path) => `${servicePrefix}/${slug}${path}`),
  ]);
  const features = accountFeaturesOf({ social, auth, production });
  const hasApple = social.providers.some(({ name }) => name === "apple-id");
  const ofAccounts = accountRoutes
    .filter((route) => isServed(route, features) && (route.path !== "/apple/callback" || hasApple))
    .map(({ path }) => authPrefix + path);
  const ofFiles = storage === null ? [] : filePatterns(storage);
  const ofUsers = userRoutes.filter((route) => isServed(route, features));
  const ofAdministrators = [...adminRoutes, ...ofUsers].map(({ path }) => path);
  return new Set([
    ...ofModels,
    ...routes.map((path) => servicePrefix + path),
    ...ofAccounts,
    `${servicePrefix}/graphql`,
    ...ofFiles,
    ...ofAdministrators,
    unmatched,
  ]);
}

/** The recorded form of a name, or null. Records omit the mount path; a pattern can have it. */
export function recordedName(names: AlertNames, mount: string, name: string): string | null {
  if (names.has(name)) return name;
  const inside = name.startsWith(`${mount}/`) ? name.slice(mount.length) : "";
  return names.has(inside) ? inside : null;
}

function filePatterns({ slug, store }: StorageSettings): string[] {
  const { servesFiles } = storageProviders[store.provider];
  const routes = servesFiles ? [...storageRoutes, localFilesRoute] : storageRoutes;
  return routes.map(({ path }) => `/${slug}${path}`);
}
