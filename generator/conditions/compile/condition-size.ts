import { conditionLimits } from "../../../vocabulary/conditions/conditions.ts";
import type { ConditionProblem, Place } from "../hints/condition-problem.ts";
import type { FoundPath } from "./condition-columns.ts";

/** How much a condition holds. The limits are those of the forms beyond one `belongs_to` alone (decisions, part 4). */
export class ConditionSize {
  #relations = 0;
  /** Where the first relation too many stands. */
  #excess: Place | null = null;
  #isNew = false;

  /** Takes note of a form that the language did not have at first. */
  useNewForm(): void {
    this.#isNew = true;
  }

  /** Takes note of a path. */
  usePath({ relations, fromItself }: FoundPath, at: Place): void {
    this.#relations += relations.length;
    if (this.#relations > conditionLimits.relations) this.#excess ??= at;
    this.#isNew ||= fromItself || relations.length > 1 || relations.some(({ kind }) => kind !== "belongs_to");
  }

  /** What is over a limit. */
  problems(text: string): ConditionProblem[] {
    if (!this.#isNew) return [];
    const excess = this.#excess;
    const { relations, characters } = conditionLimits;
    const many = `the condition goes over ${this.#relations} relations, more than ${relations}`;
    const length = [...text].length;
    const long = `the condition has ${length} characters, more than ${characters}`;
    const offset = [...text].slice(0, characters).join("").length;
    return [
      ...(excess === null ? [] : [tooLarge(excess, many)]),
      ...(length > characters ? [tooLarge({ offset, length: text.length - offset }, long)] : []),
    ];
  }
}

function tooLarge(at: Place, message: string): ConditionProblem {
  return { code: "condition-too-large", at, message, hint: "what OR joins can stand in rules of its own" };
}
