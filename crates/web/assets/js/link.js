// The connection to the server: asks and tells, and comes back after a break.

import { recall, remember } from './dom.js';

/** @import { Asks, Tells } from './types.js' */

/** @type {Map<string, Set<(message: any) => void>>} */
const listeners = new Map();
/** @type {WebSocket | null} */
let socket = null;
/** @type {string[]} */
let waiting = [];
let isWelcome = false;
let delay = 250;
let isAway = false;
/** The timer of the next attempt. */
let retry = 0;
/** @type {Set<(isOnline: boolean) => void>} */
const watchers = new Set();

/**
 * Listens to one kind of message.
 * @template {keyof Tells} K
 * @param {K} tell
 * @param {(message: Tells[K]) => void} listener
 * @returns {() => void} Ends the listening.
 */
export function on(tell, listener) {
  const set = listeners.get(tell) ?? new Set();
  listeners.set(tell, set);
  set.add(listener);
  return () => set.delete(listener);
}

/**
 * Asks the server for something; waits for the connection if there is none.
 * @template {keyof Asks} K
 * @param {K} name
 * @param {Asks[K]} [fields] What the message holds, unless it holds nothing.
 */
export function ask(name, fields) {
  const text = JSON.stringify({ ask: name, ...fields });
  if (socket && isWelcome && socket.readyState === WebSocket.OPEN) socket.send(text);
  else if (waiting.length < 20) waiting.push(text);
}

/**
 * Calls back when the connection is lost or there again.
 * @param {(isOnline: boolean) => void} watcher
 */
export function onConnection(watcher) {
  watchers.add(watcher);
}

/** Opens the connection, and again whenever it breaks. */
export function connect() {
  const address = new URL('ws', location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  const current = new WebSocket(address);
  socket = current;
  current.onopen = () => {
    const session = recall('session', /** @type {string | null} */ (null));
    current.send(JSON.stringify({ ask: 'hello', session }));
  };
  current.onmessage = (event) => receive(JSON.parse(event.data));
  current.onclose = () => {
    // One that was closed when the page was left may say so only when there is another.
    if (current !== socket) return;
    isWelcome = false;
    for (const watcher of watchers) watcher(false);
    if (isAway) return;
    retry = setTimeout(connect, delay);
    delay = Math.min(2 * delay, 5000);
  };
}

// A browser may keep a page that was left, and its connection with it; nobody is to search for nobody.
addEventListener('pagehide', () => {
  isAway = true;
  isWelcome = false;
  clearTimeout(retry);
  socket?.close();
});
addEventListener('pageshow', () => {
  if (!isAway) return;
  isAway = false;
  connect();
});

/** @param {{tell: string} & Record<string, any>} message */
function receive(message) {
  if (message.tell === 'welcome') {
    remember('session', message.session);
    isWelcome = true;
    delay = 250;
    for (const watcher of watchers) watcher(true);
    for (const text of waiting) socket?.send(text);
    waiting = [];
  }
  for (const listener of listeners.get(message.tell) ?? []) listener(message);
}
