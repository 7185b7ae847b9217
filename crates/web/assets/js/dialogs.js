// Questions to the visitor in dialogs of the page's own. The focus returns to where it was when one closes.

import { h } from './dom.js';
import { t } from './lang.js';

/**
 * Shows a dialog until it is closed; gives what its form returns, empty if it was left with Escape or Cancel.
 * @param {string} title
 * @param {(HTMLElement | null)[]} body
 * @param {{yes: string, isGrave?: boolean}} answer
 * @returns {Promise<string>}
 */
function show(title, body, { yes, isGrave }) {
  const before = document.activeElement;
  const cancel = h('button', { type: 'button', onclick: () => element.close('') }, t('common.cancel'));
  const agree = h('button', { class: isGrave ? 'grave' : 'primary', id: 'agree', value: 'yes' }, yes);
  const element = h('dialog', { class: 'question', 'aria-labelledby': 'question-title' },
    h('form', { method: 'dialog' }, h('h2', { id: 'question-title' }, title), body, h('div', { class: 'row ends' }, cancel, agree)));
  document.body.append(element);
  element.showModal();
  // What cannot be undone is not one key away; a name is.
  if (isGrave) cancel.focus();
  else (element.querySelector('input') ?? agree).focus();
  return new Promise((done) => {
    element.addEventListener('close', () => {
      const value = element.returnValue;
      element.remove();
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
      done(value);
    });
  });
}

/**
 * Whether the visitor wants it.
 * @param {string} question
 * @param {string} yes What the button says.
 */
export async function confirmed(question, yes) {
  return (await show(question, [], { yes, isGrave: true })) === 'yes';
}

/**
 * A line of text from the visitor; none if they thought better of it.
 * @param {string} question
 * @param {string} value
 * @param {number} most Letters.
 * @returns {Promise<string | null>}
 */
export async function lineOf(question, value, most) {
  const input = h('input', { type: 'text', value, maxLength: most, 'aria-labelledby': 'question-title', class: 'wide-input' });
  input.select();
  return (await show(question, [input], { yes: t('common.ok') })) === 'yes' ? input.value.trim() : null;
}
