// Times MuJoCo on one model, for `stiction bench speed --peers`: one thread, CPU time.
//
//   node --input-type=module --eval "$(cat mujoco.mjs)" -- MODEL.xml SECONDS SOLVER CONE DT KEYFRAME
//
// Needs its official WebAssembly package, @mujoco/mujoco of npm, in the working directory. DT 0 and an empty
// KEYFRAME stand for the file's. Prints {"us": CPU time per step, "steps": ..., "version": ...} as JSON.
import fs from 'node:fs';
import path from 'node:path';
import loadMujoco from '@mujoco/mujoco';

const [file, seconds, solver, cone, dt, keyframe] = process.argv.slice(1);
const solvers = ['pgs', 'cg', 'newton'];
const cones = ['pyramidal', 'elliptic'];
const warmUp = 100; // steps until the engine's code is compiled, which is not what is timed

// The module sees files of its own only: it is given the model's folder.
function copyFolder(mujoco, from, to) {
  mujoco.FS.mkdir(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = `${to}/${entry.name}`;
    if (entry.isDirectory()) copyFolder(mujoco, source, target);
    else mujoco.FS.writeFile(target, fs.readFileSync(source));
  }
}

const mujoco = await loadMujoco();
copyFolder(mujoco, path.dirname(file), '/model');
const model = mujoco.MjModel.mj_loadXML(`/model/${path.basename(file)}`);
model.opt.solver = solvers.indexOf(solver);
model.opt.cone = cones.indexOf(cone);
if (Number(dt) > 0) model.opt.timestep = Number(dt);
const data = new mujoco.MjData(model);

function start() {
  if (!keyframe) return mujoco.mj_resetData(model, data);
  const index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY.value, keyframe);
  mujoco.mj_resetDataKeyframe(model, data, index);
}

const steps = Math.round(Number(seconds) / model.opt.timestep);
start();
for (let i = 0; i < Math.min(warmUp, steps); ++i) mujoco.mj_step(model, data);
start();
const before = process.cpuUsage();
for (let i = 0; i < steps; ++i) mujoco.mj_step(model, data);
const spent = process.cpuUsage(before);
const us = (spent.user + spent.system) / steps;
console.log(JSON.stringify({ us, steps, version: mujoco.mj_versionString() }));
