// The click of a stone, made on the spot: a short burst of filtered noise.

let isOn = false;
/** @type {AudioContext | null} */
let context = null;

/** @param {boolean} on */
export function setSound(on) {
  isOn = on;
}

/** A stone is placed. */
export function click() {
  if (!isOn) return;
  context ??= new AudioContext();
  const length = Math.floor(context.sampleRate * 0.06);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let idx = 0; idx < length; idx++) data[idx] = (Math.random() * 2 - 1) * Math.exp((-12 * idx) / length);
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = 1900;
  filter.Q.value = 1.4;
  source.connect(filter).connect(context.destination);
  source.start();
}
