// @ts-check
import { empty, factList, html, outcomeTone, statusTone } from "./html.js";
import { Component, createRef } from "./packages/preact.js";
import { table } from "./table.js";
import { bytesText, countText, dollarText, durationText, nothing, zonedText } from "./texts.js";

/** @import { AiRunDetails, RequestTrace } from "../../records/reads.ts" */
/** @import { ComponentChildren } from "./packages/preact.js" */

/**
 * A panel over the page: a `<dialog>`, which keeps the focus inside and gives it back when it closes.
 *
 * @extends {Component<{ title: string, content: ComponentChildren, onClosed: () => void }>}
 */
export class Drawer extends Component {
  /** @type {{ current: HTMLDialogElement | null }} */
  #dialog = createRef();

  /** @override */
  componentDidUpdate() {
    const dialog = this.#dialog.current;
    if (this.props.content !== null && dialog?.open === false) dialog.showModal();
  }

  /** @override */
  render() {
    const { title, content, onClosed } = this.props;
    const close = () => this.#dialog.current?.close();
    // Only a click on the backdrop has the dialog itself as its target.
    const onClick = (/** @type {MouseEvent} */ { target }) => target === this.#dialog.current && close();
    return html`
      <dialog id="drawer" aria-labelledby="drawer-title" ref=${this.#dialog} onClose=${onClosed} onClick=${onClick}>
        <div class="drawer">
          <div class="bar">
            <h2 id="drawer-title">${title}</h2>
            <button type="button" onClick=${close}>Close</button>
          </div>
          <div id="drawer-body">${content}</div>
        </div>
      </dialog>`;
  }
}

/** @param {RequestTrace} trace */
export function traceDetails({ request, steps, errors, logs }) {
  const { method, route, status, duration_ms: duration, model, operation } = request;
  const stacks = errors.flatMap(({ stack }) => (stack === undefined ? [] : [firstLine(stack)]));
  return html`
    <div class="head">
      <p class="what">
        <span class="badge" data-tone=${statusTone(status)}>${status}</span>
        <code>${method} ${route}</code>${durationText(duration)}
      </p>
      ${factList({
        "Request id": html`<code>${request.request_id}</code>`,
        Time: zonedText(request.at),
        Error: request.error,
        Model: model === null ? null : [model, operation].join(" · "),
        Role: request.role,
        User: request.user_id,
        Answer: bytesText(request.bytes),
      })}
    </div>
    <section>
      <h3>Steps</h3>
      ${steps.length === 0 ? empty("No step was recorded: the request was neither sampled nor slow.") : waterfall(steps, duration)}
    </section>
    ${
      errors.length > 0 &&
      html`
        <section>
          <h3>Errors</h3>
          ${errors.map(
            ({ code, message, stack }) => html`
              <div class="error">
                <p><code>${code}</code> ${message}</p>
                ${stack !== undefined && html`<pre tabindex="0" aria-label="Stack">${stack}</pre>`}
              </div>`,
          )}
        </section>`
    }
    <section>
      <h3>Logs</h3>
      ${logs.length === 0 ? empty("No log line was captured.") : html`<ol class="logs">${logs.map((log) => logLine(log, stacks))}</ol>`}
    </section>`;
}

/**
 * @param {RequestTrace["logs"][number]} log
 * @param {readonly string[]} stacks first lines of the stacks that the page already shows
 */
function logLine({ at, level, message, fields }, stacks) {
  const isShown = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    key === "stack" && typeof value === "string" && stacks.includes(firstLine(value));
  const text = JSON.stringify(fields, (key, value) => (isShown(key, value) ? undefined : value));
  const tone = ["error", "fatal"].includes(level) ? "bad" : level === "warn" ? "warn" : "plain";
  return html`
    <li>
      <span class="when">${zonedText(at)}</span><span class="level" data-tone=${tone}>${level}</span>
      <span>${message}</span>${text !== "{}" && html`<code>${text}</code>`}
    </li>`;
}

/** @param {string} text */
const firstLine = (text) => text.split("\n", 1)[0] ?? "";

/** Steps by colour. Steps of hooks have the name of the hook after a colon. */
const stepColors = Object.entries({
  "--amber": ["auth", "limit"],
  "--teal": ["validate", "parse", "plan"],
  "--blue": ["sql"],
  "--green": ["serialize"],
  "--violet": ["hook"],
});

/**
 * One bar per step: its position is the start of the step, its width the duration.
 *
 * @param {RequestTrace["steps"]} steps
 * @param {number} totalMs
 */
function waterfall(steps, totalMs) {
  const whole = Math.max(totalMs, ...steps.map(({ at_ms, duration_ms }) => at_ms + duration_ms), 0.001);
  const percent = (/** @type {number} */ ms) => `${Math.max(0, Math.min(100, (100 * ms) / whole))}%`;
  const rows = steps.map(({ name, at_ms: from, duration_ms: took }) => {
    const [color = "--edge"] =
      stepColors.find(([, kinds]) => kinds.includes(name.split(":", 1)[0] ?? "")) ?? [];
    const style = { "--from": percent(from), "--width": percent(took), "--color": `var(${color})` };
    return html`
      <li>
        <span class="name" title=${name}>${name}</span>
        <span class="track"><span class="bar" style=${style}></span></span>
        <span class="took">${durationText(took)}</span><span class="unseen">, begun after ${durationText(from)}</span>
      </li>`;
  });
  return html`
    <div class="waterfall">
      <div class="scale" aria-hidden="true">
        <span></span>
        <span class="ticks">${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<span>${durationText(whole * share)}</span>`)}</span>
      </div>
      <ol>${rows}</ol>
    </div>`;
}

/** @param {AiRunDetails} details */
export function runDetails({ run, tool_calls: calls }) {
  const callTable = table({
    label: "Calls of tools",
    items: calls.map((call, index) => ({ ...call, index })),
    columns: [
      { title: "Tool", text: ({ tool }) => tool },
      {
        title: "Status",
        text: ({ status }) => status.replace("_", " "),
        tone: ({ status }) => outcomeTone(status),
      },
      { title: "Duration", text: ({ duration_ms }) => durationText(duration_ms), isFigure: true },
      { title: "Error", text: ({ error_message }) => error_message ?? nothing },
    ],
    keyOf: ({ index }) => String(index),
    empty: "None",
  });
  return html`
    <div class="head">
      <p class="what">
        <span class="badge" data-tone=${outcomeTone(run.status)}>${run.status.replace("_", " ")}</span>
        <code>${run.agent}</code>${durationText(run.duration_ms)}
      </p>
      ${factList({
        "Run id": html`<code>${run.run_id}</code>`,
        Time: zonedText(run.at),
        Model: `${run.model} · ${run.provider}`,
        Error: run.error_code,
        Cost: dollarText(run.cost_usd),
        Tokens: `${countText(run.input_tokens)} in, ${countText(run.output_tokens)} out`,
        Turns: countText(run.turns),
        Conversation: run.conversation_id,
        User: run.user_id,
      })}
    </div>
    <section><h3>Calls of tools</h3>${callTable}</section>`;
}
