// @ts-check
import htm from "./packages/htm.js";
import { Component, createRef, h } from "./packages/preact.js";

/** @import { ComponentChildren } from "./packages/preact.js" */
/** @import { RefusedAnswer, FormValues } from "./sign-in-types.ts" */

/** HTML in a template string. FormValues stay text: a text of the server never becomes HTML. */
export const html = htm.bind(h);

/** The message of an error, with its code for developers. @param {Pick<RefusedAnswer, "message" | "error">} failure */
export const problemText = ({ message, error }) => (error ? `${message} (${error})` : message);

/** The server's messages about fields are for programs: they begin with the field's name. */
const advice = new Map([
  ["email", "Please enter one e-mail address, such as ann@example.com."],
  ["new_email", "Please enter another e-mail address, such as ann@example.com."],
  ["confirm_password", "The two passwords are not the same."],
  ["phone_number", "Please enter a phone number with the code of its country, such as +12025550123."],
]);

/**
 * @typedef {object} Field
 * @property {string} name in the body
 * @property {string} label
 * @property {Readonly<Record<string, string>>} [input] attributes
 * @property {string} [hint]
 * @property {string} [value] that the field begins with
 */

/** @type {Readonly<Record<"email" | "phone" | "code", Readonly<Record<string, string>>>>} */
export const inputs = {
  // Browsers change or refuse international addresses in an e-mail field.
  email: {
    type: "text",
    inputmode: "email",
    autocapitalize: "none",
    spellcheck: "false",
    autocomplete: "email",
  },
  phone: { type: "text", inputmode: "tel", autocomplete: "tel" },
  code: { type: "text", inputmode: "numeric", autocomplete: "one-time-code" },
};

/** @param {string} name @param {string} label @param {string} autocomplete @returns {Field} */
export const passwordField = (name, label, autocomplete) => ({
  name,
  label,
  input: { type: "password", autocomplete },
  ...(autocomplete === "new-password" && name !== "confirm_password" && { hint: "At least 12 characters." }),
});

/**
 * @typedef {object} FormProps
 * @property {string} id
 * @property {readonly Field[]} fields
 * @property {string} button
 * @property {(values: FormValues, more: object) => Promise<RefusedAnswer | string | null>} send returns the text of the status
 * @property {(failure: RefusedAnswer) => string | null} [fail] returns the name of the field to focus
 * @property {(send: (more: object) => Promise<void>) => ComponentChildren} [more] more buttons
 */

/**
 * A form, with an alert for its error and a status for its success. It has one request at a time: Enter submits
 * it as well as the button.
 *
 * @extends {Component<FormProps, { error: string, done: string, wrong: string | null }>}
 */
export class Form extends Component {
  /** @override @type {{ error: string, done: string, wrong: string | null }} */
  state = { error: "", done: "", wrong: null };
  /** @type {{ current: HTMLFormElement | null }} */
  #form = createRef();
  /** @type {{ current: HTMLElement | null }} */
  #status = createRef();
  #isBusy = false;

  /** @param {object} more for the body */
  async #submit(more) {
    if (this.#isBusy || this.#form.current === null) return;
    this.#isBusy = true;
    this.setState({ error: "", done: "" });
    const entries = [...new FormData(this.#form.current)].map(([name, value]) => [name, String(value)]);
    const outcome = await this.props.send(Object.fromEntries(entries), more);
    this.#isBusy = false;
    if (outcome === null) return this.setState({ wrong: null });
    if (typeof outcome !== "string") return this.#fail(outcome);
    this.setState({ done: outcome, wrong: null }, () => this.#status.current?.focus());
  }

  /** @param {RefusedAnswer} failure */
  #fail(failure) {
    const { error, field } = failure;
    const known = error === "VALIDATION_ERROR" && field !== null ? advice.get(field) : undefined;
    const asked = this.props.fail?.(failure) ?? null;
    const names = this.props.fields.map(({ name }) => name);
    const isWrong = (/** @type {string} */ name) =>
      name === field || (error === "WEAK_PASSWORD" && name.endsWith("password"));
    const wrong = names.find(isWrong) ?? null;
    this.setState({ error: known ?? problemText(failure), wrong }, () => this.#focus(wrong ?? asked));
  }

  /** @param {string | null} name */
  #focus(name) {
    const input = name === null ? null : this.#form.current?.elements.namedItem(name);
    if (input instanceof HTMLElement) input.focus();
  }

  /** @override */
  render() {
    const { id, fields, button, more } = this.props;
    const { error, done, wrong } = this.state;
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.#submit({});
    };
    return html`
      <form novalidate ref=${this.#form} onSubmit=${submit}>
        ${fields.map(
          ({ name, label, input, hint, value }) => html`
            <label key=${`${name}-label`} for=${`${id}_${name}`}>${label}</label>
            <input
              key=${name}
              id=${`${id}_${name}`}
              name=${name}
              ...${input}
              defaultValue=${value}
              aria-required="true"
              aria-invalid=${String(wrong === name)}
              aria-describedby=${`${id}-error`}
            />
            ${hint && html`<p key=${`${name}-hint`} class="hint">${hint}</p>`}`,
        )}
        <p id=${`${id}-error`} class="error" role="alert">${error}</p>
        <button type="submit">${button}</button>
        ${more?.((added) => this.#submit(added))}
      </form>
      <p class="done" role="status" tabindex="-1" ref=${this.#status}>${done}</p>`;
  }
}

/**
 * A button that sends one request at a time.
 *
 * @extends {Component<{ text: string, act: () => Promise<unknown> }, { isBusy: boolean }>}
 */
export class ActionButton extends Component {
  /** @override */
  state = { isBusy: false };

  async #act() {
    if (this.state.isBusy) return;
    this.setState({ isBusy: true });
    await this.props.act();
    this.setState({ isBusy: false });
  }

  /** @override */
  render() {
    return html`<button type="button" class="plain" aria-disabled=${this.state.isBusy ? "true" : null} onClick=${() => this.#act()}>
      ${this.props.text}
    </button>`;
  }
}

/** A part of the page with a heading. @param {string} id @param {string} title @param {ComponentChildren} content */
export const section = (id, title, content) => html`
  <section key=${id} id=${id} aria-labelledby=${`${id}-title`}>
    <h2 id=${`${id}-title`}>${title}</h2>
    ${content}
  </section>`;
