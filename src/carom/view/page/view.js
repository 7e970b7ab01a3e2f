// The page: takes frames from the socket, gives orders, and shows.
import { Camera } from "./camera.js";
import { Drawing, PALETTE, boxLines, wallLines } from "./drawing.js";
import { Plots, drawSpeeds } from "./charts.js";

const byId = (id) => document.getElementById(id), canvas = byId("scene");
const STILL = 1, FRAME = 2, FRAME_AND_VELOCITIES = 3, FLOW = 4, FLOW_ARROWS = 5, CONTACTS = 6, HEADER = 32;
const camera = new Camera(), darkness = matchMedia("(prefers-color-scheme: dark)");
const state = { frame: -1, drawn: 0, count: 0, time: 0, top: 1, rows: null, still: null, coming: null, who: null, largest: 1, boxed: false, periodic: [], offset: 0, classes: false, plain: false, slab: { axis: -1, at: 0, half: 0 }, settings: {}, scene: null, picked: null, trail: [], connected: false, losses: 0 };
let drawing;
try { drawing = new Drawing(canvas); } catch (error) { byId("notice").textContent = error.message; throw error; }
const plots = new Plots(byId("plots"), (names) => order("plots", names));
globalThis.carom = { state, camera, drawing, draw, order }; // for tests

let due = false;
function redraw() { if (!due) { due = true; requestAnimationFrame(() => { due = false; draw(); }); } }
function draw() { drawing.draw(state, camera, darkness.matches); state.drawn += 1; }

// The socket: a page asks for the next frame when it has drawn the last, so that none pile up.
let socket, patience = 250;
function connect() {
  socket = new WebSocket(new URL("socket", location.href.replace(/^http/, "ws")));
  socket.binaryType = "arraybuffer";
  socket.onopen = () => { patience = 250; state.connected = true; notice(""); };
  socket.onmessage = ({ data }) => { if (typeof data === "string") told(JSON.parse(data)); else taken(data); };
  socket.onclose = () => {
    state.connected = false; state.losses += 1;
    notice("The run has ended, or the connection is lost. Trying again …");
    setTimeout(connect, patience); patience = Math.min(2 * patience, 4000);
  };
}
function order(name, value) { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify([name, value])); }
let fading;
function notice(text) { byId("notice").textContent = text; clearTimeout(fading); }

function taken(data) {
  const view = new DataView(data), kind = view.getUint16(4, true), count = view.getUint32(8, true), numbers = new Float32Array(data, HEADER);
  if (kind === STILL) {
    // Where particles come and go, these are of the frame that follows.
    state.coming = numbers;
    if (!state.still || numbers.length === 2 * state.count) settle();
  } else if (kind === FRAME || kind === FRAME_AND_VELOCITIES) {
    if (state.coming) settle();
    Object.assign(state, { count, frame: view.getUint32(12, true), time: view.getFloat64(16, true), top: view.getFloat64(24, true), rows: numbers.subarray(0, 4 * count) });
    drawing.bind("rows", state.rows);
    state.velocities = kind === FRAME_AND_VELOCITIES ? arrows(state.rows, 4, numbers.subarray(4 * count), 3, count) : null;
    follow();
    redraw();
    requestAnimationFrame(() => order("next", state.frame));
  } else if (kind === FLOW) {
    const [width, height, signed] = numbers;
    state.flow = { width, height, signed: signed > 0, values: Uint8Array.from(numbers.subarray(4), (each) => 255 * each) }; state.flowArrows = null;
  } else if (kind === FLOW_ARROWS) { state.flowArrows = arrows(numbers, 6, numbers.subarray(3), 6, count, view.getFloat64(24, true)); state.flow = null;
  } else if (kind === CONTACTS) state.contacts = numbers;
}

// Radii and species, in the order of the rows.
function settle() {
  state.still = state.coming; state.coming = null; state.largest = 1e-30;
  for (let k = 0; k < state.still.length; k += 2) state.largest = Math.max(state.largest, state.still[k]);
  drawing.bind("still", state.still);
}
// Lines from places along velocities; the fastest is as long as some diameters.
function arrows(places, width, velocities, step, count, fastest = 0) {
  let top = fastest;
  if (!top) for (let i = 0; i < count; i++) top = Math.max(top, Math.hypot(velocities[step * i], velocities[step * i + 1], velocities[step * i + 2]));
  const spacing = Math.max(...camera.extent) / (camera.planar ? 24 : 8), scale = (fastest ? spacing : 4 * state.largest) / (top || 1), ends = new Float32Array(8 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) { const x = places[width * i + k]; ends[8 * i + k] = x; ends[8 * i + 4 + k] = x + scale * velocities[step * i + k]; ends[8 * i + 3] = ends[8 * i + 7] = 1; }
  return ends;
}

function told(message) {
  if (message.kind === "scene") begin(message);
  else if (message.kind === "facts") show(message);
  else if (message.kind === "refused") { notice(message.why); fading = setTimeout(() => notice(""), 5000); }
}

function options(select, values, keep = []) { select.replaceChildren(...keep, ...values.map((value) => new Option(value.replaceAll("_", " "), value))); }
function begin(scene) {
  const first = state.scene === null;
  state.scene = scene;
  Object.assign(state, { boxed: scene.boxed, periodic: scene.periodic, trail: [], path: null }, boxLines(scene.lower, scene.upper, scene.periodic));
  state.walls = wallLines(scene.walls, scene.lower, scene.upper);
  if (first) camera.show(scene.lower, scene.upper);
  options(byId("colour"), scene.offered.colours); options(byId("flow"), scene.offered.flows);
  options(byId("add-plot"), scene.offered.plots, [new Option("choose …", "")]);
  byId("flow-row").hidden = scene.offered.flows.length < 2;
  byId("contacts-row").hidden = !scene.offered.contacts;
  byId("plots-row").hidden = !scene.offered.plots.length;
  byId("slab-row").hidden = scene.dimension === 2;
  const played = scene.frames !== undefined;
  for (const each of document.querySelectorAll(".played")) each.hidden = !played;
  byId("seek").max = played ? scene.frames - 1 : 0;
  byId("step").textContent = { collision: "One collision", step: "One step", frame: "One frame" }[scene.offered.steps[0]];
  byId("save").hidden = byId("copy").hidden = played;
  byId("mode").querySelector('[value="per_frame"]').hidden = played || scene.method === "SoftContacts";
  document.title = `carom: ${scene.particles.toLocaleString("en")} ${scene.dimension === 2 ? "disks" : "spheres"}`;
  canvas.title = "";
  order("next", -1);
}

const short = (value) => (value === null || value === undefined ? "–" : Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(3) : Number(value.toPrecision(5)).toString());
function show(facts) {
  const { scene } = state, { settings } = facts;
  state.offset = facts.offset ?? 0; state.settings = settings;
  const lines = [`${(facts.particles ?? scene.particles).toLocaleString("en")} ${scene.dimension === 2 ? "disks" : "spheres"}, ${scene.method}`, `time ${short(facts.time)}`];
  if (facts.frame !== undefined) lines.push(`frame ${facts.frame + 1} of ${scene.frames}`);
  if (facts.collisions !== undefined) lines.push(facts.steps ? `${facts.steps.toLocaleString("en")} steps` : `${facts.collisions.toLocaleString("en")} collisions`, `${short(facts.rate_reached)} of time a second`);
  lines.push(`temperature ${short(facts.temperature)}`);
  byId("facts").value = lines.join("\n");
  if (facts.notice) notice(facts.notice); else if (!settings.paused && state.connected && !fading) notice("");
  drawSpeeds(byId("speeds"), facts.distribution, scene.dimension);
  plots.set(settings.plots); plots.take(facts.time, facts.plots);
  picked(facts.picked); changes(facts.changeable ?? {});
  byId("pause").ariaPressed = String(settings.paused); byId("pause").textContent = settings.paused ? "Go on" : "Pause";
  if (document.activeElement !== byId("colour")) byId("colour").value = settings.colour;
  if (document.activeElement !== byId("flow")) byId("flow").value = settings.flow;
  byId("arrows").checked = settings.arrows; byId("contacts").checked = settings.contacts;
  const mode = settings.per_frame ? "per_frame" : settings.rate === null ? "fast" : "rate";
  if (document.activeElement !== byId("mode")) byId("mode").value = mode;
  byId("rate-row").hidden = mode !== "rate"; byId("per-frame-row").hidden = mode !== "per_frame";
  if (facts.frame !== undefined && document.activeElement !== byId("seek")) byId("seek").value = facts.frame;
  state.classes = settings.colour === "species"; state.plain = settings.colour === "plain";
  if (!settings.arrows) state.velocities = null;
  if (!settings.contacts) state.contacts = null;
  if (settings.flow === "none") state.flow = state.flowArrows = null;
  scale(settings.colour);
  redraw();
}
function scale(colour) {
  byId("scale").className = state.classes || state.plain ? "classes" : "";
  const name = byId("scale-name");
  if (state.plain) { name.textContent = ""; byId("scale-top").textContent = ""; return; }
  if (!state.classes) { name.textContent = `${colour}: 0`; byId("scale-top").textContent = short(state.top); return; }
  byId("scale-top").textContent = "";
  name.replaceChildren(...state.scene.species.flatMap((each, k) => { const chip = document.createElement("span"); chip.className = "chip"; chip.style.background = PALETTE[k % PALETTE.length]; return [chip, document.createTextNode(each)]; }));
}

// What can be changed while it runs: a slider for a number, one for each component of a vector.
const RANGES = { restitution: [0, 1, 0.01], friction: [0, 2, 0.01], temperature: [-3, 3, 0.1] };
function changes(values) {
  const place = byId("changes"), wanted = Object.entries(values).flatMap(([name, value]) => (Array.isArray(value) ? value.map((each, axis) => [name, each, axis]) : [[name, value, -1]]));
  const known = wanted.map(([name, , axis]) => `${name}${axis}`).join();
  if (place.dataset.known !== known) {
    place.dataset.known = known;
    place.replaceChildren(...wanted.map(([name, value, axis]) => slider(name, value, axis)));
  }
  state.changeable = values;
  for (const [name, value, axis] of wanted) {
    const input = byId(`change-${name}${axis < 0 ? "" : "xyz"[axis]}`);
    if (document.activeElement !== input) input.value = name === "temperature" ? Math.log10(value) : value;
    input.nextElementSibling.value = short(value);
  }
}
function slider(name, value, axis) {
  const label = document.createElement("label"), input = document.createElement("input"), output = document.createElement("output"), component = axis < 0 ? "" : "xyz"[axis];
  const strength = Math.max(2, 4 * Math.abs(value)), [least, most, step] = RANGES[name] ?? [-strength, strength, strength / 100];
  Object.assign(input, { type: "range", id: `change-${name}${component}`, min: least, max: most, step });
  input.value = name === "temperature" ? Math.log10(value) : value;
  input.onchange = () => {
    const chosen = name === "temperature" ? 10 ** Number(input.value) : Number(input.value);
    order("change", [name, axis < 0 ? chosen : state.changeable[name].map((each, k) => (k === axis ? chosen : each))]);
  };
  label.append(`${name[0].toUpperCase()}${name.slice(1)} ${component}`, input, output);
  return label;
}

// A particle that was picked: its numbers, a ring around it, and its path.
function picked(facts) {
  if (!facts) { byId("picked").textContent = ""; state.picked = state.who = null; state.ring = state.path = null; return; }
  if (state.who !== facts.number) { state.who = facts.number; state.trail = []; }
  state.picked = facts.row ?? facts.number;
  const vector = (values) => `(${values.map(short).join(", ")})`;
  byId("picked").textContent = `Particle ${facts.number}${state.scene.species.length > 1 ? `, ${facts.species}` : ""}\nat ${vector(facts.position)}\nvelocity ${vector(facts.velocity)}, speed ${short(Math.hypot(...facts.velocity))}\nradius ${short(facts.radius)}, mass ${short(facts.mass)}`;
}
function follow() {
  const k = state.picked;
  if (k === null || k >= state.count || !state.still) { state.ring = state.path = null; return; }
  const here = [...state.rows.subarray(4 * k, 4 * k + 3)], last = state.trail.at(-1);
  if (!last || here.some((each, axis) => each !== last[axis])) state.trail.push(here);
  if (state.trail.length > 2000) state.trail.shift();
  const ends = [], extent = camera.extent;
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
function at(event) {
  const box = canvas.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width * 2 - 1) * drawing.aspect, 1 - (event.clientY - box.top) / box.height * 2];
}
function pick(event) {
  const [x, y] = at(event), { focal } = camera.lens(drawing.aspect);
  let best = null, nearest = Infinity;
  for (let i = 0; i < state.count; i++) {
    const point = [state.rows[4 * i], state.rows[4 * i + 1], state.rows[4 * i + 2]], { axis, at: middle, half } = state.slab;
    if (axis >= 0 && Math.abs(point[axis] - middle) > half) continue;
    const [right, up, distance] = camera.seen(point, drawing.aspect);
    if (distance > 0 && distance < nearest && Math.hypot(right - x, up - y) < Math.max(focal * state.still[2 * i] / distance, 0.01)) { best = i; nearest = distance; }
  }
  state.trail = []; order("pick", best);
}

// Mouse, touch and keys.
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
    camera.closer(gap(event) / gap(before)); camera.move(x / 2, -y / 2, drawing.aspect);
  } else if (camera.planar || event.shiftKey || event.buttons === 4) camera.move(x, -y, drawing.aspect);
  else camera.turn(x, y);
  pointers.set(event.pointerId, event);
  redraw();
};
canvas.onpointerup = (event) => { if (pointers.size === 1 && moved < 0.01) pick(event); pointers.delete(event.pointerId); };
canvas.onpointercancel = (event) => pointers.delete(event.pointerId);
canvas.addEventListener("wheel", (event) => { event.preventDefault(); camera.closer(Math.exp(-event.deltaY / 600), ...at(event), drawing.aspect); redraw(); }, { passive: false });
const KEYS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
addEventListener("keydown", (event) => {
  if (event.target !== canvas && event.target !== document.body) return;
  const { key } = event;
  if (key === " ") pause(); else if (key === ".") step(); else if (key === "0") reset();
  else if (key === "+" || key === "=") camera.closer(1.15); else if (key === "-") camera.closer(1 / 1.15);
  else if (KEYS[key] && camera.planar) camera.move(-KEYS[key][0], KEYS[key][1], drawing.aspect);
  else if (KEYS[key]) camera.turn(...KEYS[key]);
  else return;
  event.preventDefault(); redraw();
});

function pause() { order("paused", !state.settings.paused); }
function step() { order("step", state.scene.offered.steps[0]); }
function reset() { camera.reset(); redraw(); }
byId("pause").onclick = pause; byId("step").onclick = step; byId("reset").onclick = reset;
byId("seek").oninput = ({ target }) => order("seek", Number(target.value));
byId("mode").onchange = ({ target }) => { if (target.value === "fast") order("rate", null); else if (target.value === "rate") setRate(); else order("per_frame", Number(byId("per-frame").value)); };
function setRate() { const rate = 10 ** Number(byId("rate").value); byId("rate-value").value = short(rate); order("rate", rate); }
byId("rate").oninput = setRate;
byId("per-frame").onchange = ({ target }) => { if (Number(target.value) >= 1) order("per_frame", Math.floor(Number(target.value))); };
byId("colour").onchange = ({ target }) => order("colour", target.value);
byId("flow").onchange = ({ target }) => { state.flow = state.flowArrows = null; order("flow", target.value); };
byId("arrows").onchange = ({ target }) => order("arrows", target.checked);
byId("contacts").onchange = ({ target }) => order("contacts", target.checked);
byId("add-plot").onchange = ({ target }) => { if (target.value) order("plots", [...new Set([...plots.names, target.value])]); target.value = ""; };
for (const id of ["slab-axis", "slab-at", "slab-width"]) byId(id).oninput = slab;
function slab() {
  const axis = Number(byId("slab-axis").value), low = camera.lower[axis] ?? 0, extent = camera.extent[axis] ?? 0;
  state.slab = { axis, at: low + Number(byId("slab-at").value) * extent, half: Number(byId("slab-width").value) * extent / 2 };
  redraw();
}
byId("save").onclick = () => order("save", null);
byId("picture").onclick = () => { draw(); canvas.toBlob((blob) => download(blob, `carom-t${short(state.time)}.png`)); };
function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob); link.download = name; link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
let recorder = null;
byId("record").onclick = () => {
  if (recorder) { recorder.stop(); return; }
  const pieces = [];
  try { recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" }); } catch { notice("This browser cannot record WebM."); return; }
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  recorder.onstop = () => { recorder = null; byId("record").ariaPressed = "false"; byId("record").textContent = "Record film"; download(new Blob(pieces, { type: "video/webm" }), "carom.webm"); };
  recorder.start(1000); byId("record").ariaPressed = "true"; byId("record").textContent = "Stop recording";
};
byId("copy").onclick = async () => {
  const { colour, rate } = state.settings, words = [`colour=${JSON.stringify(colour)}`, ...(rate === null ? [] : [`rate=${Number(rate.toPrecision(4))}`])], text = `sim.view(${words.join(", ")})`;
  try { await navigator.clipboard.writeText(text); notice(`Copied: ${text}`); } catch { notice(text); }
  fading = setTimeout(() => { fading = undefined; notice(""); }, 4000);
};
darkness.onchange = redraw;
new ResizeObserver(redraw).observe(canvas);
connect();
