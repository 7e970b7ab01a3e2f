// What one can take along: a picture, a film, a checkpoint, the Python of the view.
import { byId, camera, canvas, notice, order, page, short, state } from "./state.js";

byId("save").onclick = () => order("save", null);
byId("picture").onclick = () => { page.draw(); canvas.toBlob((blob) => download(blob, `carom-t${short(state.time)}.png`)); };
function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob); link.download = name; link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Films: WebM by the browser, others where Python runs.
let recorder = null, there = false;
byId("record").onclick = () => {
  if (recorder) recorder.stop();
  else if (there) order("film", null);
  else if (byId("film-kind").value !== "webm") order("film", byId("film-kind").value);
  else record();
};
function record() {
  const pieces = [];
  try { recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" }); } catch { notice("This browser cannot record WebM; choose another film.", 6); return; }
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  recorder.onstop = () => { recorder = null; filming(); download(new Blob(pieces, { type: "video/webm" }), "carom.webm"); };
  recorder.start(1000); filming();
}
export function filmed(isFilmed) { there = isFilmed; filming(); }
function filming() {
  const runs = recorder !== null || there;
  byId("record").ariaPressed = String(runs); byId("record").textContent = runs ? "Stop" : "Record";
  byId("film-kind").disabled = runs;
}

// The server writes the lines, since it knows what was changed; whoever has asked gets them.
let asked = false, known = -1;
byId("copy").onclick = () => { asked = true; order("python", looks()); };
function looks() {
  const fresh = [...camera.lower.map((low, k) => (low + camera.upper[k]) / 2)], { yaw, pitch, zoom, middle } = camera, turned = camera.planar ? {} : { yaw, pitch };
  const same = zoom === 1 && middle.every((each, k) => each === fresh[k]) && (camera.planar || (yaw === 0.5 && pitch === 0.35));
  const rounded = (value) => Number(value.toPrecision(5));
  return same ? null : { ...Object.fromEntries(Object.entries({ ...turned, zoom }).map(([name, value]) => [name, rounded(value)])), middle: middle.map(rounded) };
}
export async function spelled([number, text]) {
  if (number === known) return;
  known = number;
  if (!asked || !text) return;
  asked = false;
  try { await navigator.clipboard.writeText(text); notice(`Copied:\n${text}`, 8); } catch { notice(text); }
}
