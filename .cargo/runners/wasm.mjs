#!/usr/bin/env -S node --no-warnings
// Runs a program for wasm32-wasip1 under Node: PROGRAM ARGUMENTS..., with this environment, standard
// input and output, and exit status. Of the file system it sees the workspace, where it always is,
// and the working directory, as `.`.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const workspace = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const wasi = new WASI({
  version: 'preview1',
  args,
  // A panic ends the program, and what the harness had captured of a test, the panic's message
  // included, would be lost.
  env: { RUST_TEST_NOCAPTURE: '1', ...process.env },
  preopens: { [workspace]: workspace, '.': process.cwd() },
  returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(args[0]));
// Not `wasi.getImportObject()`, which Node 18 lacks.
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));
