import { assembleContext } from '#lib/brain/context/assemble.ts';
import type { ContextRow } from '#lib/brain/context/types.ts';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';
import { median } from './figures/median.ts';

type ContextBenchRow = {
  memories: number;
  maxChars: number;
  /** Medians, in milliseconds. */
  assembleMs: number;
  stringifyMs: number;
  /** assemble ÷ JSON.stringify of the same rows; to be at most 1. */
  ratio: number;
};

const SIZES = [10, 100, 1000, 10_000];
const BUDGETS = [16_000, 200_000];
const RUNS = 31;

/**
 * Context assembly as a pure function from 10 to 10,000 Memories, next to `JSON.stringify` of the same rows, alternating in one
 * run; `growth` is the time at 10,000 over the time at 1,000 by budget, to be at most 12.
 */
export function benchContext(): { rows: ContextBenchRow[]; growth: Record<string, number> } {
  const rows = BUDGETS.flatMap((maxChars) => SIZES.map((count) => measure(count, maxChars)));
  const at = (memories: number, maxChars: number) =>
    rows.find((row) => row.memories === memories && row.maxChars === maxChars)?.assembleMs ?? Number.NaN;
  const growth = Object.fromEntries(
    BUDGETS.map((maxChars) => [String(maxChars), at(10_000, maxChars) / at(1000, maxChars)]),
  );
  return { rows, growth };
}

function measure(memories: number, maxChars: number): ContextBenchRow {
  const rows = sampleRows(memories);
  const space = { id: 'spc_bench', name: 'Maison Lune', template: 'brand' } as const;
  const assemble = () => assembleContext({ space, pillars: PILLAR_ROLES, memories: rows, maxChars });
  const stringify = () => JSON.stringify(rows);
  const inner = Math.max(1, Math.round(2000 / memories));
  const [assembleMs, stringifyMs] = medians([assemble, stringify], inner);
  return { memories, maxChars, assembleMs, stringifyMs, ratio: assembleMs / stringifyMs };
}

/** Median milliseconds per call of each function, the functions taking turns so that both see the same machine. */
function medians(functions: [() => unknown, () => unknown], inner: number): [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let run = -5; run < RUNS; run++) {
    for (const which of [0, 1] as const) {
      const start = performance.now();
      for (let i = 0; i < inner; i++) functions[which]();
      const elapsed = (performance.now() - start) / inner;
      if (run >= 0) times[which].push(elapsed);
    }
  }
  return [median(times[0]), median(times[1])];
}

const SENTENCE =
  'La maison répond sous deux jours ; l’atelier garde la trace de chaque commande, même très ancienne. ';

/** French notes of 100 to 1,700 characters, every third nested under the one before, over the five pillars. */
function sampleRows(count: number): ContextRow[] {
  const perPillar = Math.ceil(count / PILLAR_ROLES.length);
  return Array.from({ length: count }, (_, i) => ({
    id: `mem_${String(i).padStart(8, '0')}`,
    role: PILLAR_ROLES[Math.floor(i / perPillar)] ?? 'PEOPLE',
    parentId: i % perPillar !== 0 && i % 3 === 2 ? `mem_${String(i - 1).padStart(8, '0')}` : null,
    kind: 'NOTE',
    title: `Note ${i} sur les usages de l’atelier`,
    body: Array.from(
      { length: 1 + ((i * 7) % 17) },
      (_, line) => SENTENCE + (line % 3 === 2 ? '\n\n' : ''),
    ).join(''),
    source: 'MANUAL',
    // As the database says it.
    hasInvisible: false,
    createdAt: new Date(1_760_000_000_000 + i * 1000),
  }));
}

if (import.meta.main) {
  const { rows, growth } = benchContext();
  console.table(rows);
  console.log('10,000 / 1,000:', growth);
}
