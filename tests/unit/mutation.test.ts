import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { EQUIVALENTS } from '../mutation/equivalents.ts';
import { FOLDERS } from '../mutation/folders.ts';
import { type Mutant, scoreOf } from '../mutation/score.ts';

const found = (pattern: string) => globSync(pattern, { cwd: repositoryRoot });

describe('npm run mutate', () => {
  it.each(Object.entries(FOLDERS))('finds the files and the tests of « %s »', (_, { mutate, tests }) => {
    expect([...mutate, ...tests].filter((pattern) => found(pattern).length === 0)).toEqual([]);
  });

  it('excuses no change of a text that is no longer there', () => {
    const stale = EQUIVALENTS.filter(
      ({ file, original }) => !readFileSync(`${repositoryRoot}/${file}`, 'utf8').includes(original),
    );
    expect(stale).toEqual([]);
  });

  it('counts what its tests let pass against them, unless it is known to change nothing', () => {
    const one = (status: string, part: Partial<Mutant> = {}): Mutant => ({
      file: 'lib/a.ts',
      line: 1,
      original: 'a',
      replacement: 'b',
      status,
      ...part,
    });
    const [known] = EQUIVALENTS;
    const mutants = [one('Killed'), one('Timeout'), one('Survived'), one('NoCoverage'), one('CompileError')];
    expect(scoreOf([...mutants, one('Survived', known)])).toMatchObject({
      killed: 2,
      endless: 1,
      survived: [{ file: 'lib/a.ts' }],
      uncovered: [{ status: 'NoCoverage' }],
      equivalent: 1,
      percent: (2 / 3) * 100,
    });
    expect(scoreOf([]).percent).toBe(0);
  });
});
