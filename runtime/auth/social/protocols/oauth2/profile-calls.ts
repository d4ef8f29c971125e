import type { OAuth2Provider, ProviderCall } from "../../../../../vocabulary/social/provider.ts";
import { type Answers, readPath } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import type { Document } from "../../outbound/index.ts";
import { requireSuccess, send } from "../calls.ts";
import type { Surroundings } from "../protocol.ts";
import { readAnswer } from "./read-answer.ts";

/** Asks for what the row names, each call after those that it needs. */
export class ProfileCalls {
  readonly #surroundings: Surroundings;
  readonly #provider: Provider<OAuth2Provider>;
  readonly #accessToken: string;

  constructor(surroundings: Surroundings, provider: Provider<OAuth2Provider>, accessToken: string) {
    this.#surroundings = surroundings;
    this.#provider = provider;
    this.#accessToken = accessToken;
  }

  /** What is known by then, and what the calls say. Errors: `SocialFailure`. */
  async after(start: Answers): Promise<Answers> {
    const { profile, details, emails, membership } = this.#provider.row;
    const detailsFirst = JSON.stringify(profile ?? {}).includes("{details:") || details?.unless !== undefined;
    let answers = start;
    if (detailsFirst) answers = { ...answers, ...(await this.#details(details, answers)) };
    if (profile !== undefined) {
      const username = await this.#username();
      answers = { ...answers, profile: await this.#call(profile, "userinfo_url", answers, { username }) };
    }
    if (!detailsFirst) answers = { ...answers, ...(await this.#details(details, answers)) };
    if (emails !== undefined) answers = { ...answers, ...(await this.#emails(emails, answers)) };
    if (membership !== undefined) await this.#requireMember(membership, answers);
    return answers;
  }

  async #details(call: ProviderCall | undefined, answers: Answers): Promise<Pick<Answers, "details">> {
    if (call === undefined || (call.unless !== undefined && readPath(call.unless, answers) !== null))
      return {};
    return { details: await this.#call(call, "profile_url", answers) };
  }

  /** Where the app may not see the addresses, there are none. */
  async #emails(call: ProviderCall, answers: Answers): Promise<Pick<Answers, "emails">> {
    const answer = await send(this.#surroundings, this.#provider, this.#parts(call, "email_url", answers));
    if (answer.status === 403 || answer.status === 404) return {};
    return { emails: readAnswer(this.#provider.row, requireSuccess(answer, "email_url")) };
  }

  async #requireMember(call: ProviderCall, answers: Answers): Promise<void> {
    const parts = this.#parts(call, "membership_url", answers);
    requireSuccess(await send(this.#surroundings, this.#provider, parts), "the membership");
  }

  /** The name that a header of another answer tells (Bitbucket Data Center). */
  async #username(): Promise<string | null> {
    const { nameFrom } = this.#provider.row;
    if (nameFrom === undefined) return null;
    const parts = this.#parts({ url: nameFrom.url }, "properties_url", {});
    const answer = await send(this.#surroundings, this.#provider, parts);
    return requireSuccess(answer, "the properties").headers.get(nameFrom.header);
  }

  async #call(
    call: ProviderCall,
    setting: string,
    answers: Answers,
    more?: Readonly<Record<string, string | null>>,
  ): Promise<Document> {
    const answer = await send(this.#surroundings, this.#provider, this.#parts(call, setting, answers, more));
    return readAnswer(this.#provider.row, requireSuccess(answer, setting));
  }

  #parts(
    call: ProviderCall,
    setting: string,
    answers: Answers,
    more: Readonly<Record<string, string | null>> = {},
  ) {
    const accessToken = this.#accessToken;
    const [token_owner = ""] = accessToken.split(".");
    const known = { access_token: accessToken, token_owner, access_url: this.#address(answers), ...more };
    return { call, setting, accessToken, lookup: this.#provider.lookup(answers, known) };
  }

  /** The address that the token answer names, where it leads to the provider's own hosts. */
  #address(answers: Answers): string | null {
    const { hosts } = this.#provider.row;
    const address = hosts === undefined ? null : readPath("token:access_url", answers);
    if (address === null || !URL.canParse(address)) return null;
    const { hostname } = new URL(address);
    return hosts?.some((host) => hostname === host || hostname.endsWith(`.${host}`)) === true
      ? address
      : null;
  }
}
