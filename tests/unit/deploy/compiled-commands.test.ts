import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { COMPILED_COMMANDS, keepCompiledCommands } from '../../../scripts/deploy/compiled-commands.ts';

test('a tree gets an `admin` that takes its arguments from anywhere, and compiled code that others read and nobody else writes', async () => {
  const tree = mkdtempSync(path.join(tmpdir(), 'atelier-tree-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  chmodSync(tree, 0o755);
  const files = {
    'scripts/admin.ts':
      "const verb = process.argv[2] as string;\nconst { said } = await import('../lib/said.ts');\nconsole.log(said(verb), process.env.NODE_COMPILE_CACHE, process.env.INIT_CWD);\n",
    'lib/said.ts': 'export const said = (verb: string): string => `dit ${verb}`;\n',
    // An entry point, and a file for a single machine: neither is run.
    'scripts/scheduler.ts': "throw new Error('run');\n",
    'lib/local/secrets.ts': "throw new Error('run');\n",
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(tree, file), text);
  }
  writeFileSync(path.join(tree, 'package.json'), '{"type":"module"}');
  await keepCompiledCommands(tree, Object.keys(files));

  const folder = path.join(tree, COMPILED_COMMANDS);
  const places = readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(places.filter((one) => one.isFile()).length).toBeGreaterThanOrEqual(2);
  for (const one of places) {
    const { mode, uid } = statSync(path.join(one.parentPath, one.name));
    expect((mode & 0o777).toString(8)).toBe(one.isDirectory() ? '755' : '644');
    expect(uid).toBe(process.getuid?.());
  }
  const bin = path.join(tree, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, path.join(bin, 'node'));
  const env = { PATH: `${bin}:/usr/bin:/bin` } as unknown as NodeJS.ProcessEnv;
  const answer = execFileSync(path.join(tree, 'admin'), ['key list'], { cwd: '/', env, encoding: 'utf8' });
  // A file named in a command is looked up in the folder where the command is typed.
  expect(answer.trim()).toBe(`dit key list ${folder} /`);
});
