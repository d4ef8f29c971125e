import type { StoreHealth } from "../../records/reads.ts";
import { byId, place, setAttribute, setText } from "./dom.ts";
import type { PollState } from "./live/poller.ts";
import { clockText } from "./text/time-texts.ts";

const away =
  "The store cannot be reached right now: nothing is read, and what is recorded meanwhile may be lost.";

/** Says how fresh the figures are, and what is wrong. Only what changes is said to who listens: a clock that ticks is no news. */
export class StatusLine {
  readonly #dot = place("live-dot");
  readonly #text = place("live-text");
  readonly #news = place("news");
  readonly #problem = place("problem");
  readonly #problemText = place("problem-text");
  readonly #pause = byId("pause", HTMLButtonElement);
  #readAt: Date | null = null;

  show(state: PollState, isPaused: boolean): void {
    if (state.kind === "reading") return;
    if (state.kind === "fresh") this.#readAt = state.at;
    const failure = state.kind === "failed" ? messageOf(state.error) : "";
    if (state.kind === "failed") this.#setProblem(failure);
    const next =
      state.kind === "failed" && !isPaused ? `, again in ${Math.round(state.nextMs / 1_000)} s` : "";
    setText(this.#text, `${this.#readText()}${next}`);
    this.#tell(isPaused, state.kind === "failed");
  }

  /** Of what the store says of itself. */
  showHealth({ store }: StoreHealth): void {
    this.#setProblem(store === "ok" ? "" : away);
  }

  showPaused(isPaused: boolean): void {
    setText(this.#pause, isPaused ? "Resume" : "Pause");
    this.#tell(isPaused, this.#dot.dataset["state"] === "failed");
  }

  #tell(isPaused: boolean, hasFailed: boolean): void {
    const state = isPaused ? "paused" : hasFailed ? "failed" : "live";
    if (this.#dot.dataset["state"] === state) return;
    setAttribute(this.#dot, "data-state", state);
    setText(this.#news, { paused: "Paused", failed: "Figures are not up to date", live: "Live" }[state]);
  }

  #readText(): string {
    return this.#readAt === null ? "nothing read yet" : `read at ${clockText(this.#readAt)}`;
  }

  #setProblem(text: string): void {
    setText(this.#problemText, text);
    this.#problem.hidden = text === "";
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
