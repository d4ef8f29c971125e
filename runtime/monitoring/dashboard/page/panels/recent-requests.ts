import type { RecentRequest } from "../../../records/reads.ts";
import { byId, place } from "../dom.ts";
import { durationText, nothing } from "../text/number-texts.ts";
import { momentText } from "../text/time-texts.ts";
import { type Column, DataTable } from "../widgets/data-table.ts";
import { statusTone } from "../widgets/tone.ts";

const columns: readonly Column<RecentRequest>[] = [
  { title: "Time", text: ({ at }) => momentText(at, new Date()) },
  { title: "Status", text: ({ status }) => String(status), tone: ({ status }) => statusTone(status) },
  { title: "Method", text: ({ method }) => method },
  { title: "Route", text: ({ route }) => route },
  { title: "Duration", text: ({ duration_ms }) => durationText(duration_ms), isFigure: true },
  { title: "Error", text: ({ error }) => error ?? nothing },
  { title: "Role", text: ({ role }) => role ?? nothing, isMinor: true },
  { title: "User", text: ({ user_id }) => user_id ?? nothing, isMinor: true },
  { title: "Request id", text: ({ request_id }) => request_id, isMinor: true },
];

export interface RecentRequestsOptions {
  readonly onStatus: () => void;
  readonly openTrace: (requestId: string) => void;
}

/** The latest requests, each with its trace behind it; and a field for the id of any other. */
export class RecentRequests {
  readonly #status = byId("recent-status", HTMLSelectElement);
  readonly #table: DataTable<RecentRequest>;

  constructor({ onStatus, openTrace }: RecentRequestsOptions) {
    this.#table = new DataTable(place("recent"), {
      label: "Recent requests",
      columns,
      keyOf: ({ request_id, at }) => `${request_id} ${at}`,
      empty: "No such requests yet",
      open: ({ request_id }) => openTrace(request_id),
    });
    this.#status.addEventListener("change", onStatus);
    const id = byId("trace-id", HTMLInputElement);
    byId("trace-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const requestId = id.value.trim();
      if (requestId !== "") openTrace(requestId);
    });
  }

  /** `2xx` to `5xx`; empty: any. */
  get status(): string {
    return this.#status.value;
  }

  show(requests: readonly RecentRequest[]): void {
    this.#table.show(requests);
  }
}
