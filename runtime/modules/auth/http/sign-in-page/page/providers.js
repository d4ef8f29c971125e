// @ts-check
import { html } from "./form.js";

/** @import { ComponentChildren } from "./packages/preact.js" */
/** @import { ListedProvider, Settings } from "./sign-in-types.ts" */

const verifierKey = "kirak_code_verifier";

/** @param {Uint8Array} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** The code verifier of the sign-in that this tab began; null if it began none. Each is used once. */
export function takeCodeVerifier() {
  const verifier = sessionStorage.getItem(verifierKey);
  sessionStorage.removeItem(verifierKey);
  return verifier;
}

/** This page below `base_url`, where the cookie of the sign-in is set. @param {ListedProvider} provider */
export const backOf = ({ login_url }) => new URL("../sign-in", login_url).href;

/**
 * Goes to the provider. Only the tab that begins the sign-in can redeem its token.
 *
 * @param {ListedProvider} provider
 * @param {Readonly<Record<string, string>>} parameters
 */
export async function goTo(provider, parameters) {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem(verifierKey, verifier);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const code_challenge = base64url(new Uint8Array(digest));
  const url = new URL(provider.login_url);
  const query = { ...parameters, redirect_to: backOf(provider), code_challenge };
  for (const [name, text] of Object.entries(query)) url.searchParams.set(name, text);
  location.assign(url);
}

/**
 * A button for each provider, with a field for what some of them need.
 *
 * @param {readonly ListedProvider[]} providers
 * @param {Settings["beginnings"]} beginnings
 * @param {string} words before the title of the provider
 * @param {(provider: ListedProvider, parameters: Readonly<Record<string, string>>) => unknown} begin
 * @returns {ComponentChildren}
 */
export const providerList = (providers, beginnings, words, begin) => html`
  <ul>
    ${providers.map((one) => {
      const beginning = Object.hasOwn(beginnings, one.provider) ? beginnings[one.provider] : undefined;
      return html`<li key=${one.provider}>${entry(one, beginning?.parameter, words, begin)}</li>`;
    })}
  </ul>`;

/**
 * @param {ListedProvider} provider
 * @param {string | null | undefined} parameter
 * @param {string} words
 * @param {(provider: ListedProvider, parameters: Readonly<Record<string, string>>) => unknown} begin
 */
function entry(provider, parameter, words, begin) {
  const { title } = provider;
  if (parameter === null) return html`<p class="hint">${title}: a page of the app begins this sign-in.</p>`;
  const text = `${words} ${title}`;
  if (parameter === undefined)
    return html`<button type="button" onClick=${() => begin(provider, {})}>${text}</button>`;
  const id = `provider_${provider.provider}`;
  const submit = (/** @type {SubmitEvent & { currentTarget: HTMLFormElement }} */ event) => {
    event.preventDefault();
    begin(provider, { [parameter]: String(new FormData(event.currentTarget).get(parameter)) });
  };
  return html`
    <form novalidate onSubmit=${submit}>
      <label for=${id}>${parameter} for ${title}</label>
      <input id=${id} name=${parameter} type="text" autocomplete="off" />
      <button type="submit">${text}</button>
    </form>`;
}
