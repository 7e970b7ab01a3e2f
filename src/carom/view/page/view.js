// The page: takes frames from the socket, gives orders, and shows.
import { Drawing, boxLines, wallLines } from "./drawing.js";
import { follow } from "./hands.js";
import "./keep.js";
import { begin as beginPanel, show } from "./panel.js";
import { byId, camera, canvas, notice, order, page, redraw, state } from "./state.js";

const STILL = 1, FRAME = 2, FRAME_AND_VELOCITIES = 3, FLOW = 4, FLOW_ARROWS = 5, CONTACTS = 6, HEADER = 32;
const darkness = matchMedia("(prefers-color-scheme: dark)");
let drawing;
try { drawing = new Drawing(canvas); } catch (error) { notice(error.message); throw error; }
globalThis.carom = { state, camera, drawing, draw, order }; // for tests

let due = false;
page.redraw = () => { if (!due) { due = true; requestAnimationFrame(() => { due = false; draw(); }); } };
page.aspect = () => drawing.aspect;
page.draw = draw;
function draw() { drawing.draw(state, camera, darkness.matches); state.drawn += 1; }

// The socket: a page asks for the next frame when it has drawn the last, so that none pile up.
let socket, patience = 250;
function connect() {
  socket = new WebSocket(new URL("socket", location.href.replace(/^http/, "ws")));
  socket.binaryType = "arraybuffer";
  socket.onopen = () => { patience = 250; state.connected = true; notice(""); };
  socket.onmessage = ({ data }) => { if (typeof data === "string") told(JSON.parse(data)); else taken(data); };
  socket.onclose = () => {
    state.connected = false; state.losses += 1; clearTimeout(waiting);
    notice("The run has ended, or the connection is lost. Trying again …");
    setTimeout(connect, patience); patience = Math.min(2 * patience, 4000);
  };
}
// Whoever waits is told why: a run that is new to Python is compiled, and that can take a while.
const AT_WORK = "Python is at work. What a run needs is compiled at its first use, and kept …";
let waiting;
function next(known) {
  order("next", known);
  clearTimeout(waiting);
  waiting = setTimeout(() => { if (state.connected && !state.settings.paused && state.scene.frames === undefined) notice(AT_WORK); }, 2000);
}
page.order = (name, value) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify([name, value])); };

function taken(data) {
  const view = new DataView(data), kind = view.getUint16(4, true), count = view.getUint32(8, true), top = view.getFloat64(24, true), numbers = new Float32Array(data, HEADER);
  if (kind === STILL) {
    state.still = numbers; state.largest = 1e-30;
    for (let k = 0; k < numbers.length; k += 2) state.largest = Math.max(state.largest, numbers[k]);
    drawing.bind("still", numbers);
  } else if (kind === FRAME || kind === FRAME_AND_VELOCITIES) {
    Object.assign(state, { count, top, frame: view.getUint32(12, true), time: view.getFloat64(16, true), rows: numbers.subarray(0, 4 * count) });
    drawing.bind("rows", state.rows);
    state.velocities = kind === FRAME_AND_VELOCITIES ? arrows(state.rows, 4, numbers.subarray(4 * count), 3, count) : null;
    follow();
    redraw();
    clearTimeout(waiting);
    if (byId("notice").textContent === AT_WORK) notice("");
    requestAnimationFrame(() => next(state.frame));
  } else if (kind === FLOW) {
    const [width, height, signed, axis, at] = numbers;
    state.flow = { width, height, signed: signed > 0, axis, at, values: Uint8Array.from(numbers.subarray(5), (each) => 255 * each) };
    state.flowArrows = null; state.flowTop = top;
  } else if (kind === FLOW_ARROWS) { state.flowArrows = arrows(numbers, 6, numbers.subarray(3), 6, count, top); state.flow = null; state.flowTop = top;
  } else if (kind === CONTACTS) state.contacts = numbers;
}

// Lines from places along velocities; the fastest is as long as some diameters.
function arrows(places, width, velocities, step, count, fastest = 0) {
  let top = fastest;
  if (!top) for (let i = 0; i < count; i++) top = Math.max(top, Math.hypot(velocities[step * i], velocities[step * i + 1], velocities[step * i + 2]));
  const spacing = Math.max(...camera.extent) / (camera.planar ? 24 : 8), scale = (fastest ? spacing : 4 * state.largest) / (top || 1), { axis, at, half } = state.slab, ends = new Float32Array(8 * count);
  for (let i = 0; i < count; i++) {
    if (axis >= 0 && Math.abs(places[width * i + axis] - at) > half) continue; // a line without length
    for (let k = 0; k < 3; k++) { const x = places[width * i + k]; ends[8 * i + k] = x; ends[8 * i + 4 + k] = x + scale * velocities[step * i + k]; }
    ends[8 * i + 3] = ends[8 * i + 7] = 1;
  }
  return ends;
}

function told(message) {
  if (message.kind === "scene") begin(message);
  else if (message.kind === "facts") show(message);
  else if (message.kind === "refused") notice(message.why, 6);
  else if (message.kind === "trouble") { notice(message.why); setTimeout(() => next(state.frame), 1000); }
}

function begin(scene) {
  const first = state.scene === null;
  state.scene = scene;
  Object.assign(state, { boxed: scene.boxed, periodic: scene.periodic, trail: [], path: null }, boxLines(scene.lower, scene.upper, scene.periodic));
  state.walls = wallLines(scene.walls, scene.lower, scene.upper);
  if (first) { camera.show(scene.lower, scene.upper); Object.assign(camera, scene.camera); }
  beginPanel(scene);
  next(-1);
}

darkness.onchange = redraw;
new ResizeObserver(redraw).observe(canvas);
connect();
