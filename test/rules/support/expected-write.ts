import { isLive } from "./admitted.ts";
import { truth } from "./judge.ts";
import { wholeRule } from "./random-case.ts";
import type { Values, WriteCase } from "./random-write.ts";
import { type Held, type Row, type Tables, uuidOf } from "./rows.ts";
import type { Rule } from "./rule.ts";
import { columnsOf, type Shape, type Shapes, shapeOf } from "./shapes.ts";
import type { RuleWorld } from "./world.ts";

/** What a write must come to: its status, the rows afterwards, and for a bulk the records that failed. */
export interface Outcome {
  readonly status: number;
  readonly rows: readonly Row[];
  readonly failed: readonly (readonly [index: number, error: string])[] | null;
}

/** What came of one record: the row as it was, if it was there, and as it is. */
interface Written {
  readonly before: Row | null;
  readonly after: Row | null;
}

/** The id of a row that the server makes. */
export const anyId = "made by the server";

/** Computes the result of a write, by docs/access-rules.md and docs/api.md#writing. */
export function expectedOutcome(world: Pick<RuleWorld, "shapes" | "tables">, one: WriteCase): Outcome {
  return new Expectation(world, one, false).outcome();
}

/** A wrong reading: a write counts at once, and each record of a bulk for the next ones. */
export function outcomeSeeingItself(world: Pick<RuleWorld, "shapes" | "tables">, one: WriteCase): Outcome {
  return new Expectation(world, one, true).outcome();
}

class Expectation {
  readonly #shapes: Shapes;
  readonly #tables: Tables;
  readonly #shape: Shape;
  readonly #one: WriteCase;
  readonly #seesItself: boolean;
  readonly #now = new Date().toISOString();
  /** Rows that conditions see. */
  #seen: Tables;

  constructor({ shapes, tables }: Pick<RuleWorld, "shapes" | "tables">, one: WriteCase, seesItself: boolean) {
    this.#shapes = shapes;
    this.#tables = tables;
    this.#seen = tables;
    this.#shape = shapeOf(shapes, one.model);
    this.#one = one;
    this.#seesItself = seesItself;
  }

  outcome(): Outcome {
    const { write } = this.#one;
    switch (write.run) {
      case "create":
        return write.bulk
          ? this.#bulk(write.records.map((record) => () => this.#created(record)))
          : this.#single(() => [this.#created(write.records[0] ?? {})]);
      case "update":
        return this.#single(() => this.#all(write, "live").map((row) => this.#updated(row, write.data)));
      case "bulk update":
        return this.#bulkUpdate(write.records);
      case "upsert":
        return this.#single(() => [this.#upserted(write.data)]);
      case "restore": {
        const data = { ...write.data, deleted_at: null };
        return this.#single(() => this.#all(write, "deleted").map((row) => this.#updated(row, data)));
      }
      default:
        return this.#removal(write);
    }
  }

  #rows(): readonly Row[] {
    return this.#tables[this.#shape.key] ?? [];
  }

  #find(id: Held): Row | undefined {
    return this.#rows().find((row) => row["id"] === id);
  }

  /** The rows of a filter that count; 404 if there are no such rows. */
  #all({ ids, by }: Extract<WriteCase["write"], { by: string }>, sees: "live" | "deleted" | "all"): Row[] {
    const rows = this.#rows().filter((row) => ids.includes(row["id"] ?? null));
    const seen = rows.filter((row) => sees === "all" || isLive(row) === (sees === "live"));
    const counted = by === "code" ? seen.filter((row) => this.#counts(row)) : seen;
    if (counted.length === 0) throw new Refusal(404, "NOT_FOUND");
    return counted;
  }

  /** Whether a filter by something else than the id tells of a row: the caller can write or fetch it. */
  #counts(row: Row): boolean {
    const { fetch } = this.#one;
    if (this.#holds(wholeRule(this.#one), row)) return true;
    if (!isLive(row) || fetch === "no rows") return false;
    return fetch === "all rows" || this.#holds(fetch, row);
  }

  #holds(rule: Rule, row: Row): boolean {
    const { caller } = this.#one;
    const asked = { shapes: this.#shapes, tables: this.#seen, caller, now: Date.now() };
    return truth(rule, this.#shape, row, asked) === true;
  }

  /** Refuses unless the rule holds for the row. */
  #require(rule: Rule, row: Row): void {
    if (!this.#holds(rule, row)) throw new Refusal(403, "PERMISSION_DENIED");
  }

  /** The wrong reading, for tests that need it. */
  #see(before: Row | null, after: Row): void {
    if (!this.#seesItself) return;
    const { key } = this.#shape;
    const rows = (this.#seen[key] ?? []).filter((row) => row !== before);
    this.#seen = { ...this.#seen, [key]: [...rows, after] };
  }

  #created(record: Values, rule = wholeRule(this.#one)): Written {
    const after = this.#newRow(record);
    // If the database generates the id, it is not known yet.
    const judged =
      after["id"] === anyId ? { ...after, id: this.#shape.id === "uuid" ? uuidOf(999) : null } : after;
    this.#see(null, judged);
    this.#require(rule, judged);
    return { before: null, after };
  }

  #newRow(record: Values): Row {
    const columns = Object.keys(columnsOf(this.#shape)).map((name) => [name, null]);
    const times = { created_at: this.#now, updated_at: this.#now };
    return { ...Object.fromEntries(columns), id: anyId, ...times, ...record };
  }

  #updated(before: Row, data: Values, rule = wholeRule(this.#one)): Written {
    const after = { ...before, ...data, updated_at: this.#now };
    this.#require(rule, before);
    this.#see(before, after);
    this.#require(rule, after);
    return { before, after };
  }

  #upserted(record: Values): Written {
    const { rule, also, split } = this.#one;
    const [insert, update] = split ? [rule, also ?? rule] : [wholeRule(this.#one), wholeRule(this.#one)];
    const { id, ...data } = record;
    const isNumber = id !== undefined && this.#shape.id === "bigint";
    const found = this.#rows().find((row) =>
      id === undefined ? row["code"] === record["code"] && isLive(row) : row["id"] === id,
    );
    if (isNumber && (found === undefined || !isLive(found))) throw new Refusal(404, "NOT_FOUND");
    if (found !== undefined && !isLive(found)) throw new Refusal(400, "VALIDATION_ERROR");
    return found === undefined ? this.#created(record, insert) : this.#updated(found, data, update);
  }

  #removal(write: Extract<WriteCase["write"], { run: "delete" | "destroy" }>): Outcome {
    const { run, ids, by } = write;
    const soft = run === "delete" && this.#shape.softDelete;
    return this.#single(() => {
      const rows = this.#all(write, run === "delete" ? "live" : "all");
      if (by === "ids" && rows.length < new Set(ids).size) throw new Refusal(404, "NOT_FOUND");
      return rows.map((before) => {
        this.#require(wholeRule(this.#one), before);
        return { before, after: soft ? { ...before, deleted_at: this.#now } : null };
      });
    });
  }

  /** All of it, or nothing. */
  #single(write: () => readonly Written[]): Outcome {
    try {
      const rows = this.#after(this.#rows(), write());
      return { status: 200, rows, failed: null };
    } catch (error) {
      return { status: refusal(error).status, rows: this.#rows(), failed: null };
    }
  }

  /** Each record on its own; each is judged by the rows as they were before all of them. */
  #bulk(writes: readonly (() => Written)[]): Outcome {
    let rows = this.#rows();
    const failed: [number, string][] = [];
    for (const [index, write] of writes.entries()) {
      try {
        rows = this.#after(rows, [write()]);
      } catch (error) {
        failed.push([index, refusal(error).code]);
      }
    }
    return { status: failed.length === writes.length ? 400 : 200, rows, failed };
  }

  #bulkUpdate(records: readonly Values[]): Outcome {
    const seen = new Set<Held>();
    return this.#bulk(
      records.map(({ id = null, ...data }) => () => {
        if (seen.has(id)) throw new Refusal(400, "VALIDATION_ERROR");
        seen.add(id);
        const row = this.#find(id);
        if (row === undefined || !isLive(row)) throw new Refusal(404, "NOT_FOUND");
        return this.#updated(row, data);
      }),
    );
  }

  /** The rows after a write; 400 where the database refuses them. */
  #after(rows: readonly Row[], written: readonly Written[]): readonly Row[] {
    const gone = new Set(written.map(({ before }) => before?.["id"]));
    const after = [
      ...rows.filter(({ id }) => !gone.has(id)),
      ...written.flatMap(({ after: row }) => (row === null ? [] : [row])),
    ];
    const tables = { ...this.#tables, [this.#shape.key]: after };
    if (!isSound(this.#shapes, tables, this.#shape)) throw new Refusal(400, "VALIDATION_ERROR");
    return after;
  }
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

function refusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** Whether foreign keys from and to a model lead to rows, and its codes are unique among live rows. */
function isSound(shapes: Shapes, tables: Tables, shape: Shape): boolean {
  const codes = (tables[shape.key] ?? []).filter(isLive).map(({ code }) => code);
  if (new Set(codes).size < codes.length) return false;
  return Object.values(shapes).every(({ key, links }) =>
    Object.values(links)
      .filter(({ kind, model }) => kind === "belongs_to" && (key === shape.key || model === shape.key))
      .every(({ field, model, references }) => {
        const there = new Set((tables[model] ?? []).map((row) => row[references]));
        return (tables[key] ?? []).every((row) => (row[field] ?? null) === null || there.has(row[field]));
      }),
  );
}
