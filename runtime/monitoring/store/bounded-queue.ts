import { Room } from "./room.ts";
import { largestSlice, mostInSlice } from "./slice-size.ts";

/** What waits for somebody to take it away. When there is no room, what comes next is dropped and counted. */
export class BoundedQueue<Item> {
  /** How many were dropped since the start. */
  dropped = 0;
  /** Called with each item that makes the queue half full, or fuller. */
  onHalfFull: () => void = () => {};
  /** Those that were taken and are not done with yet are still in it. */
  readonly #room: Room;
  readonly #bytesOf: (item: Item) => number;
  #items: Item[] = [];

  /** `bytesOf` says what an item takes, about. */
  constructor(max: number, bytesOf: (item: Item) => number) {
    this.#room = new Room(max);
    this.#bytesOf = bytesOf;
  }

  /** Most that wait. */
  get max(): number {
    return this.#room.max;
  }

  get depth(): number {
    return this.#room.count;
  }

  push(item: Item): void {
    if (this.#room.isFull) {
      this.dropped++;
      return;
    }
    this.#items.push(item);
    this.#room.add(this.#bytesOf(item));
    if (this.#room.isHalfFull) this.onHalfFull();
  }

  /** The oldest, a slice of them. They count until `done` or `lost` is called with them, or they are put back. */
  take(): readonly Item[] {
    let bytes = 0;
    let count = 0;
    for (const item of this.#items) {
      if (count === mostInSlice || bytes >= largestSlice) break;
      bytes += this.#bytesOf(item);
      count++;
    }
    return this.#items.splice(0, count);
  }

  /** They were taken and wait again, before all others. */
  putBack(items: readonly Item[]): void {
    this.#items.unshift(...items);
  }

  done(items: readonly Item[]): void {
    this.#room.remove(
      items.length,
      items.reduce((sum, item) => sum + this.#bytesOf(item), 0),
    );
  }

  /** They were taken and came nowhere. */
  lost(items: readonly Item[]): void {
    this.done(items);
    this.dropped += items.length;
  }
}
