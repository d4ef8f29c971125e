/** What waits for somebody to take it away. When it is full, what comes next is dropped and counted. */
export class BoundedQueue<Item> {
  /** Most that wait. */
  readonly max: number;
  /** How many were dropped since the start. */
  dropped = 0;
  /** Called with each item that makes the queue half full, or fuller. */
  onHalfFull: () => void = () => {};
  #items: Item[] = [];
  /** Of those that were taken, and are not done with yet: they count as waiting. */
  #underWay = 0;

  constructor(max: number) {
    this.max = max;
  }

  get depth(): number {
    return this.#items.length + this.#underWay;
  }

  push(item: Item): void {
    if (this.depth >= this.max) {
      this.dropped++;
      return;
    }
    this.#items.push(item);
    if (this.depth * 2 >= this.max) this.onHalfFull();
  }

  /** Takes the oldest, at most so many. They count until `done` or `lost` is called with their number, or they are put back. */
  take(most: number): Item[] {
    const taken = this.#items.splice(0, most);
    this.#underWay += taken.length;
    return taken;
  }

  /** They were taken and wait again, before all others. */
  putBack(items: readonly Item[]): void {
    this.#underWay -= items.length;
    this.#items.unshift(...items);
  }

  done(count: number): void {
    this.#underWay -= count;
  }

  /** They were taken and came nowhere. */
  lost(count: number): void {
    this.#underWay -= count;
    this.dropped += count;
  }
}
