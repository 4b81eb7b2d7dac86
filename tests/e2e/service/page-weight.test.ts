import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { cookieOf } from '../setup/account.ts';
import { pageScales, tooHeavy } from '../setup/page-weight.ts';
import { onAppDatabase, paidRow } from '../setup/scenes/app.ts';

const app = inject('app');

const PUBLIC = ['/connexion', '/docs', '/docs/developpeur'];
const COCKPIT = [
  ['espaces', 'recherche?q=lampe', 'contexte', 'propositions', 'corbeille'],
  [
    'creer',
    'creer?type=video',
    'creer?type=render',
    'journal',
    'journal?vue=table',
    'journal?review=to-review',
  ],
  ['journal/comparer', 'voix', 'modeles', 'modeles/carousel', 'avatars', 'envois'],
  ['produits', 'produits/proposer'],
  ['portefeuille', 'portefeuille/equipe', 'developpeurs', 'developpeurs/evenements', 'projets', 'partages'],
  ['applications', 'applications/connecter', 'equipe', 'equipe/compte', 'audit', 'exploitation', 'compte'],
]
  .flat()
  .map((name) => `/${name}`);

describe('each page keeps to 165 KiB of scripts, 70 KiB of fonts and 1 MiB of HTML', () => {
  const weigh = pageScales(app.baseUrl);

  it.each(PUBLIC)('%s, to anyone', async (address) => {
    const weight = await weigh(address);
    expect([weight.status, ...tooHeavy(weight)]).toEqual([200]);
  });

  it('in the cockpit, the Space and a row of the journal included', async () => {
    const cookie = await cookieOf(app);
    const generationId = await onAppDatabase(app, async (reached) => {
      const { accountId, id: memberId } = await reached.db.member.findFirstOrThrow({
        where: { email: app.demo?.memberEmail ?? '', accountId: app.demo?.accountId ?? '' },
      });
      return paidRow(
        reached,
        { accountId, memberId },
        { at: new Date(), heldMicros: 40_000n, costMicros: 38_000n },
      );
    });
    const found: Record<string, unknown[]> = {};
    for (const address of [...COCKPIT, `/espaces/${app.demo?.spaceId}`, `/journal/${generationId}`]) {
      const weight = await weigh(address, cookie);
      const faults = tooHeavy(weight);
      if (weight.status !== 200 || faults.length > 0) found[address] = [weight.status, ...faults];
    }
    expect(found).toEqual({});
  });

  it('in the cockpit, of which only the page of one subscribed address is not weighed', () => {
    const pages = globSync('app/**/page.tsx', { cwd: repositoryRoot })
      .map((file) => file.split(path.sep).join('/'))
      .flatMap((file) => /^app\/\(cockpit\)(\/.+)\/page\.tsx$/.exec(file)?.[1] ?? []);
    const weighed = ['/espaces/[id]', '/journal/[id]', '/modeles/[id]'];
    for (const address of COCKPIT) weighed.push(address.replace(/\?.*/, ''));
    expect(pages.length).toBeGreaterThan(25);
    expect(pages.filter((page) => !weighed.includes(page))).toEqual(['/developpeurs/evenements/[id]']);
  });
});
