// Plays what page_recorder.h kept: poses between the frames, contact forces, numbers, the playhead.
"use strict";
(() => {
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);

// ---- Data ----------------------------------------------------------------------------------------------
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
const floats = (text) => new Float32Array(bytesOf(text));
const times = floats(data.time), ncp = floats(data.ncp), penetration = floats(data.penetration);
const start = times[0], end = times[times.length - 1];
const moving = data.poses.moving, posesView = new DataView(bytesOf(data.poses.data));
const kPoseBytes = 20;
const counts = new Uint16Array(bytesOf(data.contacts.count));
const contactsView = new DataView(bytesOf(data.contacts.data));
const largestForce = floats(data.contacts.largest);
const contactBodies = new Int16Array(bytesOf(data.contacts.body));
const kContactBytes = 12;
const firstContact = new Uint32Array(counts.length + 1);
for (let i = 0; i < counts.length; ++i) firstContact[i + 1] = firstContact[i] + counts[i];

// A pose is [px, py, pz, qw, qx, qy, qz].
const poses = data.poses.fixed.map((p) => [...p.pos, ...p.quat]);
function readPose(frame, k) {
  const at = (frame * moving.length + k) * kPoseBytes, out = [];
  for (let i = 0; i < 3; ++i) out.push(posesView.getFloat32(at + 4 * i, true));
  for (let i = 0; i < 4; ++i) out.push(posesView.getInt16(at + 12 + 2 * i, true) / 32767);
  return out;
}
function frameAt(t) {
  let low = 0, high = times.length - 1;
  while (low < high) { const mid = (low + high + 1) >> 1; if (times[mid] <= t + 1e-6) low = mid; else high = mid - 1; }
  return low;
}
// Positions along a line, orientations along the shorter arc, between two frames.
function setPoses(t) {
  const i = frameAt(t), j = Math.min(i + 1, times.length - 1);
  const s = j > i ? Math.min(1, Math.max(0, (t - times[i]) / (times[j] - times[i]))) : 0;
  moving.forEach((body, k) => {
    const a = readPose(i, k), b = j > i ? readPose(j, k) : a, out = [];
    const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6], sign = dot < 0 ? -1 : 1;
    for (let c = 0; c < 3; ++c) out.push(a[c] + s * (b[c] - a[c]));
    for (let c = 3; c < 7; ++c) out.push((1 - s) * a[c] + s * sign * b[c]);
    const norm = Math.hypot(out[3], out[4], out[5], out[6]) || 1;
    for (let c = 3; c < 7; ++c) out[c] /= norm;
    poses[body] = out;
  });
  return i;
}
const tendonCounts = new Uint16Array(bytesOf(data.tendons.count)), tendonPieces = floats(data.tendons.data);
const firstTendon = new Uint32Array(tendonCounts.length + 1);
for (let i = 0; i < tendonCounts.length; ++i) firstTendon[i + 1] = firstTendon[i] + tendonCounts[i];
// Straight pieces of paths, [from, to] each.
function tendonsOf(frame) {
  const list = [];
  for (let k = firstTendon[frame]; k < firstTendon[frame + 1]; ++k)
    list.push([[...tendonPieces.subarray(6 * k, 6 * k + 3)], [...tendonPieces.subarray(6 * k + 3, 6 * k + 6)]]);
  return list;
}
function contactsOf(frame) {
  const c = data.contacts, list = [];
  for (let k = firstContact[frame]; k < firstContact[frame + 1]; ++k) {
    const p = [], f = [];
    for (let i = 0; i < 3; ++i) {
      p.push(c.lower[i] + c.extent[i] * contactsView.getUint16(k * kContactBytes + 2 * i, true) / 65535);
      f.push(largestForce[frame] * contactsView.getInt16(k * kContactBytes + 6 + 2 * i, true) / 32767);
    }
    list.push({p, f, size: Math.hypot(...f), a: contactBodies[2 * k], b: contactBodies[2 * k + 1]});
  }
  return list;
}

// ---- Poses as 3 x 4 matrices, column by column ------------------------------------------------------------
function matrixOf(pose) {
  const [x, y, z, w, i, j, k] = pose;
  return [1 - 2 * (j * j + k * k), 2 * (i * j + w * k), 2 * (i * k - w * j),
          2 * (i * j - w * k), 1 - 2 * (i * i + k * k), 2 * (j * k + w * i),
          2 * (i * k + w * j), 2 * (j * k - w * i), 1 - 2 * (i * i + j * j), x, y, z];
}
function times34(a, b) {
  const out = new Array(12);
  for (let c = 0; c < 4; ++c)
    for (let r = 0; r < 3; ++r)
      out[3 * c + r] = a[r] * b[3 * c] + a[3 + r] * b[3 * c + 1] + a[6 + r] * b[3 * c + 2] + (c === 3 ? a[9 + r] : 0);
  return out;
}
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const n = Math.hypot(...a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };

// 4 x 4, column by column.
function multiply(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; ++c)
    for (let r = 0; r < 4; ++r) for (let k = 0; k < 4; ++k) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
}
function lookAt(eye, target, up) {
  const z = unit(sub(eye, target)), x = unit(cross(up, z)), y = cross(z, x);
  const dot = (a) => -(a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2]);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, dot(x), dot(y), dot(z), 1];
}
function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan(fov / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
}
function box(half, depth) {
  return [1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, -2 / depth, 0, 0, 0, -1, 1];
}

// ---- Shapes, by the numbers of DrawPrimitive: box, sphere, cylinder, cone, ground, mesh ---------------------
function makeBox() {
  const p = [], n = [], index = [];
  for (let axis = 0; axis < 3; ++axis)
    for (const side of [-1, 1]) {
      const base = p.length / 3;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const q = [0, 0, 0], m = [0, 0, 0];
        q[axis] = side, q[(axis + 1) % 3] = u, q[(axis + 2) % 3] = v, m[axis] = side;
        p.push(...q), n.push(...m);
      }
      index.push(base, base + 1, base + 2, base, base + 2, base + 3);
    }
  return {p, n, index};
}
function makeGrid(rows, columns, point) {
  const p = [], n = [], index = [];
  for (let r = 0; r <= rows; ++r)
    for (let c = 0; c <= columns; ++c) { const [q, m] = point(r / rows, 2 * Math.PI * c / columns); p.push(...q), n.push(...m); }
  for (let r = 0; r < rows; ++r)
    for (let c = 0; c < columns; ++c) {
      const a = r * (columns + 1) + c, b = a + columns + 1;
      index.push(a, b, a + 1, a + 1, b, b + 1);
    }
  return {p, n, index};
}
function join(...shapes) {
  const out = {p: [], n: [], index: []};
  for (const s of shapes) {
    const base = out.p.length / 3;
    for (const x of s.p) out.p.push(x);
    for (const x of s.n) out.n.push(x);
    for (const i of s.index) out.index.push(base + i);
  }
  return out;
}
const makeSphere = () => makeGrid(20, 40, (r, a) => {
  const h = Math.PI * r, q = [Math.sin(h) * Math.cos(a), Math.sin(h) * Math.sin(a), Math.cos(h)];
  return [q, q];
});
const makeDisc = (z) => makeGrid(1, 40, (r, a) => [[r * Math.cos(a), r * Math.sin(a), z], [0, 0, Math.sign(z)]]);
const makeCylinder = () => join(
  makeGrid(1, 40, (r, a) => [[Math.cos(a), Math.sin(a), 1 - 2 * r], [Math.cos(a), Math.sin(a), 0]]), makeDisc(1), makeDisc(-1));
const makeCone = () => join(
  makeGrid(1, 40, (r, a) => [[r * Math.cos(a), r * Math.sin(a), 1 - 2 * r], unit([2 * Math.cos(a), 2 * Math.sin(a), 1])]), makeDisc(-1));
const makeGround = () => ({p: [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], n: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1], index: [0, 1, 2, 0, 2, 3]});
function makeMesh(mesh) {
  const packed = new Uint16Array(bytesOf(mesh.position)), normals = new Int8Array(bytesOf(mesh.normal));
  const p = new Float32Array(packed.length), n = new Float32Array(normals.length);
  for (let i = 0; i < packed.length; ++i) p[i] = mesh.lower[i % 3] + mesh.extent[i % 3] * packed[i] / 65535;
  for (let i = 0; i < normals.length; ++i) n[i] = normals[i] / 127;
  return {p, n, index: new Uint32Array(bytesOf(mesh.index)), corner: mesh.corner ? floats(mesh.corner) : null};
}
const kGround = 4, kMesh = 5, kSphere = 1, kCylinder = 2, kCone = 3;

// ---- Drawing -----------------------------------------------------------------------------------------------
const canvas = $("scene");
const gl = canvas.getContext("webgl2", {antialias: true, preserveDrawingBuffer: true});
const kVertex = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 ax; layout(location = 3) in vec3 ay; layout(location = 4) in vec3 az;
layout(location = 5) in vec3 origin; layout(location = 6) in vec4 color; layout(location = 7) in vec2 corner;
uniform mat4 view_projection, light;
uniform int mapping;  // DrawMapping
uniform vec2 repeat;
out vec3 p_W, n_W, where; out vec4 tint, shadow;
void main() {
  mat3 A = mat3(ax, ay, az);
  vec3 size = vec3(length(ax), length(ay), length(az));
  where = vec3(corner, 0.0);
  if (mapping == 2) where.xy = 0.5 * repeat * position.xy - 0.5;
  if (mapping == 3) where.xy = 0.5 * repeat * position.xy * size.xy - 0.5;
  if (mapping == 4) where = position * size;
  if (mapping == 5) where = position;
  if (mapping <= 3) where.y = 1.0 - where.y;
  p_W = A * position + origin;
  // Normals go by the cofactors, which also stand for axes of unlike lengths.
  n_W = mat3(cross(ay, az), cross(az, ax), cross(ax, ay)) * normal;
  tint = color;
  shadow = light * vec4(p_W, 1.0);
  gl_Position = view_projection * vec4(p_W, 1.0);
}`;
const kFragment = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2DShadow;
in vec3 p_W, n_W, where; in vec4 tint, shadow;
uniform int mapping;
uniform sampler2D plane_picture;
uniform samplerCube cube_picture;
uniform vec3 eye, to_light, fog;
uniform float has_shadow, ground, reach, cell;
uniform sampler2DShadow depth;
out vec4 pixel;
float lit() {
  if (has_shadow < 0.5) return 1.0;
  vec3 s = shadow.xyz * 0.5 + 0.5;
  if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
  float sum = 0.0, texel = 1.0 / float(textureSize(depth, 0).x);
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) sum += texture(depth, vec3(s.xy + texel * vec2(i, j), s.z - 0.0012));
  return sum / 9.0;
}
// A checker that fades where its squares are smaller than pixels.
float checker(vec2 p) {
  vec2 w = max(fwidth(p), 1e-6), i = 2.0 * (abs(fract((p - 0.5 * w) * 0.5) - 0.5) - abs(fract((p + 0.5 * w) * 0.5) - 0.5)) / w;
  return 0.5 - 0.5 * i.x * i.y;
}
void main() {
  vec3 n = normalize(gl_FrontFacing ? n_W : -n_W), v = normalize(eye - p_W), h = normalize(v + to_light);
  vec3 albedo = pow(tint.rgb, vec3(2.2));
  if (mapping >= 1 && mapping <= 3) albedo *= pow(texture(plane_picture, where.xy).rgb, vec3(2.2));
  else if (mapping == 4 || mapping == 5) albedo *= pow(texture(cube_picture, where).rgb, vec3(2.2));
  else if (ground > 0.5) albedo = mix(vec3(0.72, 0.74, 0.77), vec3(0.60, 0.63, 0.67), checker(p_W.xy / cell));
  float sun = max(dot(n, to_light), 0.0) * lit();
  vec3 sky = mix(vec3(0.34, 0.32, 0.30), vec3(0.62, 0.66, 0.72), 0.5 + 0.5 * n.z);
  float shine = ground > 0.5 ? 0.0 : 0.22 * pow(max(dot(n, h), 0.0), 48.0) * sun;
  vec3 light = albedo * (0.62 * sky + 0.88 * sun * vec3(1.0, 0.97, 0.92)) + shine;
  if (ground > 0.5) light = mix(light, fog, smoothstep(0.35, 1.0, length(p_W - eye) / reach));
  pixel = vec4(pow(light, vec3(1.0 / 2.2)), tint.a);
}`;
const kDepthFragment = `#version 300 es
precision mediump float;
void main() {}`;

function makeProgram(vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text), gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const uniforms = {}, count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let i = 0; i < count; ++i) { const name = gl.getActiveUniform(program, i).name; uniforms[name] = gl.getUniformLocation(program, name); }
  return {program, uniforms};
}

// Instances of one shape: 12 numbers of pose and 4 of colour each.
const kInstance = 16;
class Batch {
  constructor(shape) {
    this.count = shape.index.length, this.parts = [], this.number = 0;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    const fill = (target, values) => { gl.bindBuffer(target, gl.createBuffer()); gl.bufferData(target, values, gl.STATIC_DRAW); };
    fill(gl.ARRAY_BUFFER, new Float32Array(shape.p));
    gl.enableVertexAttribArray(0), gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    fill(gl.ARRAY_BUFFER, new Float32Array(shape.n));
    gl.enableVertexAttribArray(1), gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 0, 0);
    if (shape.corner) {
      fill(gl.ARRAY_BUFFER, shape.corner);
      gl.enableVertexAttribArray(7), gl.vertexAttribPointer(7, 2, gl.FLOAT, false, 0, 0);
    }
    fill(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(shape.index));
    this.buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    for (let i = 0; i < 5; ++i) {
      gl.enableVertexAttribArray(2 + i), gl.vertexAttribDivisor(2 + i, 1);
      gl.vertexAttribPointer(2 + i, i < 4 ? 3 : 4, gl.FLOAT, false, 4 * kInstance, 12 * i);
    }
  }
  // `list` of [pose of 12, colour].
  set(list) {
    const values = new Float32Array(kInstance * list.length);
    list.forEach(([pose, color], i) => { values.set(pose, kInstance * i); values.set(color, kInstance * i + 12); });
    this.number = list.length;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
  }
  draw() {
    if (this.number === 0) return;
    gl.bindVertexArray(this.array);
    gl.drawElementsInstanced(gl.TRIANGLES, this.count, gl.UNSIGNED_INT, 0, this.number);
  }
}

const scene = data.scene, size = scene.size;
const center = [0, 1, 2].map((i) => 0.5 * (scene.lower[i] + scene.upper[i]));
// All of the scene, also where the canvas is higher than wide.
const home = {azimuth: 0.9, elevation: 0.45, distance: 2.5 * size / Math.min(1, canvas.clientWidth / (canvas.clientHeight || 1) || 1), target: center};
let camera = {...home};
let noPictures = [];
let batches = [], clear = [], arrows = null, rods = null, main = null, depthPass = null, shadowMap = null;
const kShadowSize = 2048;

// A texture of its pictures, which browsers decode in their own time: white until then.
let numUndecoded = 0;
function makePicture({cube, pictures}) {
  const target = cube ? gl.TEXTURE_CUBE_MAP : gl.TEXTURE_2D, texture = gl.createTexture();
  const faceOf = (k) => cube ? gl.TEXTURE_CUBE_MAP_POSITIVE_X + k : target;
  gl.bindTexture(target, texture);
  for (let k = 0; k < (cube ? 6 : 1); ++k)
    gl.texImage2D(faceOf(k), 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(target, name, cube ? gl.CLAMP_TO_EDGE : gl.REPEAT);
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  const load = (text) => new Promise((done) => {
    const image = new Image();
    image.onload = () => done(image);
    image.src = `data:image/png;base64,${text}`;
  });
  if (pictures.length === 0) return {target, texture};
  ++numUndecoded;
  Promise.all(pictures.map(load)).then((images) => {
    gl.activeTexture(gl.TEXTURE0), gl.bindTexture(target, texture);
    images.forEach((image, k) => gl.texImage2D(faceOf(k), 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image));
    gl.generateMipmap(target);
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    document.body.dataset.undecoded = --numUndecoded;
    show(now);
  });
  return {target, texture};
}

function setUp() {
  noPictures = [makePicture({cube: false, pictures: []}), makePicture({cube: true, pictures: []})];
  const pictures = scene.textures.map((texture) => texture && makePicture(texture));
  main = makeProgram(kVertex, kFragment), depthPass = makeProgram(kVertex, kDepthFragment);
  const shapes = [makeBox(), makeSphere(), makeCylinder(), makeCone(), makeGround()], made = new Map();
  for (const part of scene.parts) {
    // What one can see through is drawn after all else.
    const key = `${part.shape} ${part.mesh} ${part.color[3] < 1} ${part.texture} ${part.mapping} ${part.repeat}`;
    if (!made.has(key)) {
      const batch = new Batch(part.shape === kMesh ? makeMesh(scene.meshes[part.mesh]) : shapes[part.shape]);
      batch.isGround = part.shape === kGround;
      if (part.texture !== undefined) batch.picture = pictures[part.texture], batch.mapping = part.mapping, batch.repeat = part.repeat;
      made.set(key, batch);
      (part.color[3] < 1 ? clear : batches).push(batch);
    }
    made.get(key).parts.push(part);
  }
  arrows = [new Batch(shapes[kCylinder]), new Batch(shapes[kCone])];
  rods = [new Batch(shapes[kCylinder]), new Batch(shapes[kSphere])];
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, kShadowSize, kShadowSize);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  const frame = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  shadowMap = {texture, frame};
}

// An arrow along each force. What nine of ten frames do not exceed is 0.4 of the scene's size long; impacts are
// longer, up to a half more.
const ordered = [...largestForce].filter((f) => f > 0).sort((a, b) => a - b);
const usualForce = ordered.length > 0 ? ordered[Math.floor(0.9 * (ordered.length - 1))] : 1;
function setArrows(contacts) {
  const shafts = [], heads = [], color = [0.85, 0.17, 0.15, 1], r = 0.006 * size;
  for (const {p, f, size: norm} of contacts) {
    const length = 0.4 * size * Math.min(1.5, norm / usualForce);
    if (length < r) continue;
    const z = unit(f), x = unit(cross(Math.abs(z[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], z)), y = cross(z, x);
    const head = Math.min(5 * r, 0.5 * length), shaft = length - head;
    const put = (list, radius, from, to) => {
      const half = 0.5 * (to - from), o = add(p, z, 0.5 * (from + to));
      list.push([[...x.map((v) => v * radius), ...y.map((v) => v * radius), ...z.map((v) => v * half), ...o], color]);
    };
    put(shafts, r, 0, shaft), put(heads, 2.4 * r, shaft, length);
  }
  arrows[0].set(shafts), arrows[1].set(heads);
}

// Tendons as rods with round ends, as thick as the viewer has them.
function setRods(tendons) {
  const shafts = [], ends = [], color = [0.75, 0.25, 0.22, 1], r = 0.003 * size;
  const ball = [r, 0, 0, 0, r, 0, 0, 0, r];
  for (const [from, to] of tendons) {
    const along = sub(to, from), half = 0.5 * Math.hypot(...along);
    if (!(half > 0)) continue;
    const z = unit(along), x = unit(cross(Math.abs(z[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], z)), y = cross(z, x);
    shafts.push([[...x.map((v) => v * r), ...y.map((v) => v * r), ...z.map((v) => v * half), ...add(from, along, 0.5)], color]);
    ends.push([[...ball, ...from], color], [[...ball, ...to], color]);
  }
  rods[0].set(shafts), rods[1].set(ends);
}

function usePicture(batch) {
  const u = main.uniforms, picture = batch.picture;
  gl.uniform1i(u.mapping, picture ? batch.mapping : 0);
  gl.uniform2fv(u.repeat, picture ? batch.repeat : [1, 1]);
  if (!picture) return;
  gl.activeTexture(picture.target === gl.TEXTURE_2D ? gl.TEXTURE1 : gl.TEXTURE2);
  gl.bindTexture(picture.target, picture.texture);
}

function drawAll(pass) {
  for (const batch of [...batches, ...rods, ...arrows]) {
    if (pass === main) gl.uniform1f(main.uniforms.ground, batch.isGround ? 1 : 0), usePicture(batch);
    else if (batch.isGround) continue;
    batch.draw();
  }
}

function eyeOf({azimuth, elevation, distance, target}) {
  return add(target, [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)], distance);
}

function draw(t) {
  if (!gl) return;
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) canvas.width = width, canvas.height = height;
  const matrices = poses.map(matrixOf);
  for (const batch of [...batches, ...clear])
    batch.set(batch.parts.map((part) => [times34(matrices[part.body], part.pose), part.color]));
  setArrows($("forces").checked ? contactsOf(frameAt(t)) : []);
  setRods(tendonsOf(frameAt(t)));

  const eye = eyeOf(camera), toLight = unit([0.45, 0.25, 0.95]), reach = Math.max(14 * size, 3 * camera.distance);
  const view = lookAt(eye, camera.target, [0, 0, 1]);
  const projection = perspective(0.7, width / height, 0.01 * Math.min(camera.distance, size), 4 * reach);
  const half = 1.9 * size;
  const light = multiply(box(half, 6 * half), lookAt(add(center, toLight, 3 * half), center, [0, 1, 0]));
  gl.enable(gl.DEPTH_TEST), gl.disable(gl.BLEND), gl.depthMask(true);
  const hasShadow = $("shadows").checked;
  if (hasShadow) {
    gl.activeTexture(gl.TEXTURE0), gl.bindTexture(gl.TEXTURE_2D, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, shadowMap.frame);
    gl.viewport(0, 0, kShadowSize, kShadowSize), gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(depthPass.program);
    gl.uniformMatrix4fv(depthPass.uniforms.view_projection, false, light);
    drawAll(depthPass);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
  const fog = [0.80, 0.85, 0.91];
  gl.viewport(0, 0, width, height), gl.clearColor(...fog.map((x) => Math.pow(x, 1 / 2.2)), 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.useProgram(main.program);
  const u = main.uniforms;
  gl.activeTexture(gl.TEXTURE0), gl.bindTexture(gl.TEXTURE_2D, shadowMap.texture), gl.uniform1i(u.depth, 0);
  noPictures.forEach(({target, texture}, i) => { gl.activeTexture(gl.TEXTURE1 + i), gl.bindTexture(target, texture); });
  gl.uniform1i(u.plane_picture, 1), gl.uniform1i(u.cube_picture, 2), gl.activeTexture(gl.TEXTURE0);
  gl.uniformMatrix4fv(u.view_projection, false, multiply(projection, view));
  gl.uniformMatrix4fv(u.light, false, light);
  gl.uniform3fv(u.eye, eye), gl.uniform3fv(u.to_light, toLight), gl.uniform3fv(u.fog, fog);
  gl.uniform1f(u.has_shadow, hasShadow ? 1 : 0), gl.uniform1f(u.reach, reach);
  gl.uniform1f(u.cell, Math.pow(10, Math.round(Math.log10(0.4 * size))));
  drawAll(main);
  gl.enable(gl.BLEND), gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA), gl.depthMask(false);
  for (const batch of clear) { gl.uniform1f(u.ground, batch.isGround ? 1 : 0), usePicture(batch), batch.draw(); }
  gl.depthMask(true);
}

// ---- Time ---------------------------------------------------------------------------------------------------
let now = start, isPlaying = false, last = 0;
const short = (x, digits = 3) => x === 0 ? "0" : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5 ? x.toExponential(1) : String(Number(x.toPrecision(digits)));

function listContacts(frame) {
  const name = (i) => scene.bodies[i] ?? `body ${i}`, pairs = new Map();
  for (const {f, a, b, size: norm} of contactsOf(frame)) {
    const key = `${name(a)} – ${name(b)}`, pair = pairs.get(key) ?? {points: 0, sum: [0, 0, 0], largest: 0};
    pair.points += 1, pair.sum = add(pair.sum, f), pair.largest = Math.max(pair.largest, norm);
    pairs.set(key, pair);
  }
  const sorted = [...pairs].sort((x, y) => Math.hypot(...y[1].sum) - Math.hypot(...x[1].sum));
  const table = $("contacts");
  table.replaceChildren(...sorted.slice(0, 12).map(([key, pair]) => {
    const row = document.createElement("tr");
    for (const text of [key, `${pair.points} point${pair.points > 1 ? "s" : ""}`, `${short(Math.hypot(...pair.sum))} N`])
      row.appendChild(document.createElement("td")).textContent = text;
    return row;
  }));
  $("touching").hidden = counts.every((n) => n === 0);
}

function show(t) {
  now = Math.min(end, Math.max(start, t));
  const frame = setPoses(now), plot = data.plot, svg = $("plot").querySelector("svg");
  draw(now);
  $("now").textContent = `t = ${now.toFixed(3)} s   ncp ${short(ncp[frame], 2)} m/s   ${counts[frame]} contact${counts[frame] === 1 ? "" : "s"}   overlap ${short(1e6 * penetration[frame], 2)} µm`;
  $("seek").value = end > start ? 1000 * (now - start) / (end - start) : 0;
  const scale = svg.getBoundingClientRect().width / plot.width, head = $("playhead");
  const x = plot.left + (plot.right - plot.left) * (now - plot.lower) / (plot.upper - plot.lower || 1);
  head.style.left = `${scale * x - 1}px`, head.style.top = `${scale * plot.top}px`;
  head.style.height = `${scale * (plot.bottom - plot.top)}px`;
  listContacts(frame);
  document.body.dataset.time = now.toFixed(6), document.body.dataset.frame = frame;
}
function play(on) {
  isPlaying = on, last = 0;
  if (on && now >= end) now = start;
  $("play").textContent = on ? "❚❚" : "▶";
  if (on) requestAnimationFrame(tick);
}
function tick(stamp) {
  if (!isPlaying) return;
  if (last > 0) show(now + Math.min(0.1, (stamp - last) / 1000) * Number($("speed").value));
  last = stamp;
  if (now >= end) play(false); else requestAnimationFrame(tick);
}

// ---- Hands ---------------------------------------------------------------------------------------------------
function listen() {
  const again = () => show(now);
  $("play").onclick = () => play(!isPlaying);
  $("seek").oninput = (event) => { play(false); show(start + (end - start) * Number(event.target.value) / 1000); };
  $("forces").onchange = again, $("shadows").onchange = again, window.onresize = again;
  $("plot").onclick = (event) => {
    const box = $("plot").querySelector("svg").getBoundingClientRect(), plot = data.plot;
    const part = ((event.clientX - box.left) * plot.width / box.width - plot.left) / (plot.right - plot.left);
    play(false), show(plot.lower + part * (plot.upper - plot.lower));
  };
  for (const row of document.querySelectorAll("#expectations tr"))
    row.onclick = () => { play(false); show(start + Number(row.dataset.time)); };
  document.onkeydown = (event) => {
    if (["INPUT", "SELECT"].includes(event.target.tagName) && event.key !== " ") return;
    const step = (event.shiftKey ? 10 : 1) * (end - start) / Math.max(1, times.length - 1);
    if (event.key === " ") play(!isPlaying), event.preventDefault();
    if (event.key === "ArrowRight") play(false), show(now + step);
    if (event.key === "ArrowLeft") play(false), show(now - step);
    if (event.key === "Home") show(start);
    if (event.key === "End") show(end);
  };
  const pointers = new Map();
  canvas.oncontextmenu = (event) => event.preventDefault();
  canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, [event.clientX, event.clientY]); };
  canvas.onpointerup = canvas.onpointercancel = (event) => pointers.delete(event.pointerId);
  const turn = (dx, dy) => {
    camera.azimuth -= 0.007 * dx;
    camera.elevation = Math.min(1.55, Math.max(-1.55, camera.elevation + 0.007 * dy));
  };
  const move = (dx, dy) => {
    const back = unit(sub(eyeOf(camera), camera.target)), right = unit(cross([0, 0, 1], back)), up = cross(back, right);
    const scale = 0.73 * camera.distance / canvas.clientHeight;
    camera.target = add(add(camera.target, right, -scale * dx), up, scale * dy);
  };
  canvas.onpointermove = (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before[0], dy = event.clientY - before[1];
    if (pointers.size === 2) {  // two fingers: nearer, and along
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const gap = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      camera.distance *= gap(before) / gap([event.clientX, event.clientY]);
      move(0.5 * dx, 0.5 * dy);
    } else if (event.buttons & 2 || event.buttons & 4 || event.shiftKey) {
      move(dx, dy);
    } else {
      turn(dx, dy);
    }
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    again();
  };
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.distance = Math.min(60 * size, Math.max(0.05 * size, camera.distance * Math.exp(0.0012 * event.deltaY)));
    again();
  }, {passive: false});
  canvas.ondblclick = () => { camera = {...home}; again(); };
}

// "#t=2.5&azimuth=0.5&elevation=0.3&distance=1.2" begins there.
function readHash() {
  const words = new URLSearchParams(location.hash.slice(1));
  for (const name of ["azimuth", "elevation", "distance"])
    if (words.has(name) && Number.isFinite(Number(words.get(name)))) camera[name] = Number(words.get(name));
  const t = Number(words.get("t"));
  return words.has("t") && Number.isFinite(t) ? t : start;
}

if (gl) {
  try {
    setUp();
    document.body.dataset.webgl = "ok";
  } catch (error) {
    document.body.dataset.webgl = String(error);
    throw error;
  }
} else {
  document.body.dataset.webgl = "none";
  canvas.hidden = true, $("trouble").hidden = false;
}
listen();
show(readHash());
document.body.dataset.frames = times.length, document.body.dataset.parts = scene.parts.length;
if (gl) document.body.dataset.errors = gl.getError();
})();
