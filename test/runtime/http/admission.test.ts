import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import { Admission, type LaterRefusals } from "#runtime/http/admission";
import { testLoop } from "../../support/event-loop.ts";

const refusal = new Error("too much");

const clientOf = () => ({ closed: false, destroy: () => {} });

const none = (): LaterRefusals => ({ connections: 0, shares: 0 });

/** An entrance, and who was let in there and who refused, by the numbers of requests, in order. `later`: what the database refuses. */
function entrance({ later = none, workMs = 0 } = {}) {
  const loop = testLoop();
  const admission = new Admission(later, refusal, loop);
  const letIn: number[] = [];
  const refused: number[] = [];
  let arrived = 0;
  const arrive = (count = 1, { client = clientOf(), source = "somebody" } = {}) => {
    for (let n = 0; n < count; n++) {
      const number = ++arrived;
      admission.admit(
        () => source,
        client,
        (error) => {
          (error === undefined ? letIn : refused).push(number);
          if (error === undefined) loop.pass(workMs);
          else expect(error).toBe(refusal);
        },
      );
    }
  };
  /** Ends so many turns, each of which takes that long. */
  const turns = (count: number, ms = 0) => {
    for (let n = 0; n < count; n++) {
      loop.pass(ms);
      loop.endTurn();
    }
  };
  return { loop, arrive, turns, letIn, refused };
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

describe("a turn of the event loop", () => {
  test("lets requests in at once while it is young; the others wait for its end, in order", () => {
    const { loop, arrive, letIn } = entrance();
    arrive(2);
    loop.pass(2);
    arrive();
    loop.pass(1);
    arrive(2);
    expect(letIn).toEqual([1, 2, 3]);
    loop.endTurn();
    expect(letIn).toEqual([1, 2, 3, 4, 5]);
  });

  test("is as young as its first request, however long nobody came", () => {
    const { loop, arrive, letIn } = entrance();
    arrive();
    loop.endTurn();
    loop.pass(10_000);
    arrive(2);
    expect(letIn).toEqual([1, 2, 3]);
  });

  test("lets in 32 of those that wait, the next turn the next ones, and who comes meanwhile stands behind them", () => {
    const { loop, arrive, letIn } = entrance();
    arrive();
    loop.pass(3);
    arrive(40);
    loop.endTurn();
    expect(letIn).toEqual(upTo(33));
    arrive();
    expect(letIn).toEqual(upTo(33));
    loop.endTurn();
    expect(letIn).toEqual(upTo(42));
  });

  test("lets in fewer where they take long", () => {
    const { loop, arrive, letIn } = entrance({ workMs: 1.5 });
    arrive(2);
    loop.pass(1);
    arrive(10);
    loop.endTurn();
    expect(letIn).toEqual(upTo(4));
    loop.endTurn();
    expect(letIn).toEqual(upTo(6));
  });

  test("is watched where a request came or waits, and else not: nothing runs in an idle process", () => {
    const { loop, arrive } = entrance();
    expect(loop.isWatched()).toBe(false);
    arrive();
    loop.pass(3);
    arrive(40);
    loop.endTurn();
    expect(loop.isWatched()).toBe(true);
    loop.endTurn();
    expect(loop.isWatched()).toBe(false);
  });
});

describe("nobody is refused", () => {
  test("in a burst that takes half a second", () => {
    const { loop, arrive, turns, letIn, refused } = entrance({ workMs: 1 });
    arrive(450);
    turns(200);
    expect([letIn.length, refused.length]).toEqual([450, 0]);
    expect(loop.isWatched()).toBe(false);
  });

  test("behind one turn that takes long, such as for a slow hook or a garbage collection", () => {
    const { arrive, turns, letIn, refused } = entrance({ workMs: 1 });
    arrive();
    turns(1, 3_000);
    arrive(300);
    turns(150);
    expect([letIn.length, refused.length]).toEqual([301, 0]);
  });

  test("while each waits for a short time, however long the line stands", () => {
    const { arrive, turns, refused } = entrance({ workMs: 1 });
    arrive(100);
    for (let turn = 0; turn < 1_000; turn++) {
      arrive(3);
      turns(1);
    }
    expect(refused).toEqual([]);
  });
});

/** An entrance to which more comes than can be served, for so many turns, each of which lets three in: 3 ms. */
function crowded(count: number) {
  const all = entrance({ workMs: 1 });
  for (let turn = 0; turn < count; turn++) {
    all.arrive(10);
    all.turns(1);
  }
  return all;
}

describe("where more comes than can be served", () => {
  test("nobody is refused before the line has stood for half a second, then eight in a turn, and three are let in", () => {
    const { refused, letIn, turns } = crowded(166);
    expect(refused).toEqual([]);
    const before = letIn.length;
    turns(1);
    expect([refused.length, letIn.length - before]).toEqual([8, 3]);
    turns(2);
    expect([refused.length, letIn.length - before]).toEqual([24, 9]);
  });

  test("who has waited for 200 ms is refused, and who came later is let in", () => {
    const { loop, arrive, turns, letIn, refused } = entrance({ workMs: 1 });
    arrive(3);
    arrive(13);
    loop.pass(350);
    arrive(5);
    loop.pass(151);
    turns(1);
    expect([letIn, refused]).toEqual([upTo(6), upTo(14, 7)]);
    turns(3);
    expect([letIn, refused]).toEqual([[...upTo(6), ...upTo(21, 15)], upTo(14, 7)]);
  });

  test("all is as before once nobody waits any more: at once, and half a second for the next line", () => {
    const { loop, arrive, turns, letIn, refused } = crowded(200);
    while (loop.isWatched()) turns(1);
    const before = { letIn: letIn.length, refused: refused.length };
    expect(before.letIn + before.refused).toBe(2_000);
    arrive();
    expect(letIn).toHaveLength(before.letIn + 1);
    turns(1);
    for (let turn = 0; turn < 160; turn++) {
      arrive(10);
      turns(1);
    }
    expect(refused).toHaveLength(before.refused);
  });

  test("nobody is refused before the end of a turn, since he might be back in the same one", () => {
    const { loop, arrive, refused, turns } = entrance();
    arrive();
    loop.pass(3);
    arrive(10_000);
    expect(refused).toEqual([]);
    turns(1);
    expect(refused.length).toBeGreaterThan(0);
  });

  test("beyond 10,000 who has waited longest is dropped, without an answer, and whoever comes stands in the line", () => {
    const { loop, arrive, refused, letIn, turns } = entrance();
    const dropped: string[] = [];
    const clientNamed = (name: string) => ({ ...clientOf(), destroy: () => void dropped.push(name) });
    arrive();
    loop.pass(3);
    arrive(1, { client: clientNamed("first") });
    arrive(1, { client: clientNamed("second") });
    arrive(9_998);
    expect(dropped).toEqual([]);
    arrive(1, { source: "elsewhere", client: clientNamed("polite") });
    expect([dropped, letIn, refused]).toEqual([["first"], [1], []]);
    turns(1);
    expect(dropped).toEqual(["first"]);
    expect(letIn).not.toContain(2);
    expect(letIn).toContain(3);
    expect(letIn).toContain(10_002);
  });

  test("clients that have left take nobody's place in a turn", () => {
    const { loop, arrive, letIn, turns } = entrance();
    const client = clientOf();
    arrive();
    loop.pass(3);
    arrive(100, { client });
    arrive(40);
    client.closed = true;
    turns(1);
    expect(letIn).toEqual([1, ...upTo(133, 102)]);
  });

  test("those beyond 5,000 are refused, 32 in a turn, the oldest first, and others are let in meanwhile", () => {
    const { loop, arrive, refused, letIn, turns } = entrance();
    arrive();
    loop.pass(3);
    arrive(5_100);
    arrive(1, { source: "elsewhere" });
    turns(1);
    expect(refused).toEqual(upTo(64, 33));
    expect(letIn).toContain(5_102);
    turns(2);
    expect([letIn.length, refused.length]).toEqual([1 + 3 * 32, 32 + 5]);
  });
});

describe("where the database refuses requests that were let in", () => {
  /** An entrance whose database has refused some in each turn until it is told not to. */
  function refusing(what: keyof LaterRefusals = "connections") {
    let isRefusing = true;
    let count = 0;
    const all = entrance({ later: () => ({ ...none(), [what]: isRefusing ? ++count : count }) });
    return {
      ...all,
      stop: () => {
        isRefusing = false;
      },
    };
  }

  test("requests that wait no longer than a burst are let in all the same: not all need it", () => {
    const { arrive, turns, letIn, refused } = refusing();
    for (let turn = 1; turn <= 100; turn++) {
      arrive(3);
      turns(1, 15);
      expect([letIn.length, refused.length]).toEqual([3 * turn, 0]);
    }
  });

  test("half as many are let in each turn, four at least, and eight are refused behind a burst; then one more each turn", () => {
    const { loop, arrive, turns, letIn, refused, stop } = refusing();
    arrive();
    loop.pass(3);
    arrive(200);
    let before = 1;
    const next = () => {
      turns(1, 10);
      const now = letIn.length;
      const begun = now - before;
      before = now;
      return begun;
    };
    expect([next(), next(), refused.length]).toEqual([16, 8, 0]);
    expect([next(), next(), refused.length]).toEqual([4, 4, 16]);
    stop();
    expect([next(), next(), next(), refused.length]).toEqual([5, 6, 7, 40]);
  });

  test("where it is other reads of their callers, fewer are let in too, and nobody is refused before his time", () => {
    const { loop, arrive, turns, letIn, refused } = refusing("shares");
    arrive();
    loop.pass(3);
    arrive(200);
    turns(4, 10);
    expect([letIn.length, refused.length]).toEqual([1 + 16 + 8 + 4 + 4, 0]);
    turns(20, 10);
    expect(refused).toEqual([]);
  });

  test("nobody else is refused before his time once as many are let in as ever", () => {
    const { loop, arrive, turns, refused, stop } = refusing();
    arrive();
    loop.pass(3);
    arrive(10);
    turns(3, 10);
    stop();
    for (let turn = 0; turn < 28; turn++) {
      arrive();
      turns(1);
    }
    const before = refused.length;
    arrive();
    loop.pass(3);
    arrive(40);
    turns(1, 30);
    expect(refused).toHaveLength(before);
  });
});

test("who comes from elsewhere does not wait behind all of one source, nor is he refused in its place", () => {
  const { loop, arrive, turns, letIn, refused } = entrance({ workMs: 1 });
  arrive(3);
  arrive(600);
  turns(170);
  loop.pass(300);
  turns(1);
  expect(refused.length).toBeGreaterThan(0);
  const before = letIn.length;
  arrive(2, { source: "elsewhere" });
  turns(2);
  expect(letIn.slice(before)).toContain(604);
  expect(letIn.slice(before)).toContain(605);
});

test("a client that has left is neither let in nor refused", () => {
  const { loop, arrive, turns, letIn, refused } = entrance();
  const client = clientOf();
  arrive();
  loop.pass(3);
  arrive(1, { client });
  arrive();
  client.closed = true;
  turns(1);
  expect([letIn, refused]).toEqual([[1, 3], []]);
});

test("whoever waits goes on in the asynchronous context in which it came", () => {
  const loop = testLoop();
  const admission = new Admission(none, refusal, loop);
  const caller = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const arrive = (name: string) =>
    caller.run(name, () =>
      admission.admit(
        () => name,
        clientOf(),
        () => void seen.push(caller.getStore()),
      ),
    );
  arrive("first");
  loop.pass(3);
  arrive("second");
  arrive("third");
  loop.endTurn();
  expect(seen).toEqual(["first", "second", "third"]);
});
