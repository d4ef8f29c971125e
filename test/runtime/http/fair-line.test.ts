import fc from "fast-check";
import { expect, test } from "vitest";
import { FairLine } from "#runtime/http/fair-line";

const steps = fc.array(
  fc.oneof(
    {
      arbitrary: fc.constantFrom("a", "b", "c", "d").map((source) => ({ kind: "join" as const, source })),
      weight: 3,
    },
    { arbitrary: fc.constant({ kind: "next" as const }), weight: 1 },
    { arbitrary: fc.constant({ kind: "oldest" as const }), weight: 1 },
  ),
  { maxLength: 200 },
);

/** The same in few words, and slow. */
class Model {
  waiting: { readonly source: string; readonly number: number }[] = [];
  turns: string[] = [];

  join(source: string, number: number): void {
    if (!this.waiting.some((one) => one.source === source)) this.turns.push(source);
    this.waiting.push({ source, number });
  }

  next(): number | undefined {
    const source = this.turns.shift();
    const found = this.#take(this.waiting.findIndex((one) => one.source === source));
    if (source !== undefined && this.waiting.some((one) => one.source === source)) this.turns.push(source);
    return found;
  }

  oldest(): number | undefined {
    const source = this.waiting[0]?.source;
    const found = this.#take(0);
    if (!this.waiting.some((one) => one.source === source))
      this.turns = this.turns.filter((one) => one !== source);
    return found;
  }

  #take(at: number): number | undefined {
    return at < 0 ? undefined : this.waiting.splice(at, 1)[0]?.number;
  }
}

test("sources take turns, each in its own order; the oldest is the oldest of all", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const line = new FairLine<number>();
      const model = new Model();
      for (const [number, step] of all.entries()) {
        if (step.kind === "join") {
          line.join(step.source, number);
          model.join(step.source, number);
        } else if (step.kind === "next") expect(line.takeNext()).toBe(model.next());
        else expect(line.takeOldest()).toBe(model.oldest());
        expect([line.length, line.oldest]).toEqual([model.waiting.length, model.waiting[0]?.number]);
      }
    }),
  );
});

test("one that sends much has the other wait for one turn", () => {
  const line = new FairLine<string>();
  for (let n = 0; n < 1_000; n++) line.join("much", `much ${n}`);
  line.join("little", "little 0");
  expect([line.takeNext(), line.takeNext(), line.takeNext()]).toEqual(["much 0", "little 0", "much 1"]);
});
