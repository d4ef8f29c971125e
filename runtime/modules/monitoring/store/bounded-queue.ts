/** A bounded FIFO queue. When full, it drops the new or the oldest item, and counts it. */
export class BoundedQueue<Item> {
  /** Most items that wait or are being written. */
  readonly max: number;
  /** Items dropped since the start. */
  dropped = 0;
  /** Called after each item that was added. */
  onPush: () => void = () => {};
  readonly #drops: "newest" | "oldest";
  #items: Item[] = [];
  #taken = 0;

  constructor(max: number, drops: "newest" | "oldest" = "newest") {
    this.max = max;
    this.#drops = drops;
  }

  /** Items that wait, without those that were taken. */
  get waiting(): number {
    return this.#items.length;
  }

  /** Items that wait and those that were taken, at most `max`. */
  get depth(): number {
    return Math.min(this.max, this.#items.length + this.#taken);
  }

  push(item: Item): void {
    if (this.#drops === "newest" && this.depth >= this.max) {
      this.dropped++;
      return;
    }
    this.#items.push(item);
    this.#trim();
    this.onPush();
  }

  /** Takes the oldest items, at most `most`. Call `done`, `lost` or `putBack` with them afterwards. */
  take(most: number): Item[] {
    const taken = this.#items.splice(0, most);
    this.#taken += taken.length;
    return taken;
  }

  /** The items were written or sent. */
  done(items: readonly Item[]): void {
    this.#taken -= items.length;
  }

  /** Counts items as dropped, because they can never be written or sent. */
  lost(items: readonly Item[]): void {
    this.done(items);
    this.dropped += items.length;
  }

  /** Returns items to the front of the queue. */
  putBack(items: readonly Item[]): void {
    this.done(items);
    this.#items = [...items, ...this.#items];
    this.#trim();
  }

  #trim(): void {
    while (this.#items.length > this.max) {
      this.#items.shift();
      this.dropped++;
    }
  }
}
