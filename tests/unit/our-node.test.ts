import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onOurNode } from '#tests/setup/our-node.ts';

/** A clone whose installed Node writes its arguments to a file, one per line, then runs `then`; without a Node if `then` is null. */
function clone(then: string | null) {
  const root = mkdtempSync(path.join(tmpdir(), 'atelier-node-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const said = path.join(root, 'said');
  const bin = path.join(root, 'node_modules/node/bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${said}'\n${then}\n`;
  if (then !== null) writeFileSync(path.join(bin, 'node'), script, { mode: 0o755 });
  return { root, said };
}

/** A process of this version. Its exit throws, so that nothing runs after it. */
const shell = (version: string) => ({
  version,
  argv: ['/usr/bin/node', 'vitest.mjs', 'run', 'tests/a b.test.ts'],
  exit: (code?: number | string | null): never => {
    throw new Error(`ended with ${code}`);
  },
});

describe('tests called from a shell', () => {
  it.each(['v24.0.0', 'v25.3.1', 'v100.0.0'])('with Node %s go on where they are', (version) => {
    const { root, said } = clone('exit 7');
    onOurNode(root, shell(version));
    expect(existsSync(said)).toBe(false);
  });

  it.each(['v22.21.0', 'v9.0.0'])('with Node %s run on the installed one and end as there', (version) => {
    const { root, said } = clone('exit 7');
    expect(() => onOurNode(root, shell(version))).toThrow('ended with 7');
    expect(readFileSync(said, 'utf8')).toBe('vitest.mjs\nrun\ntests/a b.test.ts\n');
    expect(() => onOurNode(clone('exit 0').root, shell(version))).toThrow('ended with 0');
  });

  it('fail when the installed Node is killed', () => {
    expect(() => onOurNode(clone('kill -9 $$').root, shell('v22.21.0'))).toThrow('ended with 1');
  });

  it('are told what to do where none is installed', () => {
    expect(() => onOurNode(clone(null).root, shell('v22.21.0'))).toThrow(
      'Tests need Node 24, this is v22.21.0: run npm ci, or npm test.',
    );
  });
});
