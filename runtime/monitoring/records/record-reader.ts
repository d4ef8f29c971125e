import type { FailureRecord, MonitoringRecord, RequestRecord, StepRecords } from "./monitoring-records.ts";
import { absent, kinds, type PackedRecords } from "./packed-records.ts";

/** The records that were packed, in their order. */
export function unpacked(packed: PackedRecords): readonly MonitoringRecord[] {
  const reader = new RecordReader(packed);
  return Array.from({ length: packed.count }, () => reader.next());
}

/** Reads what `RecordPacker` has packed, in the same order. */
class RecordReader {
  readonly #numbers: Float64Array;
  readonly #names: readonly string[];
  /** All texts at once: to decode one alone takes as long as to cut out ten. */
  readonly #characters: string;
  #numberIndex = 0;
  #characterIndex = 0;

  constructor(packed: PackedRecords) {
    this.#numbers = packed.numbers;
    this.#names = packed.names;
    const { buffer, byteOffset, byteLength } = packed.characters;
    this.#characters = Buffer.from(buffer, byteOffset, byteLength).toString("utf16le");
  }

  next(): MonitoringRecord {
    return this.#number() === kinds.request ? this.#request() : JSON.parse(this.#text());
  }

  #request(): RequestRecord {
    return {
      kind: "request",
      requestId: this.#text(),
      at: this.#number(),
      method: this.#name(),
      route: this.#name(),
      model: this.#nameOrNull(),
      operation: this.#nameOrNull(),
      status: this.#number(),
      durationMs: this.#number(),
      bytes: this.#number(),
      userId: this.#textOrNull(),
      role: this.#nameOrNull(),
      errorCode: this.#nameOrNull(),
      steps: this.#steps(),
      failure: this.#failure(),
    };
  }

  #steps(): StepRecords | null {
    const count = this.#number();
    if (count === absent) return null;
    const names = Array.from({ length: count }, () => this.#name());
    return { names, times: Array.from({ length: 2 * count }, () => this.#number()) };
  }

  #failure(): FailureRecord | null {
    const message = this.#textOrNull();
    return message === null ? null : { message, stack: this.#textOrNull() };
  }

  #number(): number {
    return this.#numbers[this.#numberIndex++] ?? absent;
  }

  #name(): string {
    return this.#nameOrNull() ?? "";
  }

  #nameOrNull(): string | null {
    return this.#names[this.#number()] ?? null;
  }

  #text(): string {
    return this.#textOrNull() ?? "";
  }

  #textOrNull(): string | null {
    const length = this.#number();
    if (length === absent) return null;
    const begin = this.#characterIndex;
    this.#characterIndex = begin + length;
    return this.#characters.slice(begin, this.#characterIndex);
  }
}
