import { bytesFor } from "../store/room.ts";

/** What waits for somebody to take it away. When there is no room, the oldest is dropped for what comes next, and counted. */
export class NewestQueue<Item> {
  /** Most that wait. */
  readonly max: number;
  /** How many were dropped since the start. */
  dropped = 0;
  /** Called with each item that comes. */
  onPush: () => void = () => {};
  #items: Item[] = [];
  /** Where the oldest stands: what is before it was dropped, and is cleared away now and then. */
  #first = 0;
  #underWay = 0;
  readonly #bytesOf: (item: Item) => number;
  /** Of those that wait. */
  #bytes = 0;

  /** `bytesOf` says what an item takes, about. */
  constructor(max: number, bytesOf: (item: Item) => number) {
    this.max = max;
    this.#bytesOf = bytesOf;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#items.length - this.#first;
  }

  /** How many wait or are under way, as far as there is room for them. */
  get depth(): number {
    return Math.min(this.max, this.waiting + this.#underWay);
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#bytes += this.#bytesOf(item);
    this.#trim();
    this.onPush();
  }

  /**
   * Takes the oldest while `fits` says so, which is asked of each with how many are taken already. `done`, `putBack` or `lost` tells
   * what became of them.
   */
  take(fits: (item: Item, count: number) => boolean): Item[] {
    let end = this.#first;
    for (; end < this.#items.length; end++) {
      const item = this.#items[end];
      if (item === undefined || !fits(item, end - this.#first)) break;
    }
    const taken = this.#items.slice(this.#first, end);
    this.#items = this.#items.slice(end);
    this.#first = 0;
    this.#underWay += taken.length;
    this.#bytes -= this.#bytesOfAll(taken);
    return taken;
  }

  done(items: readonly Item[]): void {
    this.#underWay -= items.length;
  }

  /** They came nowhere, and wait again: what is too much now, with what has come since, is dropped. */
  putBack(items: readonly Item[]): void {
    this.#underWay -= items.length;
    this.#items = [...items, ...this.#items.slice(this.#first)];
    this.#first = 0;
    this.#bytes += this.#bytesOfAll(items);
    this.#trim();
  }

  /** Nobody will ever want them. */
  lost(items: readonly Item[]): void {
    this.#underWay -= items.length;
    this.dropped += items.length;
  }

  #trim(): void {
    const mostBytes = bytesFor(this.max);
    while (this.waiting > this.max || this.#bytes > mostBytes) this.#dropOldest();
    if (this.#first < this.max) return;
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }

  #dropOldest(): void {
    const oldest = this.#items[this.#first];
    if (oldest !== undefined) this.#bytes -= this.#bytesOf(oldest);
    this.#first++;
    this.dropped++;
  }

  #bytesOfAll(items: readonly Item[]): number {
    return items.reduce((sum, item) => sum + this.#bytesOf(item), 0);
  }
}
