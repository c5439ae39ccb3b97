// Opens and saves glTF files as editors do. usage: node edit.mjs TOOLS < jobs
// A job is a line: editor, file, file to write, with tabs between. Prints one line per job that could not be done.
import fs from 'fs';
import path from 'path';
import { pathToFileURL } from 'url';

const load = (file) => import(pathToFileURL(path.join(process.argv[2], 'node_modules', file)));
const { program, programReady } = await load('@gltf-transform/cli/dist/cli.mjs');
const { pack } = await load('gltfpack/library.js');
await programReady;

const files = { read: (file) => fs.readFileSync(file), write: (file, bytes) => fs.writeFileSync(file, bytes) };
const PACK = ['-noq', '-kn', '-km', '-ke'];

// The tools tell of every step; what went wrong is all that matters here.
const say = console.log;
for (const name of ['log', 'info', 'warn', 'debug']) console[name] = () => {};
process.stdout.write = ((write) => (text, ...rest) => (String(text).startsWith('cannot ') ? write(text, ...rest) : true))(process.stdout.write.bind(process.stdout));

const jobs = fs.readFileSync(0, 'utf8').split('\n').filter((line) => line);
for (const job of jobs) {
  const [editor, from, to] = job.split('\t');
  try {
    if (editor === 'gltfpack') await pack(['-i', from, '-o', to, ...PACK], files);
    else await program.exec([editor, from, to], { silent: true });
  } catch (error) {
    say(`cannot ${editor} ${from}: ${error}`);
  }
}
