import { place } from "../dom.ts";
import { StoreState } from "../panels/store-state.ts";
import type { Reading, View } from "./view.ts";

/** The store that all of this is read from. It answers while the store is away, too. */
export class StoreView implements View {
  readonly #state = new StoreState(place("store"));

  async refresh({ health }: Reading): Promise<void> {
    this.#state.show(await health);
  }
}
