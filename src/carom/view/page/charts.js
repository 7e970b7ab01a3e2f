// Small plots: a distribution beside Maxwell's, and quantities over time.
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const WIDEST = 4; // of the distribution, in thermal speeds; as the server has it
const KEPT = 600; // points of a plot
const FOOT = 17; // pixels below a plot, for its numbers
const lettering = (ratio) => `${13 * ratio}px system-ui, sans-serif`;

function cleared(canvas) {
  const ratio = devicePixelRatio, width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.round(width * 0.42);
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  const paper = canvas.getContext("2d");
  paper.clearRect(0, 0, width, height);
  return { paper, width, height, ratio };
}

export function drawSpeeds(canvas, density, dimension) {
  if (!density) return;
  const { paper, width, height, ratio } = cleared(canvas), bins = density.length, maxwell = (u) => (dimension === 2 ? u : Math.sqrt(2 / Math.PI) * u * u) * Math.exp(-u * u / 2);
  const top = 1.15 * Math.max(0.65, ...density), y = (value) => height - FOOT * ratio - value / top * (height - (FOOT + 2) * ratio);
  paper.fillStyle = css("--soft"); paper.globalAlpha = 0.55;
  density.forEach((value, k) => paper.fillRect(k / bins * width + 0.5, y(value), width / bins - 1, y(0) - y(value)));
  paper.globalAlpha = 1; paper.strokeStyle = css("--line"); paper.lineWidth = 2 * ratio; paper.beginPath();
  for (let k = 0; k <= 80; k++) paper.lineTo(k / 80 * width, y(maxwell(k / 80 * WIDEST)));
  paper.stroke();
  paper.fillStyle = css("--soft"); paper.font = lettering(ratio); paper.textAlign = "center";
  for (let u = 1; u < WIDEST; u++) paper.fillText(String(u), u / WIDEST * width, height - 3 * ratio);
  paper.textAlign = "right"; paper.fillText("v √(m/T)", width - 2, height - 3 * ratio);
}

export class Plots {
  constructor(place, changed) { this.place = place; this.changed = changed; this.shown = new Map(); }

  get names() { return [...this.shown.keys()]; }

  set(names) {
    for (const name of this.names) if (!names.includes(name)) { this.shown.get(name).figure.remove(); this.shown.delete(name); }
    for (const name of names) if (!this.shown.has(name)) this.add(name);
  }

  add(name) {
    const figure = document.createElement("figure"), caption = document.createElement("figcaption"), label = document.createElement("span"), close = document.createElement("button"), canvas = document.createElement("canvas");
    label.textContent = name.replaceAll("_", " "); close.textContent = "×"; close.type = "button"; close.ariaLabel = `Remove the plot of ${name}`;
    close.onclick = () => this.changed(this.names.filter((other) => other !== name));
    canvas.setAttribute("role", "img"); canvas.ariaLabel = `${name} over time`;
    caption.append(label, close); figure.append(caption, canvas); this.place.append(figure);
    this.shown.set(name, { figure, canvas, label, points: [] });
  }

  take(time, values) {
    for (const [name, value] of Object.entries(values ?? {})) {
      const plot = this.shown.get(name);
      if (!plot || value === null) continue;
      if (plot.points.length && plot.points.at(-1)[0] >= time) { if (plot.points.at(-1)[0] > time) plot.points = []; else continue; }
      plot.points.push([time, value]);
      // Every other point is let go, so that the whole run stays in sight.
      if (plot.points.length > KEPT) plot.points = plot.points.filter((_, k) => k % 2 === 0);
      plot.label.textContent = `${name.replaceAll("_", " ")} = ${Number(value.toPrecision(5))}`;
      this.draw(plot);
    }
  }

  draw({ canvas, points }) {
    const { paper, width, height, ratio } = cleared(canvas);
    if (points.length < 2) return;
    const values = points.map((point) => point[1]), low = Math.min(...values), high = Math.max(...values), room = (high - low) || Math.abs(high) || 1, [first, last] = [points[0][0], points.at(-1)[0]];
    const x = (time) => (time - first) / (last - first) * width, y = (value) => height - 2 * FOOT * ratio - (value - low) / room * (height - 3 * FOOT * ratio);
    paper.strokeStyle = css("--line"); paper.lineWidth = 1.5 * ratio; paper.beginPath();
    for (const [time, value] of points) paper.lineTo(x(time), y(value));
    paper.stroke();
    paper.fillStyle = css("--soft"); paper.font = lettering(ratio);
    paper.textAlign = "left"; paper.fillText(high.toPrecision(3), 2, 13 * ratio); paper.fillText(low.toPrecision(3), 2, height - (FOOT + 3) * ratio); paper.fillText(`t = ${first.toPrecision(3)}`, 2, height - 3 * ratio);
    paper.textAlign = "right"; paper.fillText(last.toPrecision(4), width - 2, height - 3 * ratio);
  }
}
