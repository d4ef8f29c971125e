// @ts-check
import { noteInAddress, readAddress, tabNames, timeSpans } from "./address.js";
import { aiView, mcpView, readAi, readMcp } from "./ai.js";
import { ApiFailure } from "./api.js";
import { Drawer, runDetails, traceDetails } from "./details.js";
import { empty, html, messageOf } from "./html.js";
import { Component, createRef } from "./packages/preact.js";
import { Poller } from "./poller.js";
import { readRequests, requestsView } from "./requests.js";
import { storeView } from "./store.js";
import { clockText } from "./texts.js";

/** @import { StoreHealth } from "../../records/reads.ts" */
/** @import { ApiClient } from "./api.js" */
/** @import { ComponentChildren } from "./packages/preact.js" */
/** @import { Filters, Reading, TimeSpan } from "./types.ts" */

/** @typedef {(typeof tabNames)[number]} TabName */

const readers = {
  requests: readRequests,
  ai: readAi,
  mcp: readMcp,
  store: (/** @type {Reading} */ { health }) => health,
};

const tabTitles = { requests: "Requests", ai: "AI runs", mcp: "MCP", store: "Store" };
const detailTitles = { trace: "Trace of a request", run: "Run of an agent" };
const storeAway = "The store cannot be reached right now. Records can be lost until it is reachable again.";

/**
 * @typedef {object} BoardState
 * @property {TabName} tab
 * @property {TimeSpan} span
 * @property {Filters} filters
 * @property {string} routeText what the user types, before it becomes the filter
 * @property {"chosen window" | "former window" | null} dataOf the window of the figures on the page
 * @property {StoreHealth | null} health
 * @property {{ [Tab in TabName]?: Awaited<ReturnType<(typeof readers)[Tab]>> }} data
 * @property {boolean} isPaused
 * @property {Date | null} readAt
 * @property {{ message: string, nextMs: number } | null} failure
 * @property {{ kind: "trace" | "run", content: ComponentChildren } | null} details
 */

/**
 * The figures of the chosen tab and window, which it polls.
 *
 * @extends {Component<{ client: ApiClient, onRefused: (message: string) => void }, BoardState>}
 */
export class Board extends Component {
  /** @override @type {BoardState} */
  state = {
    ...this.#chosenByAddress(),
    dataOf: null,
    health: null,
    data: {},
    isPaused: false,
    readAt: null,
    failure: null,
    details: null,
  };
  /** @type {{ current: HTMLElement | null }} */
  #title = createRef();
  #end = new AbortController();
  #readingDetails = new AbortController();
  #poller = new Poller({
    work: (signal) => this.#read(signal),
    everyMs: () => this.state.span.refreshMs,
    onDone: () => this.setState({ dataOf: "chosen window", readAt: new Date(), failure: null }),
    onFailed: (error, nextMs) => {
      if (error instanceof ApiFailure && error.isAboutKey) this.props.onRefused(error.message);
      else this.setState({ failure: { message: messageOf(error), nextMs } });
    },
  });
  #refresh = () => void this.#poller.refresh();

  /** @override */
  componentDidMount() {
    this.#title.current?.focus();
    this.#refresh();
    this.#openNamed();
    const onHashChange = () => {
      this.setState(this.#chosenByAddress(), this.#refresh);
      this.#openNamed();
    };
    addEventListener("hashchange", onHashChange, { signal: this.#end.signal });
  }

  /** @override */
  componentWillUnmount() {
    this.#poller.stop();
    this.#readingDetails.abort();
    this.#end.abort();
  }

  #chosenByAddress() {
    const { tab, span, filters } = readAddress();
    return { tab, span, filters, routeText: filters.route };
  }

  /** @param {AbortSignal} signal */
  async #read(signal) {
    const { client } = this.props;
    const { tab, span, filters } = this.state;
    const health = client.get("health", signal).then((answer) => {
      this.setState({ health: answer });
      return answer;
    });
    const [figures] = await Promise.all([readers[tab]({ client, signal, span, filters, health }), health]);
    signal.throwIfAborted();
    this.setState(({ data }) => ({ data: { ...data, [tab]: figures } }));
  }

  #openNamed() {
    const { trace, run } = readAddress();
    if (trace !== null) void this.#openDetails("trace", trace);
    else if (run !== null) void this.#openDetails("run", run);
  }

  /**
   * @param {"trace" | "run"} kind
   * @param {string} id
   */
  async #openDetails(kind, id) {
    noteInAddress(kind, id);
    this.#readingDetails.abort();
    this.#readingDetails = new AbortController();
    const { signal } = this.#readingDetails;
    this.setState({ details: { kind, content: empty("Reading …") } });
    const { client } = this.props;
    const answer =
      kind === "trace"
        ? client.getOne("trace", signal, id).then(traceDetails)
        : client.getOne("ai/runs", signal, id).then(runDetails);
    const content = await answer.catch(
      (error) => html`<p class="problem" role="alert">${messageOf(error)}</p>`,
    );
    if (!signal.aborted) this.setState({ details: { kind, content } });
  }

  #closeDetails() {
    this.#readingDetails.abort();
    this.setState({ details: null });
    for (const kind of /** @type {const} */ (["trace", "run"])) noteInAddress(kind, "");
  }

  /** @param {TabName} tab */
  #chooseTab(tab) {
    if (tab === this.state.tab) return;
    noteInAddress("tab", tab);
    this.setState({ tab }, this.#refresh);
  }

  /** @param {TimeSpan} span */
  #chooseSpan(span) {
    noteInAddress("window", String(span.seconds));
    this.setState({ span, dataOf: "former window" }, this.#refresh);
  }

  #togglePause() {
    const isPaused = !this.state.isPaused;
    this.setState({ isPaused });
    this.#poller.setPaused(isPaused);
  }

  /** Arrows choose a tab, as the ARIA pattern of tabs says. @param {KeyboardEvent} event */
  #moveTab(event) {
    const last = tabNames.length - 1;
    const at = tabNames.indexOf(this.state.tab);
    const targets = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const tab = tabNames[new Map(Object.entries(targets)).get(event.key) ?? -1];
    if (tab === undefined) return;
    event.preventDefault();
    this.#chooseTab(tab);
    document.getElementById(`tab-${tab}`)?.focus();
  }

  /** @override */
  render() {
    const { tab, dataOf, health, failure, details } = this.state;
    const problem = failure?.message ?? (health === null || health.store === "ok" ? null : storeAway);
    const view = this.#views();
    return html`
      <main id="board" data-of=${dataOf}>
        ${this.#header()}
        ${
          problem !== null &&
          html`
            <div id="problem" class="banner" role="alert">
              <span>${problem}</span><button type="button" onClick=${this.#refresh}>Try now</button>
            </div>`
        }
        <div class="tabs" role="tablist" aria-label="What is shown">
          ${tabNames.map(
            (name) => html`
              <button
                key=${name}
                id=${`tab-${name}`}
                type="button"
                role="tab"
                aria-controls=${`view-${name}`}
                aria-selected=${name === tab}
                tabindex=${name === tab ? 0 : -1}
                onClick=${() => this.#chooseTab(name)}
                onKeyDown=${(/** @type {KeyboardEvent} */ event) => this.#moveTab(event)}
              >
                ${tabTitles[name]}
              </button>`,
          )}
        </div>
        ${tabNames.map(
          (name) => html`
            <div key=${name} id=${`view-${name}`} class="view" role="tabpanel" aria-labelledby=${`tab-${name}`} hidden=${name !== tab}>
              ${view[name]}
            </div>`,
        )}
      </main>
      <${Drawer}
        title=${details === null ? "Details" : detailTitles[details.kind]}
        content=${details?.content ?? null}
        onClosed=${() => this.#closeDetails()}
      />`;
  }

  /** Hidden views stay mounted, so that their tables stay sorted. @returns {Record<TabName, ComponentChildren>} */
  #views() {
    const { data, filters, routeText } = this.state;
    const tools = {
      filters,
      /** @type {(name: keyof Filters, value: string) => void} */
      setFilter: (name, value) => {
        noteInAddress(name, value);
        this.setState({ filters: { ...filters, [name]: value } }, this.#refresh);
      },
      openDetails: (/** @type {"trace" | "run"} */ kind, /** @type {string} */ id) =>
        void this.#openDetails(kind, id),
      routeText,
      onRouteText: (/** @type {string} */ text) => this.setState({ routeText: text }),
    };
    return {
      requests: data.requests && requestsView(data.requests, tools),
      ai: data.ai && aiView(data.ai, tools),
      mcp: data.mcp && mcpView(data.mcp, tools),
      store: data.store && storeView(data.store),
    };
  }

  #header() {
    const { span: chosen, isPaused, failure, readAt } = this.state;
    const mode = isPaused ? "paused" : failure === null ? "live" : "failed";
    const tone = { paused: "quiet", failed: "bad", live: "good" }[mode];
    const news = { paused: "Paused", failed: "Figures are not up to date", live: "Live" }[mode];
    const read = readAt === null ? "nothing read yet" : `read at ${clockText(readAt)}`;
    const next = failure === null || isPaused ? "" : `, again in ${Math.round(failure.nextMs / 1_000)} s`;
    return html`
      <header>
        <h1 id="title" tabindex="-1" ref=${this.#title}>Monitoring</h1>
        <p class="live">
          <span id="live-dot" class="dot" data-state=${mode} data-tone=${tone}></span><span id="news" role="status">${news}</span>
          <span class="when">${`${read}${next}`}</span>
        </p>
        <fieldset id="spans" class="segments">
          <legend class="unseen">Window</legend>
          ${timeSpans.map(
            (span) => html`
              <label key=${span.seconds}>
                <input
                  type="radio"
                  name="span"
                  value=${span.seconds}
                  checked=${span === chosen}
                  onChange=${() => this.#chooseSpan(span)}
                /><span>${span.name}</span>
              </label>`,
          )}
        </fieldset>
        <div class="buttons">
          <button type="button" onClick=${() => this.#togglePause()}>${isPaused ? "Resume" : "Pause"}</button>
          <button type="button" onClick=${forgetKey}>Forget the key</button>
        </div>
      </header>`;
  }
}

/** Reloads the page, so that it keeps neither the key nor a figure. */
const forgetKey = () => location.reload();
