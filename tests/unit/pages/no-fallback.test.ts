import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../..');
const FALLBACK = /<Suspense\b|import \{[^}]*\b(?:lazy|Suspense)\b[^}]*\} from 'react'/;

describe('a page and its parts', () => {
  it('stand behind no fallback, which React would keep for 300 ms (docs/decisions/0038-pages-on-their-way.md)', () => {
    const files = globSync('app/**/*.{ts,tsx}', { cwd: ROOT });
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((file) => /(^|\/)loading\.tsx?$/.test(file))).toEqual([]);
    expect(files.filter((file) => FALLBACK.test(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
    expect(FALLBACK.test("import { lazy, type ReactNode } from 'react';")).toBe(true);
  });
});
