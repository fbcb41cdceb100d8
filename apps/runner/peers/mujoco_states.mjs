// MuJoCo on a scene, for `stiction bench peers`: where all its bodies are, and how fast, as they go.
//
//   node --input-type=module --eval "$(cat mujoco_states.mjs)" -- MODEL.xml STEPS EVERY OPTIONS
//
// Needs its official WebAssembly package, @mujoco/mujoco of npm, in the working directory. Starts from the keyframe
// "start"; OPTIONS, as JSON, go into mjOption. Prints what engines/engine_scene.h describes.
import fs from 'node:fs';
import loadMujoco from '@mujoco/mujoco';

const [file, steps, every, options] = process.argv.slice(1);
const warmUp = 100; // steps until the engine's code is compiled, which is not what is timed

const mujoco = await loadMujoco();
mujoco.FS.writeFile('/model.xml', fs.readFileSync(file));
const model = mujoco.MjModel.mj_loadXML('/model.xml');
for (const [name, value] of Object.entries(JSON.parse(options))) model.opt[name] = value;
const data = new mujoco.MjData(model);
const start = () =>
  mujoco.mj_resetDataKeyframe(model, data, mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY.value, 'start'));

// MuJoCo keeps velocities at the mass centre of the whole tree.
function readBody(body) {
  const root = model.body_rootid[body];
  const w = data.cvel.slice(6 * body, 6 * body + 3);
  const v = data.cvel.slice(6 * body + 3, 6 * body + 6);
  const p = data.xipos.slice(3 * body, 3 * body + 3);
  const r = p.map((x, i) => x - data.subtree_com[3 * root + i]);
  return [
    ...p, ...data.xquat.slice(4 * body, 4 * body + 4), ...w,
    v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2], v[2] + w[0] * r[1] - w[1] * r[0],
  ];
}

const samples = [];
function sample() {
  mujoco.mj_forward(model, data); // what a step leaves behind belongs to its start
  const row = [data.time];
  for (let body = 1; body < model.nbody; ++body) row.push(...readBody(body));
  samples.push(row);
}

start();
for (let i = 0; i < warmUp; ++i) mujoco.mj_step(model, data);
start();
sample();
let spent = 0;
for (let done = 0; done < Number(steps); done += Number(every)) {
  const before = process.cpuUsage();
  for (let i = 0; i < Number(every); ++i) mujoco.mj_step(model, data);
  const after = process.cpuUsage(before);
  spent += after.user + after.system;
  sample();
}
console.log(JSON.stringify({ version: 'MuJoCo ' + mujoco.mj_versionString(), us: spent / Number(steps), samples }));
