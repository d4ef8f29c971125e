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
  /** Why it does not hold, or why nobody knows: whoever asked again would wait again, and might be told otherwise. */
  #refusal: Error | null = null;
  /** The question by itself, for all who ask at the same time. */
  #asked: Promise<void> | null = null;

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
    return { statement, values, held: () => this.#hold(), refusal: (error) => this.#refuse(refusal(error)) };
  }

  async settle(): Promise<void> {
    if (this.#isSettled) return;
    if (this.#refusal !== null) throw this.#refusal;
    this.#asked ??= this.#ask();
    await this.#asked;
  }

  async #ask(): Promise<void> {
    const isRevoked = await this.#blacklist.has(this.#jti).catch((error: Error) => {
      throw this.#refuse(error);
    });
    if (isRevoked) throw this.#refuse(new ServiceError("TOKEN_REVOKED"));
    this.#hold();
  }

  #refuse(refusal: Error): Error {
    this.#refusal = refusal;
    return refusal;
  }

  #hold(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#onHeld();
  }
}
