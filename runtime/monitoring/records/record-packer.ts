import type {
  AiRunRecord,
  FailureRecord,
  McpCallRecord,
  MonitoringRecord,
  RequestRecord,
  StepRecords,
} from "./monitoring-records.ts";
import { absent, kinds, type PackedRecords } from "./packed-records.ts";

const firstNumbers = 4_096;
const firstCharacters = 16_384;
/** What one record that was long beyond measure has taken is not kept for others. */
const mostKept = 256 * 1024;

/** Records, packed. */
export function packed(records: readonly MonitoringRecord[]): PackedRecords {
  const packer = new RecordPacker();
  for (const record of records) packer.add(record);
  return packer.take();
}

/** Packs records, one after the other; `RecordReader` reads them in the same order. */
export class RecordPacker {
  /** How many were packed since the last were taken. */
  count = 0;
  #numbers = new Float64Array(firstNumbers);
  #numberCount = 0;
  #characters = new Uint16Array(firstCharacters);
  #characterCount = 0;
  readonly #names = new Map<string, number>();

  /** What they take. */
  get bytes(): number {
    return this.#numberCount * 8 + this.#characterCount * 2;
  }

  add(record: MonitoringRecord): void {
    this.count++;
    if (record.kind === "request") this.#request(record);
    else this.#other(record);
  }

  /** All that were packed. The next is the first of others. */
  take(): PackedRecords {
    const { count } = this;
    const numbers = this.#numbers.slice(0, this.#numberCount);
    const characters = this.#characters.slice(0, this.#characterCount);
    const names = [...this.#names.keys()];
    this.count = 0;
    this.#numberCount = 0;
    this.#characterCount = 0;
    this.#names.clear();
    if (this.#numbers.length > mostKept) this.#numbers = new Float64Array(firstNumbers);
    if (this.#characters.length > mostKept) this.#characters = new Uint16Array(firstCharacters);
    return { count, numbers, characters, names };
  }

  #request(record: RequestRecord): void {
    this.#number(kinds.request);
    this.#text(record.requestId);
    this.#number(record.at);
    this.#name(record.method);
    this.#name(record.route);
    this.#name(record.model);
    this.#name(record.operation);
    this.#number(record.status);
    this.#number(record.durationMs);
    this.#number(record.bytes);
    this.#text(record.userId);
    this.#name(record.role);
    this.#name(record.errorCode);
    this.#steps(record.steps);
    this.#failure(record.failure);
  }

  /** There are few of them. */
  #other(record: AiRunRecord | McpCallRecord): void {
    this.#number(kinds.other);
    this.#text(JSON.stringify(record));
  }

  #steps(steps: StepRecords | null): void {
    this.#number(steps === null ? absent : steps.names.length);
    if (steps === null) return;
    for (const name of steps.names) this.#name(name);
    for (const time of steps.times) this.#number(time);
  }

  #failure(failure: FailureRecord | null): void {
    this.#text(failure === null ? null : failure.message);
    if (failure !== null) this.#text(failure.stack);
  }

  #number(value: number): void {
    if (this.#numberCount === this.#numbers.length) {
      const larger = new Float64Array(this.#numberCount * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#numberCount++] = value;
  }

  #name(name: string | null): void {
    this.#number(name === null ? absent : this.#placeOf(name));
  }

  #placeOf(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const place = this.#names.size;
    this.#names.set(name, place);
    return place;
  }

  #text(text: string | null): void {
    this.#number(text === null ? absent : text.length);
    if (text === null) return;
    this.#makeRoom(text.length);
    const begin = this.#characterCount;
    for (let index = 0; index < text.length; index++) {
      this.#characters[begin + index] = text.charCodeAt(index);
    }
    this.#characterCount = begin + text.length;
  }

  #makeRoom(length: number): void {
    const needed = this.#characterCount + length;
    if (needed <= this.#characters.length) return;
    const larger = new Uint16Array(Math.max(needed, this.#characters.length * 2));
    larger.set(this.#characters);
    this.#characters = larger;
  }
}
