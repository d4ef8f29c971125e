import type { Json } from "#vocabulary/json";
import { eventually } from "./eventually.ts";
import type { MonitoredTestService } from "./monitoring.ts";
import type { Reply, Sent } from "./request.ts";
import type { Caller } from "./service-token.ts";

/** What a service has recorded of one request, as the trace answers it. */
export interface RecordedRequest {
  readonly request: Readonly<Record<string, Json>>;
  readonly steps: readonly { readonly name: string; readonly at_ms: number; readonly duration_ms: number }[];
  readonly errors: readonly Readonly<Record<string, string>>[];
  readonly logs: readonly Readonly<Record<string, Json>>[];
}

let sentSoFar = 0;

/** A request id that no other request has. */
export function newRequestId(): string {
  return `recorded-${++sentSoFar}`;
}

/** Sends a request, and gives its answer with what was recorded of it. */
export async function recorded(
  service: MonitoredTestService,
  sent: Sent,
  as: Caller = null,
): Promise<{ readonly reply: Reply; readonly trace: RecordedRequest }> {
  const id = newRequestId();
  const reply = await service.send({ ...sent, headers: { "x-request-id": id, ...sent.headers } }, as);
  return { reply, trace: await traceOf(service, id) };
}

/** What was recorded of a request, once it was written. */
export function traceOf(service: MonitoredTestService, id: string): Promise<RecordedRequest> {
  return eventually(async () => {
    const reply = await service.ask(`GET /trace/${id}`);
    if (reply.status !== 200) throw new Error(`the trace of ${id}: ${reply.text}`);
    return JSON.parse(reply.text).data;
  });
}
