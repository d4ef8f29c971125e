/** Does work in the order in which it came, a few pieces at once. */
export class ImageQueue {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running < this.#atOnce) this.#running++;
    // Whoever ends hands its turn over.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
