/** What one that waits takes on average, in bytes: a request with its steps takes some 400, a line of the log as much. */
const averageBytes = 4_096;
/** A queue of few holds the largest that there are, too. */
const leastBytes = 1024 * 1024;

/** What so many may take together. */
export function bytesFor(max: number): number {
  return Math.max(leastBytes, max * averageBytes);
}

/** How much may wait in a queue: so many, and no more than they may take together. */
export class Room {
  /** Most that wait. */
  readonly max: number;
  /** How many are there. */
  count = 0;
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(max: number) {
    this.max = max;
    this.#mostBytes = bytesFor(max);
  }

  get isFull(): boolean {
    return this.count >= this.max || this.#bytes >= this.#mostBytes;
  }

  get isHalfFull(): boolean {
    return this.count * 2 >= this.max || this.#bytes * 2 >= this.#mostBytes;
  }

  add(bytes: number): void {
    this.count++;
    this.#bytes += bytes;
  }

  remove(count: number, bytes: number): void {
    this.count -= count;
    this.#bytes -= bytes;
  }
}
