// What MuJoCo computes of MJCF models: the numbers that tests/io/mjcf/mujoco_numbers_test.cpp compares with.
//
//   node mujoco_numbers.mjs PACKAGE MODEL.xml...
//
// PACKAGE is the folder of @mujoco/mujoco (npm). Writes MODEL.json beside each model: its version, and in two
// states (that of the file, and one with random places, speeds, controls and activations) M by rows, the bias,
// passive and actuator forces, and the accelerations without contacts and limits. Files that models name must
// stand beside them or one folder below.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [folder, ...models] = process.argv.slice(2);
const package_url = pathToFileURL(path.join(folder, 'mujoco.js'));
const mj = await (await import(package_url)).default({print() {}, printErr() {}});

// The same numbers in [-1, 1] each time.
let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) / (1 << 23) - 1;
};

const copyFolder = (from, to) => {
  for (const entry of fs.readdirSync(from, {withFileTypes: true})) {
    const source = path.join(from, entry.name), target = to + '/' + entry.name;
    if (entry.isDirectory()) {
      try { mj.FS.mkdir(target); } catch { /* it is there */ }
      copyFolder(source, target);
    } else if (!entry.name.endsWith('.json')) {
      mj.FS.writeFile(target, fs.readFileSync(source));
    }
  }
};

const disturb = (model, data) => {
  const kBall = 1, sizes = [7, 4, 1, 1];  // of free, ball, slide and hinge joints in qpos
  for (let j = 0; j < model.njnt; ++j) {
    const first = model.jnt_qposadr[j], type = model.jnt_type[j];
    for (let i = first; i < first + sizes[type]; ++i) data.qpos[i] += 0.3 * random();
    if (type > kBall) continue;
    const turn = first + sizes[type] - 4;
    const norm = Math.hypot(...data.qpos.slice(turn, turn + 4));
    for (let i = turn; i < turn + 4; ++i) data.qpos[i] /= norm;
  }
  for (let i = 0; i < model.nv; ++i) data.qvel[i] = 2 * random();
  for (let i = 0; i < model.nu; ++i) data.ctrl[i] = 0.5 + 0.5 * random();
  for (let i = 0; i < model.na; ++i) data.act[i] = 0.5 + 0.4 * random();
};

const massMatrix = (model, data) => {
  const nv = model.nv, M = new Array(nv * nv).fill(0);
  for (let i = 0; i < nv; ++i) {
    for (let k = model.M_rowadr[i]; k < model.M_rowadr[i] + model.M_rownnz[i]; ++k)
      M[i * nv + model.M_colind[k]] = M[model.M_colind[k] * nv + i] = data.M[k];
  }
  return M;
};

for (const file of models) {
  copyFolder(path.dirname(path.resolve(file)), '');
  const model = mj.MjModel.mj_loadXML('/' + path.basename(file)), data = new mj.MjData(model);
  const list = values => [...values].map(value => +value.toPrecision(12));
  const states = [];
  for (const is_disturbed of [false, true]) {
    mj.mj_resetData(model, data);
    if (is_disturbed) disturb(model, data);
    const state = {q: [...data.qpos], v: [...data.qvel], ctrl: [...data.ctrl], act: [...data.act]};
    mj.mj_forward(model, data);
    states.push({...state, M: list(massMatrix(model, data)), bias: list(data.qfrc_bias),
                 passive: list(data.qfrc_passive), actuation: list(data.qfrc_actuator),
                 acceleration: list(data.qacc_smooth)});
  }
  const text = JSON.stringify({mujoco: mj.mj_versionString(), states}).replaceAll('{"q"', '\n{"q"');
  fs.writeFileSync(file.replace(/\.xml$/, '.json'), text + '\n');
  data.delete();
  model.delete();
}
