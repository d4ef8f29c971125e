import { ServiceError } from "../../errors/index.ts";
import { sendAnswer } from "../../http/index.ts";
import type { ReadName, Reads } from "../records/reads.ts";
import { StoreUnreachable } from "../store/monitoring-store.ts";
import { type Parameters, readValues, type Values } from "./monitoring-parameters.ts";
import type { MonitoringCall, MonitoringRead, MonitoringRoute } from "./monitoring-route.ts";
import { mostBuckets, timeBuckets, timeWindow } from "./time-windows.ts";
import { refuseParameters } from "./unprocessable.ts";

/** What a route asks for beside its parameters. */
interface Asked {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What the path names. */
  readonly named: string;
}

/** A route that answers with one read of the store. `title` is the message for people. */
export function answersRead<Name extends ReadName, Known extends Parameters>(
  title: string,
  name: Name,
  known: Known,
  ask: (values: Values<Known>, asked: Asked) => Reads[Name]["asks"],
): MonitoringRoute {
  return {
    async run(call) {
      const values = valuesOf(known, call);
      const { services, named, response } = call;
      const data = await readStore(services, name, ask(values, { now: services.now(), named }));
      if (data === "null") throw new ServiceError("NOT_FOUND", "Nothing is recorded under this id.");
      sendAnswer(response, { message: title, data });
    },
  };
}

/** Names of reads that ask for just this. */
type AsksFor<Asks> = {
  [Name in ReadName]: [Asks, Reads[Name]["asks"]] extends [Reads[Name]["asks"], Asks] ? Name : never;
}[ReadName];

type WindowRead = AsksFor<Reads["summary"]["asks"]>;
type BucketsRead = AsksFor<Reads["timeseries"]["asks"]>;

/** A read of all that happened in a window. */
export function answersWindow(title: string, name: WindowRead): MonitoringRoute {
  return answersRead(title, name, timeWindow, ({ window_seconds: windowSeconds }, { now }) => ({
    now,
    windowSeconds,
  }));
}

/** A read of what happened in a window, bucket by bucket. */
export function answersBuckets(title: string, name: BucketsRead): MonitoringRoute {
  const { run } = answersRead(title, name, timeBuckets, (values, { now }) => ({
    now,
    windowSeconds: values.window_seconds,
    bucketSeconds: values.bucket_seconds,
  }));
  return {
    run(call) {
      requireFewBuckets(call);
      return run(call);
    },
  };
}

/** The parameters of a call. Errors: 422. */
export function valuesOf<Known extends Parameters>(known: Known, call: MonitoringCall): Values<Known> {
  const values = readValues(known, call.parameters, call.problems);
  refuseParameters(call.problems);
  return values;
}

function requireFewBuckets(call: MonitoringCall): void {
  const { window_seconds: window, bucket_seconds: bucket } = valuesOf(timeBuckets, call);
  if (window / bucket <= mostBuckets) return;
  refuseParameters([
    { field: "bucket_seconds", message: `makes more than ${mostBuckets} buckets of this window` },
  ]);
}

/** Reads the store. Errors: 503 `HTTP_ERROR` while it cannot be reached. */
export async function readStore<Name extends ReadName>(
  { store }: Pick<MonitoringRead, "store">,
  name: Name,
  asked: Reads[Name]["asks"],
): Promise<string> {
  const text = await readIfReachable(store.read(name, asked));
  if (text !== null) return text;
  const options = { status: 503, headers: { "Retry-After": "5" } };
  throw new ServiceError(
    "HTTP_ERROR",
    "The store of monitoring cannot be reached right now.",
    undefined,
    options,
  );
}

/** Null while the store cannot be reached. */
export async function readIfReachable(reading: Promise<string>): Promise<string | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof StoreUnreachable) return null;
    throw error;
  }
}
