// Where one looks from. In the plane the picture moves and zooms; in space one turns around a middle.
export class Camera {
  constructor() { this.planar = true; this.lower = [0, 0, 0]; this.upper = [1, 1, 1]; this.reset(); }

  show(lower, upper) {
    this.planar = lower.length === 2;
    this.lower = [...lower, 0].slice(0, 3);
    this.upper = [...upper, 0].slice(0, 3);
    this.reset();
  }

  reset() {
    this.yaw = 0.5; this.pitch = 0.35; this.zoom = 1;
    this.middle = this.lower.map((low, k) => (low + this.upper[k]) / 2);
  }

  get extent() { return this.upper.map((high, k) => high - this.lower[k]); }

  // Half of what is seen of the height, at the distance of the middle.
  reach(aspect) {
    const [x, y, z] = this.extent;
    if (this.planar) return 1.04 * Math.max(y / 2, x / 2 / aspect, 1e-30) / this.zoom;
    return 0.62 * Math.max(Math.hypot(x, y, z), 1e-30) / Math.min(1, aspect) / this.zoom;
  }

  // Rows: right, up, towards the eye.
  axes() {
    if (this.planar) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const [c, s, e, f] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    return [[c, s, 0], [-s * f, c * f, e], [s * e, -c * e, f]];
  }

  // What the shaders need: turn (3 × 3), middle, distance of the eye, focal length.
  lens(aspect) {
    const half = this.reach(aspect), focal = this.planar ? 4 : 2.2;
    return { axes: this.axes(), middle: this.middle, away: half * focal, focal, half };
  }

  // A point as it is seen: right and up in units of half the height, and its distance from the eye.
  seen(point, aspect) {
    const { axes, middle, away, focal } = this.lens(aspect);
    const from = point.map((each, k) => each - middle[k]);
    const [right, up, near] = axes.map((axis) => axis[0] * from[0] + axis[1] * from[1] + axis[2] * from[2]);
    const distance = away - near;
    return [focal * right / distance, focal * up / distance, distance];
  }

  turn(x, y) {
    if (this.planar) { this.move(0.5 * x, -0.5 * y, 1); return; }
    this.yaw -= x; this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + y));
  }

  // By parts of half the height.
  move(right, up, aspect) {
    const half = this.reach(aspect), axes = this.axes();
    this.middle = this.middle.map((each, k) => each - half * (right * axes[0][k] + up * axes[1][k]));
  }

  // Towards a place on the screen, in units of half the height.
  closer(factor, right = 0, up = 0, aspect = 1) {
    const zoom = Math.max(1e-3, Math.min(1e6, this.zoom * factor)), ratio = zoom / this.zoom;
    this.move(-right * (1 - 1 / ratio), -up * (1 - 1 / ratio), aspect);
    this.zoom = zoom;
  }
}
