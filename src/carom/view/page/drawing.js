// Particles as exact disks and spheres: a point each, in whose pixels a ray is cut with the sphere. Large
// ones, which a point cannot be or which would vanish with their centre, are squares.
const LENS = `
uniform mat3 turn; uniform vec3 middle; uniform float away, focal, aspect; uniform vec2 depth;
vec3 placed(vec3 point) { vec3 seen = transpose(turn) * (point - middle); return vec3(seen.xy, seen.z - away); }
vec4 projected(vec3 seen) { return vec4(focal / aspect * seen.x, focal * seen.y, depth.x * seen.z + depth.y, -seen.z); }
`;
const PARTICLES = `#version 300 es
layout(location = 0) in vec4 particle; layout(location = 1) in vec2 still; layout(location = 2) in vec2 corner;
${LENS}
uniform vec3 shift, lower, upper; uniform vec2 screen; uniform vec4 slab; uniform bool planar, squares, folded; uniform float top;
flat out vec3 centre; flat out float size, value; out vec2 place;
void main() {
  vec3 point = particle.xyz + shift; float radius = still.x;
  centre = placed(point); size = radius; value = particle.w / top;
  float z = -centre.z, flatter = planar ? 1.0 : sqrt(z * z / max(z * z - radius * radius, 1e-6 * z * z));
  float reach = focal * radius / z * flatter * (planar ? 1.0 : length(centre) / z);
  gl_Position = projected(centre);
  place = vec2(focal / aspect * centre.x, focal * centre.y) / z;
  if (squares) {
    place += corner * vec2(reach / aspect, reach) * 1.02;
    gl_Position = vec4(place * z, gl_Position.z, z);
  } else gl_PointSize = max(1.5, screen.y * reach + 1.0);
  int axis = int(slab.x);
  float along = axis == 0 ? point.x : axis == 1 ? point.y : point.z;
  bool hidden = z <= 0.0 || (axis >= 0 && abs(along - slab.y) > slab.z);
  // Of an image only what reaches into the box is drawn.
  if (folded && (any(lessThan(point.xy + radius, lower.xy)) || any(greaterThan(point.xy - radius, upper.xy)))) hidden = true;
  if (hidden) gl_Position = vec4(2, 2, 2, 1);
}`;
const SPHERES = `#version 300 es
precision highp float;
flat in vec3 centre; flat in float size, value; in vec2 place;
uniform float away, focal, aspect; uniform vec2 depth, screen; uniform vec4 window; uniform bool planar, classes, plain, folded; uniform vec3 palette[8];
out vec4 colour;
vec3 viridis(float t) {
  vec3 c[5] = vec3[](vec3(.267, .004, .329), vec3(.231, .322, .545), vec3(.129, .569, .549), vec3(.369, .788, .384), vec3(.992, .906, .145));
  float at = clamp(t, 0.0, 1.0) * 4.0; int k = int(min(floor(at), 3.0));
  return mix(c[k], c[k + 1], at - float(k));
}
void main() {
  vec2 here = gl_FragCoord.xy / screen * 2.0 - 1.0;
  if (folded && (here.x < window.x || here.x > window.z || here.y < window.y || here.y > window.w)) discard;
  vec3 ray = vec3(here.x * aspect / focal, here.y / focal, -1.0), hit = centre; float light = 1.0, cover = 1.0;
  if (planar) {
    float pixel = 2.0 * -centre.z / (focal * screen.y), out_by = length(ray.xy * -centre.z - centre.xy) - size;
    cover = clamp(0.5 - out_by / pixel, 0.0, 1.0);
    if (2.0 * size < 1.5 * pixel) cover = 1.0; // smaller than a pixel, and still to be seen
    if (cover <= 0.0) discard;
  } else {
    ray = normalize(ray);
    float along = dot(ray, centre); vec3 aside = centre - along * ray; float room = size * size - dot(aside, aside);
    if (room < 0.0) { if (size * focal * screen.y < -centre.z) room = 0.0; else discard; }
    hit = (along - sqrt(room)) * ray;
    vec3 normal = (hit - centre) / size;
    light = 0.42 + 0.58 * max(dot(normal, normalize(vec3(0.35, 0.55, 0.76))), 0.0);
  }
  gl_FragDepth = clamp(0.5 + 0.5 * (depth.x * hit.z + depth.y) / -hit.z, 0.0, 1.0);
  vec3 shade = plain ? palette[0] : classes ? palette[int(mod(value + 0.5, 8.0))] : viridis(value);
  colour = vec4(light * shade, cover);
}`;
// A line is a strip of some pixels, with a head if it is an arrow; what is behind the eye is cut off.
const LINES = `#version 300 es
layout(location = 0) in vec4 from; layout(location = 1) in vec4 to;
${LENS}
uniform vec2 screen; uniform float width, near; uniform bool headed, graded;
out float strength;
void main() {
  vec3 a = placed(from.xyz), b = placed(to.xyz); strength = from.w;
  if (a.z > -near && b.z > -near) { gl_Position = vec4(2, 2, 2, 1); return; }
  if (a.z > -near) a = mix(b, a, (b.z + near) / (b.z - a.z));
  if (b.z > -near) b = mix(a, b, (a.z + near) / (a.z - b.z));
  vec4 start = projected(a), end = projected(b);
  vec2 here = start.xy / start.w * screen * 0.5, there = end.xy / end.w * screen * 0.5, along = there - here;
  float far = length(along), thick = graded ? max(width * strength, 1.0) : width, tip = headed ? min(0.6 * far, 3.0 + 3.0 * thick) : 0.0;
  along = far > 1e-3 ? along / far : vec2(1, 0); vec2 aside = vec2(-along.y, along.x);
  int corner = int[](0, 1, 2, 2, 1, 3, 4, 5, 6)[gl_VertexID]; bool ahead = corner > 3 || (corner & 1) == 1;
  vec2 point = corner == 4 ? there : corner > 4 ? there - tip * along + (corner == 5 ? 0.42 : -0.42) * tip * aside
    : (ahead ? there - tip * along : here) + (corner > 1 ? 0.5 : -0.5) * thick * aside;
  vec4 depth_of = ahead ? end : start;
  gl_Position = vec4(point / (screen * 0.5) * depth_of.w, depth_of.z, depth_of.w);
}`;
const INK = `#version 300 es
precision highp float;
in float strength; uniform vec4 ink; uniform bool graded; out vec4 colour;
void main() { colour = graded ? vec4(ink.rgb, ink.a * clamp(0.25 + strength, 0.0, 1.0)) : ink; }`;
const GROUND = `#version 300 es
layout(location = 0) in vec3 corner;
${LENS}
out vec2 at;
void main() { at = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = projected(placed(corner)); }`;
const TEXTURE = `#version 300 es
precision highp float;
in vec2 at; uniform sampler2D image; uniform bool signed, dark; out vec4 colour;
void main() {
  float t = texture(image, at).r; vec3 paper = dark ? vec3(.086, .094, .11) : vec3(1.0);
  vec3 low = vec3(.13, .40, .67), high = vec3(.70, .09, .17), one = vec3(.13, .57, .55);
  colour = vec4(signed ? (t < 0.5 ? mix(low, paper, 2.0 * t) : mix(paper, high, 2.0 * t - 1.0)) : mix(paper, one, t), 1);
}`;
const PALETTE = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#999999", "#F0E442"];
export { PALETTE };
const LARGEST_POINT = 64; // pixels; larger ones are squares

export class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true, alpha: false });
    if (!this.gl) throw Error("This browser has no WebGL 2, which carom needs to draw.");
    const gl = this.gl;
    this.programs = { particles: this.program(PARTICLES, SPHERES), lines: this.program(LINES, INK), ground: this.program(GROUND, TEXTURE) };
    this.buffers = { rows: gl.createBuffer(), still: gl.createBuffer(), corner: gl.createBuffer(), lines: gl.createBuffer(), few: gl.createBuffer(), fewStill: gl.createBuffer(), ground: gl.createBuffer() };
    this.bind("corner", new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    this.texture = gl.createTexture();
    this.palette = new Float32Array(PALETTE.flatMap((hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255)));
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw Error(gl.getProgramInfoLog(program) || "The graphics card refuses to draw.");
    const places = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(program, k);
      places[name.replace("[0]", "")] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  bind(name, data) {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.buffers[name]);
    if (data) this.gl.bufferData(this.gl.ARRAY_BUFFER, data, this.gl.STREAM_DRAW);
  }

  attribute(place, buffer, width, divisor = 0, stride = 0, offset = 0) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[buffer]);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, width, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(place, divisor);
  }

  use(name, camera) {
    const gl = this.gl, { program, places } = this.programs[name], { axes, middle, away, focal } = camera;
    gl.useProgram(program);
    for (let k = 0; k < 3; k++) { gl.disableVertexAttribArray(k); gl.vertexAttribDivisor(k, 0); }
    gl.uniformMatrix3fv(places.turn, false, axes.flat());
    gl.uniform3fv(places.middle, middle);
    gl.uniform1f(places.away, away); gl.uniform1f(places.focal, focal); gl.uniform1f(places.aspect, this.aspect);
    gl.uniform2f(places.depth, -(camera.far + camera.near) / (camera.far - camera.near), -2 * camera.far * camera.near / (camera.far - camera.near));
    gl.uniform2f(places.screen, this.canvas.width, this.canvas.height);
    return places;
  }

  get aspect() { return this.canvas.width / this.canvas.height; }

  get ratio() { return Math.min(devicePixelRatio, 2); }

  resize() {
    const { ratio } = this, width = Math.max(1, Math.round(this.canvas.clientWidth * ratio)), height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width !== width || this.canvas.height !== height) { this.canvas.width = width; this.canvas.height = height; }
  }

  draw(state, camera, dark) {
    const gl = this.gl;
    this.resize();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    const paper = dark ? [0.086, 0.094, 0.11] : [0.984, 0.984, 0.98];
    gl.clearColor(...paper, 1); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (!state.rows) return;
    const lens = camera.lens(this.aspect), span = Math.hypot(...camera.extent) + 4 * state.largest + Math.hypot(...camera.middle.map((each, k) => each - (camera.lower[k] + camera.upper[k]) / 2));
    lens.near = Math.max(lens.away - span, lens.away * 1e-3); lens.far = lens.away + span;
    gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const planar = camera.planar;
    if (planar) gl.disable(gl.DEPTH_TEST); else gl.enable(gl.DEPTH_TEST);
    if (state.flow) this.drawFlow(state, lens, dark, camera);
    this.drawParticles(state, camera, lens);
    const ink = dark ? [0.75, 0.75, 0.75, 1] : [0.25, 0.25, 0.25, 1], faint = dark ? [0.5, 0.5, 0.5, 0.7] : [0.6, 0.6, 0.6, 0.7], orange = dark ? [0.96, 0.55, 0.1, 1] : [0.83, 0.37, 0, 1];
    if (state.boxed) { this.drawLines(state.walled, lens, ink, 1.5); this.drawLines(state.seams, lens, faint, 1.2); }
    this.drawLines(state.walls, lens, ink, 1.5);
    if (state.flowArrows) this.drawLines(state.flowArrows, lens, dark ? [0.6, 0.75, 0.9, 0.9] : [0.2, 0.32, 0.45, 0.8], 1.3, { headed: true });
    gl.disable(gl.DEPTH_TEST);
    if (state.contacts) {
      // Light and dark beside each other, so that they are seen on every colour.
      this.drawLines(state.contacts, lens, dark ? [0, 0, 0, 0.5] : [1, 1, 1, 0.6], 9, { graded: true });
      this.drawLines(state.contacts, lens, orange, 6, { graded: true });
    }
    if (state.velocities) this.drawLines(state.velocities, lens, dark ? [0.95, 0.95, 0.92, 0.95] : [0.1, 0.1, 0.1, 0.9], 1.6, { headed: true });
    if (state.path) this.drawLines(state.path, lens, orange, 2);
    if (state.ring) this.drawLines(state.ring, lens, orange, 2.5);
  }

  drawParticles(state, camera, lens) {
    const gl = this.gl, places = this.use("particles", lens), planar = camera.planar;
    gl.uniform1i(places.planar, planar); gl.uniform1f(places.top, state.classes ? 1 : state.top);
    gl.uniform1i(places.classes, state.classes); gl.uniform1i(places.plain, state.plain);
    gl.uniform3fv(places.palette, this.palette); gl.uniform4f(places.slab, state.slab.axis, state.slab.at, state.slab.half, 0);
    gl.uniform3fv(places.lower, camera.lower); gl.uniform3fv(places.upper, camera.upper);
    const pixels = this.canvas.height * lens.focal * state.largest / Math.max(lens.away - (planar ? 0 : Math.hypot(...camera.extent) / 2), lens.near);
    const limit = Math.min(LARGEST_POINT, gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE)[1]), squares = pixels > limit;
    const shifts = planar && state.boxed && state.count <= 50000 ? images(state, camera) : [[0, 0, 0]], folded = shifts.length > 1;
    if (folded) {
      const [left, low] = camera.seen(camera.lower, this.aspect), [right, high] = camera.seen(camera.upper, this.aspect), far = 2;
      gl.uniform4f(places.window, state.periodic[0] ? left / this.aspect : -far, state.periodic[1] ? low : -far, state.periodic[0] ? right / this.aspect : far, state.periodic[1] ? high : far);
    }
    gl.uniform1i(places.folded, folded); gl.uniform1i(places.squares, squares);
    let count = state.count;
    if (squares) count = this.gather(state, camera, lens, shifts);
    for (const shift of shifts) {
      gl.uniform3fv(places.shift, shift);
      if (squares) {
        this.attribute(0, "few", 4, 1); this.attribute(1, "fewStill", 2, 1); this.attribute(2, "corner", 2);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
      } else {
        this.attribute(0, "rows", 4); this.attribute(1, "still", 2);
        gl.drawArrays(gl.POINTS, 0, count);
      }
    }
  }

  // Squares cost more than points: only those that can be seen.
  gather(state, camera, lens, shifts) {
    const rows = [], still = [], far = shifts.length > 1 ? Math.hypot(...camera.extent) : 0;
    for (let i = 0; i < state.count; i++) {
      const radius = state.still[2 * i];
      if (!far) {
        const [x, y, z] = camera.seen([state.rows[4 * i], state.rows[4 * i + 1], state.rows[4 * i + 2]], this.aspect);
        const reach = 1.5 * lens.focal * radius / Math.max(z, lens.near);
        if (z + radius < 0 || Math.abs(x) - reach > this.aspect || Math.abs(y) - reach > 1) continue;
      }
      rows.push(state.rows[4 * i], state.rows[4 * i + 1], state.rows[4 * i + 2], state.rows[4 * i + 3]);
      still.push(radius, state.still[2 * i + 1]);
    }
    this.bind("few", new Float32Array(rows)); this.bind("fewStill", new Float32Array(still));
    return still.length / 2;
  }

  // Ends come in twos, each with a strength.
  drawLines(ends, lens, ink, width, { headed = false, graded = false } = {}) {
    if (!ends || !ends.length) return;
    const gl = this.gl, places = this.use("lines", lens);
    this.bind("lines", ends); this.attribute(0, "lines", 4, 1, 32, 0); this.attribute(1, "lines", 4, 1, 32, 16);
    gl.uniform4fv(places.ink, ink); gl.uniform1f(places.width, width * this.ratio); gl.uniform1f(places.near, lens.near);
    gl.uniform1i(places.headed, headed); gl.uniform1i(places.graded, graded);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, headed ? 9 : 6, ends.length / 8);
  }

  drawFlow(state, lens, dark, camera) {
    const gl = this.gl, places = this.use("ground", lens), { width, height, values, signed, axis, at } = state.flow;
    const corners = [0, 1, 2, 3].flatMap((bits) => {
      const corner = [...camera.lower];
      if (bits & 1) corner[(axis + 1) % 3] = camera.upper[(axis + 1) % 3];
      if (bits & 2) corner[(axis + 2) % 3] = camera.upper[(axis + 2) % 3];
      corner[axis] = at;
      return corner;
    });
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, width, height, 0, gl.RED, gl.UNSIGNED_BYTE, values);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    gl.uniform1i(places.signed, signed); gl.uniform1i(places.dark, dark);
    this.bind("ground", new Float32Array(corners)); this.attribute(0, "ground", 3);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}

// Where the neighbouring images are; those above slide in a sheared box.
function images(state, camera) {
  const [width, height] = camera.extent, found = [];
  for (const y of state.periodic[1] ? [0, -1, 1] : [0]) for (const x of state.periodic[0] ? (y && state.offset ? [0, -1, 1, -2, 2] : [0, -1, 1]) : [0]) found.push([x * width + y * state.offset, y * height, 0]);
  return found;
}

// The edges of the box as ends of lines: walls, and seams where it repeats.
export function boxLines(lower, upper, periodic) {
  const walled = [], seams = [], d = lower.length, corner = (bits) => [0, 1, 2].map((k) => (k < d ? ((bits >> k) & 1 ? upper[k] : lower[k]) : 0));
  for (let bits = 0; bits < 1 << d; bits++) for (let axis = 0; axis < d; axis++) {
    if ((bits >> axis) & 1) continue;
    const others = [...Array(d).keys()].filter((k) => k !== axis);
    (others.every((k) => periodic[k]) ? seams : walled).push(...corner(bits), 1, ...corner(bits | (1 << axis)), 1);
  }
  return { walled: new Float32Array(walled), seams: new Float32Array(seams) };
}

// Walls by the kind of their shape; one that is not known here is not drawn.
export function wallLines(walls, lower, upper) {
  return new Float32Array(walls.flatMap((wall) => WALLS[wall.kind]?.(wall, lower, upper) ?? []));
}
const WALLS = { plane: planeLines, lines: ({ ends }) => ends.flatMap((end) => [...end, 1]) };

// A plane through a point: a line in the plane, a grid in space.
function planeLines({ point, normal }, lower, upper) {
  const ends = [], span = Math.hypot(...upper.map((high, k) => high - lower[k])), middle = lower.map((low, k) => (low + upper[k]) / 2);
  const height = normal.reduce((sum, n, k) => sum + n * (middle[k] - point[k]), 0), foot = middle.map((m, k) => m - height * normal[k]);
  if (point.length === 2) return [-span, span].flatMap((s) => [foot[0] - s * normal[1], foot[1] + s * normal[0], 0, 1]);
  const other = Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], one = unit(cross(normal, other)), two = cross(normal, one), lines = 4;
  for (let k = -lines; k <= lines; k++) for (const [a, b] of [[one, two], [two, one]]) for (const s of [-1, 1]) ends.push(...foot.map((f, j) => f + span / 2 * (k / lines * a[j] + s * b[j])), 1);
  return ends;
}
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const length = Math.hypot(...a); return a.map((each) => each / length); };
