import type { PasskeySite } from "../../../../vocabulary/passkeys.ts";
import type { SecretKeys } from "../../../core/config/index.ts";
import type { Queryable, Transaction } from "../../../core/database/index.ts";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { derivedKeys, keyedHashOf } from "../crypto/hash.ts";
import type { UserRow } from "../users/users-table.ts";
import {
  type Challenge,
  type ChallengeUse,
  challengeSeconds,
  PasskeyChallenges,
  useChallenge,
} from "./challenges.ts";
import { PasskeyRefusal } from "./passkey-refusal.ts";
import {
  findPasskey,
  insertPasskey,
  type KnownPasskey,
  knownPasskeys,
  type ListedPasskey,
  type NewPasskey,
  notePasskeyUse,
  type StoredPasskey,
} from "./passkey-rows.ts";
import { algorithms, credentialIdOf, verifyRegistration, verifyUse } from "./verify-response.ts";

interface PasskeyOptions {
  readonly jwtSecret: SecretKeys;
  readonly site: PasskeySite;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A passkey that signed a challenge, which is used up. */
export interface ProvenPasskey {
  readonly passkey: StoredPasskey;
  readonly used: Pick<NewPasskey, "counter" | "backedUp">;
}

/** The session that registers a passkey. */
interface RegisteringSession {
  readonly user: UserRow;
  readonly sessionId: string;
}

const mostPasskeys = 20;
const timeout = challengeSeconds * 1000;

/** Registers passkeys, and checks those of users who sign in. Refusals are thrown as `PasskeyRefusal`. */
export class Passkeys {
  readonly #site: PasskeySite;
  readonly #challenges: PasskeyChallenges;
  readonly #handleKeys: SecretKeys<Buffer>;
  readonly #now: () => number;

  constructor({ jwtSecret, site, now }: PasskeyOptions) {
    this.#site = site;
    this.#challenges = new PasskeyChallenges(jwtSecret);
    this.#handleKeys = derivedKeys(jwtSecret, "passkey user handle");
    this.#now = now;
  }

  /**
   * Returns `PublicKeyCredentialCreationOptionsJSON`. The user's row must be locked. Errors: 400 for too
   * many.
   */
  async registrationOptions(transaction: Queryable, { user, sessionId }: RegisteringSession) {
    const known = await this.#knownBelowLimit(transaction, user);
    const { rpId: id, rpName: name } = this.#site;
    const use = { purpose: "register", userId: user.id, sessionId } as const;
    return {
      challenge: this.#challenges.make(use, this.#now()),
      rp: { id, name },
      user: { id: this.#handleOf(user, known), ...namesOf(user) },
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      timeout,
      excludeCredentials: known.map(descriptorOf),
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      attestation: "none",
      extensions: { credProps: true },
    };
  }

  /** Stores the passkey of a browser's response. The user's row must be locked. Errors: 400 for too many. */
  async register(
    transaction: Queryable,
    { user, sessionId }: RegisteringSession,
    { response, name }: { readonly response: object; readonly name: string },
  ): Promise<ListedPasskey> {
    const known = await this.#knownBelowLimit(transaction, user);
    const challenge = this.#expect({ purpose: "register", userId: user.id, sessionId });
    const { isNotStored, ...made } = await verifyRegistration(response, challenge);
    const { keyIndex } = await challenge.useUp(transaction);
    if (isNotStored) throw new PasskeyRefusal("the device did not store the passkey");
    // The device has the handle of the options.
    const userHandle = this.#handleOf(user, known, keyIndex);
    const stored = await insertPasskey(transaction, { ...made, userId: user.id, userHandle, name });
    if (stored === null) throw new PasskeyRefusal("the credential id is known already");
    return stored;
  }

  /** Returns `PublicKeyCredentialRequestOptionsJSON` for a sign-in. It tells nothing about accounts. */
  loginOptions() {
    return this.#requestOptions({ purpose: "login" }, []);
  }

  /** The same for the second factor of a user; null if the user has no passkey. */
  async secondFactorOptions(connection: Queryable, { id: userId }: UserRow) {
    const known = await knownPasskeys(connection, userId);
    return known.length === 0 ? null : this.#requestOptions({ purpose: "second_factor", userId }, known);
  }

  /** Checks the response of a sign-in. Its challenge is used up in any case, so outside of a transaction. */
  async proveLogin(connection: Queryable, response: object): Promise<ProvenPasskey> {
    return this.#prove(connection, { purpose: "login" }, response);
  }

  /** Checks the response of a second factor, and records its use. The user's row must be locked. */
  async proveSecondFactor(transaction: Transaction, user: UserRow, response: object): Promise<void> {
    const use = { purpose: "second_factor", userId: user.id } as const;
    try {
      await this.noteUse(transaction, user, await this.#prove(transaction, use, response));
    } catch (error) {
      // The user has proved the first factor.
      if (!(error instanceof PasskeyRefusal)) throw error;
      throw new PasskeyRefusal(error.reason, { userId: user.id, copiedFrom: error.copiedFrom });
    }
  }

  /** Records a use. Refuses a passkey of another user, a deleted one, and one that can be a copy. */
  async noteUse(transaction: Transaction, user: UserRow, { passkey, used }: ProvenPasskey): Promise<void> {
    const { credentialId, userId } = passkey;
    if (userId !== user.id) throw new PasskeyRefusal("the passkey is of another user");
    if (await notePasskeyUse(transaction, passkey, used)) return;
    if ((await findPasskey(transaction, credentialId)) === null)
      throw new PasskeyRefusal("the passkey was deleted", { userId });
    throw new PasskeyRefusal("the counter is not greater than before", { userId, copiedFrom: user });
  }

  async #prove(connection: Queryable, use: ChallengeUse, response: object): Promise<ProvenPasskey> {
    const passkey = await findPasskey(connection, credentialIdOf(response));
    const challenge = this.#expect(use);
    try {
      const { userHandle, deviceType, ...used } = await verifyUse(response, passkey, challenge);
      await challenge.useUp(connection);
      if (passkey === null || userHandle !== passkey.userHandle)
        throw new PasskeyRefusal("the user handle is not the owner's");
      if (deviceType !== passkey.deviceType) throw new PasskeyRefusal("the backup eligibility has changed");
      return { passkey, used };
    } catch (error) {
      if (!(error instanceof PasskeyRefusal)) throw error;
      throw new PasskeyRefusal(error.reason, { userId: passkey?.userId ?? null });
    }
  }

  /** A ceremony that expects one challenge, and uses up the one that came. */
  #expect(use: ChallengeUse) {
    let came: Challenge | null = null;
    return {
      site: this.#site,
      isChallenge: (text: string) => {
        came = typeof text === "string" ? this.#challenges.read(text, use, this.#now()) : null;
        return came !== null;
      },
      useUp: async (connection: Queryable): Promise<Challenge> => {
        if (came === null || !(await useChallenge(connection, came)))
          throw new PasskeyRefusal("the challenge was used before");
        return came;
      },
    };
  }

  #requestOptions(use: ChallengeUse, known: readonly KnownPasskey[]) {
    return {
      challenge: this.#challenges.make(use, this.#now()),
      rpId: this.#site.rpId,
      timeout,
      userVerification: "required",
      allowCredentials: known.map(descriptorOf),
    };
  }

  async #knownBelowLimit(transaction: Queryable, { id }: UserRow): Promise<KnownPasskey[]> {
    const known = await knownPasskeys(transaction, id);
    if (known.length < mostPasskeys) return known;
    throw new ServiceError(
      "VALIDATION_ERROR",
      `An account has at most ${mostPasskeys} passkeys: delete one.`,
    );
  }

  /** 32 bytes in base64url, the same for all passkeys of a user. A stored one survives another secret. */
  #handleOf({ id }: UserRow, [first]: readonly KnownPasskey[], keyIndex = 0): string {
    const key = this.#handleKeys[keyIndex] ?? this.#handleKeys[0];
    return first?.userHandle ?? Buffer.from(keyedHashOf(id, key), "hex").toString("base64url");
  }
}

/** Refuses a request with both second factors. Errors: 400 `VALIDATION_ERROR`. */
export function requireOneFactor(sent: { readonly mfa_code?: unknown; readonly passkey?: unknown }): void {
  if ((sent.mfa_code ?? null) !== null && sent.passkey !== undefined)
    throw invalid([{ field: "passkey", message: "cannot be sent with mfa_code" }]);
}

function descriptorOf({ credentialId: id, transports }: KnownPasskey) {
  return { type: "public-key", id, ...(transports.length > 0 && { transports }) };
}

/** The names by which browsers and devices show an account. */
function namesOf({ id, email, phoneNumber, firstName, lastName }: UserRow) {
  const name = email ?? phoneNumber ?? `user ${id}`;
  const whole = [firstName, lastName].filter((part) => part !== null && part !== "").join(" ");
  return { name, displayName: whole === "" ? name : whole };
}
