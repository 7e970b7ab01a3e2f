// Mouse, touch and keys; picking a particle and following it.
import { help, pause, reset, step } from "./panel.js";
import { byId, camera, canvas, order, page, redraw, short, state } from "./state.js";

const LONGEST_PATH = 2000;

// A particle that was picked: its numbers, a ring around it, and its path.
export function pickedFacts(facts) {
  const field = byId("pick");
  if (document.activeElement !== field) field.value = facts ? facts.number : "";
  byId("let-go").disabled = !facts;
  if (!facts) { byId("picked").textContent = ""; state.picked = null; state.ring = state.path = null; return; }
  if (state.picked !== facts.number) { state.picked = facts.number; state.trail = []; follow(); }
  const vector = (values) => `(${values.map(short).join(", ")})`, lines = [
    `Particle ${facts.number}${state.scene.species.length > 1 ? `, ${facts.species}` : ""}`, `at ${vector(facts.position)}`, `velocity ${vector(facts.velocity)}`, `speed ${short(Math.hypot(...facts.velocity))}`, `radius ${short(facts.radius)}, mass ${short(facts.mass)}`];
  if (facts.collisions !== undefined) lines.push(`${facts.collisions.toLocaleString("en")} collisions seen`);
  byId("picked").textContent = lines.join("\n");
}

export function follow() {
  const k = state.picked;
  if (k === null || k >= state.count || !state.still) return;
  const here = [...state.rows.subarray(4 * k, 4 * k + 3)], last = state.trail.at(-1);
  if (!last || here.some((each, axis) => each !== last[axis])) state.trail.push(here);
  if (state.trail.length > LONGEST_PATH) state.trail.shift();
  const ends = [], { extent } = camera;
  for (let i = 1; i < state.trail.length; i++) {
    const [a, b] = [state.trail[i - 1], state.trail[i]];
    if (a.some((each, axis) => Math.abs(each - b[axis]) > extent[axis] / 2 && state.periodic[axis])) continue;
    ends.push(...a, 1, ...b, 1);
  }
  state.path = new Float32Array(ends);
  const radius = 1.25 * state.still[2 * k], [right, up] = camera.axes(), ring = [];
  for (let i = 0; i < 32; i++) for (const angle of [i, i + 1].map((each) => each * Math.PI / 16)) ring.push(...here.map((each, axis) => each + radius * (Math.cos(angle) * right[axis] + Math.sin(angle) * up[axis])), 1);
  state.ring = new Float32Array(ring);
}

// A place on the screen, in units of half the height from the middle.
function at(event) {
  const box = canvas.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width * 2 - 1) * page.aspect(), 1 - (event.clientY - box.top) / box.height * 2];
}
function pick(event) {
  const [x, y] = at(event), aspect = page.aspect(), { focal } = camera.lens(aspect), { axis, at: middle, half } = state.slab;
  let best = null, nearest = Infinity;
  for (let i = 0; i < state.count; i++) {
    const point = [state.rows[4 * i], state.rows[4 * i + 1], state.rows[4 * i + 2]];
    if (axis >= 0 && Math.abs(point[axis] - middle) > half) continue;
    const [right, up, distance] = camera.seen(point, aspect);
    if (distance > 0 && distance < nearest && Math.hypot(right - x, up - y) < Math.max(focal * state.still[2 * i] / distance, 0.01)) { best = i; nearest = distance; }
  }
  state.trail = []; order("pick", best);
}
byId("pick").onchange = ({ target }) => order("pick", target.value === "" ? null : Math.floor(Number(target.value)));
byId("let-go").onclick = () => order("pick", null);

const pointers = new Map();
let moved = 0;
canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event); moved = 0; };
canvas.onpointermove = (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const unit = canvas.clientHeight / 2, [x, y] = [(event.clientX - before.clientX) / unit, (event.clientY - before.clientY) / unit];
  moved += Math.hypot(x, y);
  if (pointers.size === 2) {
    const [other] = [...pointers.entries()].filter(([id]) => id !== event.pointerId).map(([, each]) => each), gap = (each) => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY) || 1;
    camera.closer(gap(event) / gap(before)); camera.move(x / 2, -y / 2, page.aspect());
  } else if (camera.planar || event.shiftKey || event.buttons === 4) camera.move(x, -y, page.aspect());
  else camera.turn(x, y);
  pointers.set(event.pointerId, event);
  redraw();
};
canvas.onpointerup = (event) => { if (pointers.size === 1 && moved < 0.01) pick(event); pointers.delete(event.pointerId); };
canvas.onpointercancel = (event) => pointers.delete(event.pointerId);
canvas.addEventListener("wheel", (event) => { event.preventDefault(); camera.closer(Math.exp(-event.deltaY / 600), ...at(event), page.aspect()); redraw(); }, { passive: false });

const ARROWS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
const KEYS = { " ": pause, ".": step, "?": help, 0: reset, "+": () => camera.closer(1.15), "=": () => camera.closer(1.15), "-": () => camera.closer(1 / 1.15) };
addEventListener("keydown", (event) => {
  if (event.target !== canvas && event.target !== document.body) return;
  const arrow = ARROWS[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey || !(arrow || KEYS[event.key])) return;
  if (!arrow) KEYS[event.key]();
  else if (camera.planar || event.shiftKey) camera.move(-arrow[0], arrow[1], page.aspect());
  else camera.turn(...arrow);
  event.preventDefault(); redraw();
});
