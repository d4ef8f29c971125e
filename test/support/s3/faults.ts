/** Ways in which a provider fails, on demand. */
export type FaultKind =
  /** Refuses with a status and a code, as told. */
  | { readonly kind: "error"; readonly status: number; readonly code: string }
  /** Breaks the connection, before it has done anything. */
  | { readonly kind: "broken" }
  /** Does it, and breaks the connection instead of answering. */
  | { readonly kind: "lost" }
  /** Reads no body and never answers. */
  | { readonly kind: "deaf" }
  /** Takes the body slowly, with a pause after each chunk. */
  | { readonly kind: "slow reader"; readonly pauseMs: number }
  /** Reads the body, and neither does it nor answers. */
  | { readonly kind: "idle" }
  /** Does it, and answers, once it is told to. */
  | { readonly kind: "held"; readonly until: Promise<unknown> }
  /** Does it, and never answers. */
  | { readonly kind: "mute" }
  /** Answers with the headers and half of the body, and then nothing more. */
  | { readonly kind: "stalled" }
  /** Answers with the headers and half of the body, and breaks the connection. */
  | { readonly kind: "cut" }
  /** Answers with half of the body as if that were all. */
  | { readonly kind: "short" }
  /** Answers with a byte of the body changed. */
  | { readonly kind: "corrupt" }
  /** Answers with a page of somebody else, and status 200. */
  | { readonly kind: "page" }
  /** Does nothing, and answers with status 200 and an error as its body. */
  | { readonly kind: "error in 200"; readonly code: string }
  /** Does it as if it were asked without a parameter. */
  | { readonly kind: "ignores"; readonly parameter: string }
  /** Answers with a header that is not true, or leaves it out. */
  | { readonly kind: "header"; readonly name: string; readonly value: string | null };

export type Fault = FaultKind & {
  /** The names of operations. Absent: all. */
  readonly on?: readonly string[];
  /** How often. Absent: until it is mended. */
  readonly times?: number;
  /** How many it lets through first. */
  readonly after?: number;
};

/** What fails now. */
export class Faults {
  #faults: { readonly fault: Fault; left: number; skip: number }[] = [];

  add(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY, skip: fault.after ?? 0 });
  }

  clear(): void {
    this.#faults = [];
  }

  /** What happens to the next request of an operation. */
  next(operation: string): Fault | null {
    const due = this.#faults.find(({ fault, left }) => left > 0 && (fault.on?.includes(operation) ?? true));
    if (due === undefined) return null;
    if (due.skip > 0) {
      due.skip -= 1;
      return null;
    }
    due.left -= 1;
    return due.fault;
  }
}
