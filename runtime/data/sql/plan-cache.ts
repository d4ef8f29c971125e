import { BoundedCache } from "../../core/concurrency/index.ts";
import type { Plan } from "./sql.ts";

/** Characters. Callers could fill the memory here, and by prepared statements that of the database, with longer ones. */
const longestKey = 600;
const longestText = 16_000;

/** The plans of one service by shape; models and policies never change while it runs. */
export class PlanCache {
  /** Callers choose filters, orders and selections, so there is no end of shapes; the oldest ones give way. */
  readonly #plans = new BoundedCache<Plan>({ entries: 5_000, weight: 20_000_000 });

  /**
   * The plan of a shape, made when the shape is seen for the first time. The key must tell apart everything that the
   * text depends on: model, operation, role, filters, order, columns. One that is very long is neither remembered nor
   * prepared.
   */
  of(key: string, make: () => Plan): Plan {
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const made = make();
    const { text } = made.statement;
    if (key.length > longestKey || text.length > longestText)
      return { ...made, statement: { name: null, text } };
    return this.#plans.add(key, made, text.length);
  }
}
