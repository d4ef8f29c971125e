// @ts-check
import htm from "./packages/htm.js";
import { h } from "./packages/preact.js";

/** @import { ComponentChildren } from "./packages/preact.js" */
/** @import { Tone } from "./types.ts" */

/** HTML in a template string. Values stay text: a recorded text never becomes HTML. */
export const html = htm.bind(h);

/** @type {ReadonlyMap<string, Tone>} */
const tones = new Map([
  ["completed", "good"],
  ["ok", "good"],
  ["pending_approval", "warn"],
  ["asked", "warn"],
  ["failed", "bad"],
  ["error", "bad"],
]);

/** Of the status of a run or a call. @param {string} status */
export const outcomeTone = (status) => tones.get(status) ?? "plain";

/** Of an HTTP status. @param {number} status @returns {Tone} */
export const statusTone = (status) => (status >= 500 ? "bad" : status >= 400 ? "warn" : "good");

/** Of a number or a share of failures. @param {number} failures @param {Tone} none @returns {Tone} */
export const failureTone = (failures, none = "plain") => (failures > 0 ? "bad" : none);

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * A large figure with a note below it: a comparison or its parts.
 *
 * @param {string} title
 * @param {string} value
 * @param {string} note
 * @param {{ tone?: Tone, noteTone?: Tone }} tones
 */
export const tile = (title, value, note = "", { tone = "plain", noteTone = "plain" } = {}) => html`
  <div class="tile" key=${title}>
    <dt>${title}</dt>
    <dd class="value" data-tone=${tone}>${value}</dd>
    <dd class="note" data-tone=${noteTone}>${note}</dd>
  </div>`;

/** @param {string} text */
export const empty = (text) => html`<p class="empty">${text}</p>`;

/** Names with their values. Null is left out. @param {Readonly<Record<string, ComponentChildren>>} facts */
export const factList = (facts) => html`
  <dl class="facts">
    ${Object.entries(facts).map(([name, value]) => value !== null && html`<dt>${name}</dt><dd>${value}</dd>`)}
  </dl>`;

/**
 * A panel with a heading and controls next to it.
 *
 * @param {string} id of the element that holds the content
 * @param {string} title
 * @param {ComponentChildren} content
 * @param {ComponentChildren} controls
 */
export const panel = (id, title, content, controls = null) => html`
  <section class="panel" aria-labelledby=${`${id}-title`}>
    <div class="bar"><h2 id=${`${id}-title`}>${title}</h2>${controls}</div>
    <div id=${id}>${content}</div>
  </section>`;

/**
 * A list of values to filter by. The empty value is `any`.
 *
 * @param {string} id
 * @param {string} label
 * @param {readonly string[]} values
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export const filterList = (id, label, values, chosen, choose) => html`
  <label>${label}${" "}
    <select id=${id} value=${chosen} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => choose(event.currentTarget.value)}>
      ${["", ...values].map((value) => html`<option key=${value} value=${value}>${value === "pending_approval" ? "pending approval" : value || "any"}</option>`)}
    </select>
  </label>`;
