import type { Plan } from "./sql.ts";

/** Callers choose filters, orders and selections, so there is no end of shapes; the oldest ones give way. */
const capacity = 5_000;

/** The plans of one service by shape; models and policies never change while it runs. */
export class PlanCache {
  readonly #plans = new Map<string, Plan>();

  /**
   * The plan of a shape, made when the shape is seen for the first time. The key must tell apart everything that the
   * text depends on: model, operation, role, filters, order, columns.
   */
  of(key: string, make: () => Plan): Plan {
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#plans.size >= capacity) {
      const [oldest] = this.#plans.keys();
      if (oldest !== undefined) this.#plans.delete(oldest);
    }
    this.#plans.set(key, made);
    return made;
  }
}
