// What the page knows and shows, and how it speaks with the run.
import { Camera } from "./camera.js";

export const byId = (id) => document.getElementById(id), canvas = byId("scene"), camera = new Camera();
export const state = { frame: -1, drawn: 0, count: 0, time: 0, top: 1, rows: null, still: null, largest: 1, boxed: false, periodic: [], offset: 0, classes: false, plain: false, slab: { axis: -1, at: 0, half: 0 }, settings: {}, scene: null, picked: null, trail: [], connected: false, losses: 0 };
// What other modules do, and all may ask for; the page fills it in.
export const page = { redraw() {}, order() {} };
export const order = (name, value) => page.order(name, value);
export const redraw = () => page.redraw();

let fading;
export function notice(text, seconds = 0) {
  clearTimeout(fading);
  byId("notice").textContent = text;
  if (seconds) fading = setTimeout(() => notice(""), 1000 * seconds);
}

export const short = (value) => (value === null || value === undefined ? "–" : Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(3) : Number(value.toPrecision(5)).toString());
// With three digits: a number that changes all the time.
export const brief = (value) => short(typeof value === "number" ? Number(value.toPrecision(3)) : value);
export const spaced = (name) => name.replaceAll("_", " ");
