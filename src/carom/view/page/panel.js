// The panel beside the picture: numbers, what is chosen, and orders from buttons and sliders.
import { Plots, drawSpeeds } from "./charts.js";
import { PALETTE } from "./drawing.js";
import { pickedFacts } from "./hands.js";
import { filmed, spelled } from "./keep.js";
import { brief, byId, camera, notice, order, redraw, short, spaced, state } from "./state.js";

const plots = new Plots(byId("plots"), plot);
function plot(names) { plots.set(names); order("plots", names); } // at once, so that the next choice knows of this one
const busy = (input) => document.activeElement === input;
const STEPS = { collision: "One collision", step: "One step", frame: "One frame" };
let noticed = -1;

function options(select, values, keep = []) { select.replaceChildren(...keep, ...values.map((value) => new Option(spaced(value), value))); }

// What there is to choose among; the rest is not offered.
export function begin(scene) {
  const { offered } = scene, played = scene.frames !== undefined;
  options(byId("colour"), offered.colours); options(byId("flow"), offered.flows);
  options(byId("add-plot"), offered.plots, [new Option("choose …", "")]);
  byId("flow-row").hidden = offered.flows.length < 2;
  byId("contacts-row").hidden = !offered.contacts;
  byId("plots-row").hidden = !offered.plots.length;
  byId("slab-row").hidden = scene.dimension === 2;
  for (const each of document.querySelectorAll(".played")) each.hidden = !played;
  byId("step").textContent = STEPS[offered.steps[0]];
  byId("save").hidden = byId("copy").hidden = byId("mode-row").hidden = played;
  byId("rate-name").textContent = played ? "Frames per second" : "Rate";
  byId("mode").querySelector('[value="per_frame"]').hidden = !offered.per_frame;
  byId("film-kind").replaceChildren(new Option("WebM (browser)", "webm"), ...offered.films.map((kind) => new Option(`${kind === "gif" ? "GIF" : kind} (Python)`, kind)));
  document.title = `carom: ${named(scene.particles, scene.dimension)}`;
}
const named = (count, dimension) => `${count.toLocaleString("en")} ${dimension === 2 ? "disk" : "sphere"}${count === 1 ? "" : "s"}`;

export function show(facts) {
  const { scene } = state, { settings } = facts;
  state.offset = facts.offset ?? 0; state.settings = settings;
  byId("title").textContent = `${named(state.count || scene.particles, scene.dimension)}, ${scene.method}`;
  const lines = [`time ${short(facts.time)}`];
  if (facts.frame !== undefined) { lines.push(`frame ${facts.frame + 1} of ${facts.frames}`); byId("seek").max = facts.frames - 1; }
  if (facts.collisions !== undefined) {
    const many = facts.steps ? `${facts.steps.toLocaleString("en")} steps` : `${facts.collisions.toLocaleString("en")} collisions`;
    lines.push(many, settings.paused ? "paused" : `${brief(facts.rate_reached)} time units per second`);
  }
  lines.push(`temperature ${short(facts.temperature)}`);
  byId("facts").value = lines.join("\n");
  const [number, text] = facts.notice;
  if (number !== noticed) { if (text && (noticed >= 0 || settings.paused)) notice(text, settings.paused ? 0 : 15); noticed = number; }
  drawSpeeds(byId("speeds"), facts.distribution, scene.dimension);
  plots.set(settings.plots); plots.take(facts.time, facts.plots);
  pickedFacts(facts.picked); changes(facts.changeable ?? {}); filmed(facts.filming ?? false); spelled(facts.python);
  chosen(settings, facts);
  state.classes = settings.colour === "species"; state.plain = settings.colour === "plain";
  if (!settings.arrows) state.velocities = null;
  if (!settings.contacts) state.contacts = null;
  if (settings.flow === "none") state.flow = state.flowArrows = null;
  scale(settings.colour); flowScale(settings.flow);
  redraw();
}

function chosen(settings, facts) {
  byId("pause").ariaPressed = String(settings.paused); byId("pause").textContent = settings.paused ? "Go on" : "Pause";
  if (!busy(byId("colour"))) byId("colour").value = settings.colour;
  if (!busy(byId("flow"))) byId("flow").value = settings.flow;
  byId("arrows").checked = settings.arrows; byId("contacts").checked = settings.contacts;
  const mode = settings.per_frame ? "per_frame" : settings.rate === null ? "fast" : settings.rate === 1 ? "real" : "rate", seen = busy(byId("mode")) ? byId("mode").value : mode;
  byId("mode").value = seen;
  byId("rate-row").hidden = seen !== "rate" && facts.frame === undefined; byId("per-frame-row").hidden = seen !== "per_frame";
  if (!busy(byId("rate")) && settings.rate) byId("rate").value = Math.log10(settings.rate);
  byId("rate-value").value = short(settings.rate && Number(settings.rate.toPrecision(3)));
  if (!busy(byId("per-frame")) && settings.per_frame) byId("per-frame").value = settings.per_frame;
  if (facts.frame !== undefined && !busy(byId("seek"))) byId("seek").value = facts.frame;
}

function scale(colour) {
  byId("scale").hidden = state.plain;
  byId("scale-bar").hidden = byId("scale-top").hidden = state.classes;
  const name = byId("scale-name");
  if (!state.classes) { name.textContent = `${colour}: 0`; byId("scale-top").textContent = brief(state.top); return; }
  name.replaceChildren(...state.scene.species.flatMap((each, k) => { const chip = document.createElement("span"); chip.className = "chip"; chip.style.background = PALETTE[k % PALETTE.length]; return [chip, document.createTextNode(each)]; }));
}
function flowScale(flow) {
  const pictured = flow === "vorticity" || flow === "speed", top = brief(state.flowTop);
  byId("flow-scale").hidden = flow === "none" || state.flowTop === undefined;
  byId("flow-bar").hidden = !pictured; byId("flow-bar").className = flow === "vorticity" ? "signed" : "plain";
  byId("flow-low").textContent = flow === "vorticity" ? `vorticity: −${top}` : flow === "speed" ? "speed of the flow: 0" : `longest arrow of the flow: ${top}`;
  byId("flow-top").textContent = pictured ? top : "";
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
    if (!busy(input)) input.value = name === "temperature" ? Math.log10(value) : value;
    input.nextElementSibling.value = short(value);
  }
}
function slider(name, value, axis) {
  const label = document.createElement("label"), input = document.createElement("input"), output = document.createElement("output"), component = axis < 0 ? "" : "xyz"[axis];
  const strength = Math.max(2, 4 * Math.abs(value)), [least, most, step] = RANGES[name] ?? [-strength, strength, strength / 100];
  Object.assign(input, { type: "range", id: `change-${name}${component}`, min: least, max: most, step });
  input.value = name === "temperature" ? Math.log10(value) : value;
  const chosenValue = () => (name === "temperature" ? 10 ** Number(input.value) : Number(input.value));
  input.oninput = () => { output.value = short(chosenValue()); };
  input.onchange = () => {
    const wanted = axis < 0 ? chosenValue() : state.changeable[name].map((each, k) => (k === axis ? chosenValue() : each));
    state.changeable = { ...state.changeable, [name]: wanted }; // another component may be changed before this is answered
    order("change", [name, wanted]);
  };
  label.append(`${name[0].toUpperCase()}${spaced(name).slice(1)} ${component}`, input, output);
  return label;
}

export const pause = () => order("paused", !state.settings.paused);
export const step = () => order("step", state.scene.offered.steps[0]);
export const reset = () => { camera.reset(); redraw(); };
export const help = () => byId("help").showModal();
byId("ask").onclick = help; byId("helped").onclick = () => byId("help").close();
byId("pause").onclick = pause; byId("step").onclick = step; byId("reset").onclick = reset;
byId("seek").oninput = ({ target }) => order("seek", Number(target.value));
const MODES = { real: () => order("rate", 1), fast: () => order("rate", null), rate: setRate, per_frame: setPerFrame };
byId("mode").onchange = ({ target }) => { byId("rate-row").hidden = target.value !== "rate"; byId("per-frame-row").hidden = target.value !== "per_frame"; MODES[target.value](); };
function setRate() { const rate = Number((10 ** Number(byId("rate").value)).toPrecision(3)); byId("rate-value").value = short(rate); order("rate", rate); }
byId("rate").oninput = setRate;
function setPerFrame() { const many = Number(byId("per-frame").value); if (many >= 1) order("per_frame", Math.floor(many)); }
byId("per-frame").onchange = setPerFrame;
byId("colour").onchange = ({ target }) => order("colour", target.value);
byId("flow").onchange = ({ target }) => { state.flow = state.flowArrows = null; order("flow", target.value); };
byId("arrows").onchange = ({ target }) => order("arrows", target.checked);
byId("contacts").onchange = ({ target }) => order("contacts", target.checked);
byId("add-plot").onchange = ({ target }) => { if (target.value) plot([...new Set([...plots.names, target.value])]); target.value = ""; };
for (const id of ["slab-axis", "slab-at", "slab-width"]) byId(id).oninput = slab;
function slab() {
  const axis = Number(byId("slab-axis").value), part = Number(byId("slab-at").value), low = camera.lower[axis] ?? 0, extent = camera.extent[axis] ?? 0;
  state.slab = { axis, at: low + part * extent, half: Number(byId("slab-width").value) * extent / 2 };
  order("plane", [axis < 0 ? 2 : axis, part]); // the picture of a flow is in the middle of the slab
  redraw();
}
