import type { Precondition } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { CredentialCheck } from "../../operations/index.ts";
import type { Blacklist, StatedQuestion } from "../blacklist/blacklist.ts";

/** Whether an access token was revoked, asked along with the first statement of its request, or by itself. */
export class TokenCheck implements CredentialCheck {
  readonly #jti: string;
  readonly #blacklist: Blacklist;
  readonly #question: StatedQuestion;
  readonly #onHeld: () => void;
  #isSettled = false;

  /** `onHeld` is called once it is known that the token is good. */
  constructor(jti: string, blacklist: Blacklist, question: StatedQuestion, onHeld: () => void) {
    this.#jti = jti;
    this.#blacklist = blacklist;
    this.#question = question;
    this.#onHeld = onHeld;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  condition(): Precondition | null {
    if (this.#isSettled) return null;
    const { statement, values, refusal } = this.#question;
    return { statement, values, held: () => this.#hold(), refusal };
  }

  async settle(): Promise<void> {
    if (this.#isSettled) return;
    if (await this.#blacklist.has(this.#jti)) throw new ServiceError("TOKEN_REVOKED");
    this.#hold();
  }

  #hold(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#onHeld();
  }
}
