import { byId, element, place, setAttribute } from "./dom.ts";
import { type ApiClient, ApiFailure } from "./live/api-client.ts";
import { noteInAddress, readAddress } from "./live/board-address.ts";
import { Poller } from "./live/poller.ts";
import { type TimeSpan, timeSpanOf, timeSpans } from "./live/time-spans.ts";
import { runDetails } from "./panels/ai-run-details.ts";
import { traceDetails } from "./panels/trace-details.ts";
import { StatusLine } from "./status-line.ts";
import { AiView } from "./views/ai-view.ts";
import { McpView } from "./views/mcp-view.ts";
import { RequestsView } from "./views/requests-view.ts";
import { StoreView } from "./views/store-view.ts";
import type { View } from "./views/view.ts";
import { Drawer } from "./widgets/drawer.ts";
import { Tabs } from "./widgets/tabs.ts";

type ViewName = "requests" | "ai" | "mcp" | "store";

/** Filters of lists, by their names in the address. */
const filters = { requests: "recent-status", runs: "run-status", calls: "mcp-status" } as const;

export interface BoardOptions {
  /** The key is no longer that of the service. */
  readonly onRefused: (message: string) => void;
}

/** All figures, once there is a key: reads those of the tab that is chosen, and of the window that is chosen. */
export class Board {
  readonly #options: BoardOptions;
  readonly #status = new StatusLine();
  readonly #drawer = new Drawer(() => {
    noteInAddress("trace", "");
    noteInAddress("run", "");
  });
  readonly #routeFilter = byId("route-filter", HTMLInputElement);
  readonly #poller: Poller;
  readonly #tabs: Tabs<ViewName>;
  readonly #views: Readonly<Record<ViewName, View>>;
  #client: ApiClient | null = null;
  #span: TimeSpan = timeSpanOf(3_600);

  constructor(options: BoardOptions) {
    this.#options = options;
    const refresh = () => void this.#poller.refresh();
    const tools = {
      refresh,
      openTrace: (requestId: string) => this.#openTrace(requestId),
      openRun: (runId: string) => this.#openRun(runId),
    };
    this.#views = {
      requests: new RequestsView(tools),
      ai: new AiView(tools),
      mcp: new McpView(tools),
      store: new StoreView(),
    };
    this.#poller = new Poller({
      work: (signal) => this.#read(signal),
      everyMs: () => this.#span.refreshMs,
      onState: (state) => {
        this.#status.show(state, this.#poller.isPaused);
        if (state.kind === "fresh") setAttribute(place("board"), "data-of", "chosen window");
        if (state.kind === "failed") this.#leaveIfRefused(state.error);
      },
    });
    this.#tabs = new Tabs<ViewName>(["requests", "ai", "mcp", "store"], (name) => {
      noteInAddress("tab", name);
      refresh();
    });
    this.#offerSpans(refresh);
    this.#serveButtons(refresh);
    for (const [name, id] of Object.entries(filters)) {
      const filter = byId(id, HTMLSelectElement);
      filter.addEventListener("change", () => noteInAddress(name, filter.value));
    }
    this.#routeFilter.addEventListener("change", () =>
      noteInAddress("route", this.#routeFilter.value.trim()),
    );
    this.#followAddress();
    addEventListener("hashchange", () => {
      this.#followAddress();
      if (this.#client === null) return;
      this.#openNamed();
      refresh();
    });
  }

  begin(client: ApiClient): void {
    this.#client = client;
    place("board").hidden = false;
    place("title").focus();
    void this.#poller.resume();
    this.#status.showPaused(false);
    this.#openNamed();
  }

  /** Chooses the window, the tab and the filters that the address names. */
  #followAddress(): void {
    const state = readAddress();
    this.#span = timeSpanOf(Number(state.get("window")));
    for (const input of place("spans").querySelectorAll("input"))
      input.checked = input.value === String(this.#span.seconds);
    this.#tabs.show(state.get("tab"));
    for (const [name, id] of Object.entries(filters)) {
      const { options } = byId(id, HTMLSelectElement);
      for (const option of options) option.selected = option.value === (state.get(name) ?? "");
    }
    this.#routeFilter.value = state.get("route") ?? "";
  }

  /** Opens the trace or the run that the address names. */
  #openNamed(): void {
    const state = readAddress();
    const [trace, run] = [state.get("trace"), state.get("run")];
    if (trace !== null) this.#openTrace(trace);
    else if (run !== null) this.#openRun(run);
  }

  async #read(signal: AbortSignal): Promise<void> {
    const client = this.#clientInUse();
    const health = client.get("health", {}, signal).then((answer) => {
      this.#status.showHealth(answer);
      return answer;
    });
    const view = this.#views[this.#tabs.chosen];
    await Promise.all([health, view.refresh({ client, span: this.#span, health, signal })]);
  }

  #leaveIfRefused(error: unknown): void {
    if (!(error instanceof ApiFailure)) return;
    if (error.kind !== "wrong key" && error.kind !== "no key configured") return;
    this.#poller.stop();
    this.#client = null;
    this.#drawer.close();
    place("board").hidden = true;
    this.#options.onRefused(error.message);
  }

  #openTrace(requestId: string): void {
    noteInAddress("trace", requestId);
    void this.#drawer.open("Trace of a request", async (signal) =>
      traceDetails(await this.#clientInUse().getOne("trace", requestId, signal)),
    );
  }

  #openRun(runId: string): void {
    noteInAddress("run", runId);
    void this.#drawer.open("Run of an agent", async (signal) =>
      runDetails(await this.#clientInUse().getOne("ai/runs", runId, signal)),
    );
  }

  #clientInUse(): ApiClient {
    if (this.#client === null) throw new Error("There is no key.");
    return this.#client;
  }

  #offerSpans(refresh: () => void): void {
    for (const { seconds, name } of timeSpans) {
      const input = element("input", { type: "radio", name: "span", value: String(seconds) });
      input.addEventListener("change", () => {
        this.#span = timeSpanOf(seconds);
        noteInAddress("window", String(seconds));
        setAttribute(place("board"), "data-of", "former window");
        refresh();
      });
      place("spans").append(element("label", {}, input, element("span", {}, name)));
    }
  }

  #serveButtons(refresh: () => void): void {
    byId("pause", HTMLButtonElement).addEventListener("click", () => {
      if (this.#poller.isPaused) void this.#poller.resume();
      else this.#poller.pause();
      this.#status.showPaused(this.#poller.isPaused);
    });
    byId("retry", HTMLButtonElement).addEventListener("click", refresh);
    // The surest way to hold neither the key nor a figure.
    byId("leave", HTMLButtonElement).addEventListener("click", () => location.reload());
  }
}
