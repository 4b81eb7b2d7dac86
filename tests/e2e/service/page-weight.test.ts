import { describe, expect, inject, it } from 'vitest';
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
  ['journal/comparer', 'voix', 'modeles', 'modeles/carousel', 'avatars', 'produits', 'envois'],
  ['portefeuille', 'portefeuille/equipe', 'developpeurs', 'developpeurs/evenements', 'projets', 'partages'],
  ['applications', 'applications/connecter', 'equipe', 'equipe/compte', 'audit', 'exploitation', 'compte'],
]
  .flat()
  .map((path) => `/${path}`);

describe('each page keeps to 165 KiB of scripts, 70 KiB of fonts and 1 MiB of HTML', () => {
  const weigh = pageScales(app.baseUrl);

  it.each(PUBLIC)('%s, to anyone', async (path) => {
    const weight = await weigh(path);
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
    for (const path of [...COCKPIT, `/espaces/${app.demo?.spaceId}`, `/journal/${generationId}`]) {
      const weight = await weigh(path, cookie);
      const faults = tooHeavy(weight);
      if (weight.status !== 200 || faults.length > 0) found[path] = [weight.status, ...faults];
    }
    expect(found).toEqual({});
  });
});
