import type { Page } from 'playwright';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { proposeMemory } from '#lib/brain/proposals/propose-memory.ts';
import { deleteAvatar, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { deleteConcept } from '#lib/storage/assets/concepts.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import { addAsset, addUpload } from '#tests/factories/files/files.ts';
import type { Scenes, Seat } from '../scenes/brain.ts';
import { openFilesOf } from '../scenes/files.ts';
import type { ServedApp } from '../serve.ts';

export type ShownPage = {
  /** The name of its screenshots. */
  name: string;
  path: string;
  /** The session cookie; without it, nobody is signed in. */
  cookie?: Seat['cookie'];
  /** The expected HTTP status; 200 by default. */
  status?: number;
  /** Gestures before the screenshot, such as opening a dialog. */
  prepare?: (page: Page) => Promise<void>;
};

const LONG = 'Anticonstitutionnellement-et-irrévocablement-insécable'.repeat(3);

/** The pages of the Brain: empty, with one item, with many, with very long words, and without the right to write. */
export async function brainPages(
  app: ServedApp,
  scenes: Scenes,
  demoCookie: Seat['cookie'],
): Promise<ShownPage[]> {
  const empty = await scenes.seat();
  const bare = await scenes.seat();
  const bareSpace = await scenes.space(bare, 'Tout neuf');
  const one = await scenes.seat();
  const oneSpace = await scenes.space(one, 'Un seul');
  await scenes.memory(one, oneSpace, { title: 'Promesse', body: 'Éclairer sans éblouir.' });
  const many = await scenes.seat();
  const manySpace = await scenes.crowd(many, 'Foule', 1_000);
  const long = await scenes.seat({ capacityCu: 12 });
  const longSpace = await scenes.space(long, LONG.slice(0, 118));
  const longId = await scenes.memory(long, longSpace, {
    title: LONG.slice(0, 200),
    body: `${LONG} `.repeat(40),
  });
  await scenes.memory(long, longSpace, { title: LONG.slice(0, 160), body: LONG, parentId: longId });
  const kin = await scenes.seat();
  const kinSpace = await scenes.space(kin, 'Maison Aubry');
  const lamps = await scenes.memory(kin, kinSpace, {
    pillar: 'ITEMS',
    title: 'Lampes de lecture',
    body: 'Trois lampes, une même tête orientable.',
  });
  for (const name of ['Aubépine', 'Bruyère', 'Cormier', 'Digitale'])
    await scenes.memory(kin, kinSpace, {
      pillar: 'ITEMS',
      parentId: lamps,
      title: `Lampe ${name}`,
      body: `La lampe ${name} éclaire la page, pas la chambre.`,
    });
  const GUARANTEE =
    'Chaque lampe est garantie dix ans, câble et interrupteur compris. Une pièce qui casse est changée sans frais, sur présentation de la facture.';
  await scenes.memory(kin, kinSpace, { pillar: 'KNOWLEDGE', title: 'Garantie des lampes', body: GUARANTEE });
  const hidden = await scenes.memory(kin, kinSpace, {
    title: 'Texte collé',
    body: 'Éclairer\u200b sans éblouir\u202e.',
  });
  const double = await scenes.seat();
  const doubleSpace = await scenes.space(double, 'Maison Aubry');
  await scenes.memory(double, doubleSpace, {
    pillar: 'KNOWLEDGE',
    title: 'Garantie des lampes',
    body: GUARANTEE,
  });
  const bin = await scenes.seat();
  const binSpace = await scenes.space(bin, 'Maison Aubry');
  for (const title of ['Ancien slogan', LONG.slice(0, 160), 'Tarifs de 2024']) {
    const id = await scenes.memory(bin, binSpace, { title, body: GUARANTEE });
    await scenes.memory(bin, binSpace, { title: 'Détail', parentId: id });
    await deleteMemory(bin.ctx, { memoryId: id });
  }
  await binThings(app, bin);
  const asked = await scenes.seat();
  const askedSpace = await scenes.space(asked, 'Maison Aubry');
  const toned = await scenes.memory(asked, askedSpace, { title: 'Garantie', body: GUARANTEE });
  const suggest = (place: Parameters<typeof proposeMemory>[1]['place'], title: string, body: string) =>
    proposeMemory(asked.ctx, { place, title, body, note: 'La page des garanties a changé.' });
  await suggest({ memoryId: toned }, 'Garantie', `${GUARANTEE}\nElle couvre aussi les pièces.`);
  await suggest(
    { spaceId: askedSpace, pillar: 'GUIDELINES' },
    'Ton des courriels',
    'Nous vouvoyons.\nNous signons.',
  );
  await suggest({ spaceId: askedSpace, pillar: 'ITEMS' }, LONG.slice(0, 160), LONG);
  const reader = await scenes.colleague(one, []);
  const demoSpace = app.demo?.spaceId ?? '';
  const demo = { cookie: demoCookie };
  const openFirst = async (page: Page) => {
    await page.locator('[data-row]').first().click();
    await page.locator('[data-panel]').getByLabel('Titre', { exact: true }).waitFor();
  };
  return [
    { name: 'espaces', path: '/espaces', ...demo },
    { name: 'espaces-vide', path: '/espaces', cookie: empty.cookie },
    { name: 'espaces-long', path: '/espaces', cookie: long.cookie },
    { name: 'espaces-lecteur', path: '/espaces', cookie: reader.cookie },
    {
      name: 'espaces-creer',
      path: '/espaces?nouveau',
      ...demo,
      prepare: async (page) => page.locator('[data-panel]').waitFor(),
    },
    { name: 'espace', path: `/espaces/${demoSpace}`, ...demo },
    { name: 'espace-vide', path: `/espaces/${bareSpace}`, cookie: bare.cookie },
    { name: 'espace-foule', path: `/espaces/${manySpace}`, cookie: many.cookie },
    { name: 'espace-long', path: `/espaces/${longSpace}`, cookie: long.cookie },
    { name: 'espace-lecteur', path: `/espaces/${oneSpace}`, cookie: reader.cookie },
    { name: 'memoire', path: `/espaces/${demoSpace}`, ...demo, prepare: openFirst },
    {
      name: 'memoire-historique',
      path: `/espaces/${longSpace}?memoire=${longId}&vue=historique`,
      cookie: long.cookie,
      prepare: async (page) => {
        await page.getByText('Création').click();
      },
    },
    {
      name: 'memoire-ranger',
      path: `/espaces/${longSpace}?memoire=${longId}&vue=place`,
      cookie: long.cookie,
    },
    {
      name: 'ajouter',
      path: `/espaces/${demoSpace}`,
      ...demo,
      prepare: async (page) => page.getByRole('button', { name: 'Ajouter une mémoire', exact: true }).click(),
    },
    {
      name: 'importer',
      path: `/espaces/${demoSpace}`,
      ...demo,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Actions de l’espace' }).click();
        await page.getByRole('menuitem', { name: 'Importer' }).click();
      },
    },
    { name: 'memoire-invisible', path: `/espaces/${kinSpace}?memoire=${hidden}`, cookie: kin.cookie },
    {
      name: 'memoire-ressemble',
      path: `/espaces/${doubleSpace}`,
      cookie: double.cookie,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Ajouter une mémoire', exact: true }).click();
        await page.getByLabel('Titre', { exact: true }).fill('Garantie');
        await page.getByLabel('Texte', { exact: true }).fill(GUARANTEE.replace('dix', 'douze').toUpperCase());
        await page.getByRole('button', { name: 'Ajouter la mémoire' }).click();
        await page.getByRole('button', { name: 'Supprimer la nouvelle' }).waitFor();
      },
    },
    { name: 'recherche-vide', path: '/recherche', ...demo },
    { name: 'recherche', path: '/recherche?q=lampe', ...demo },
    { name: 'recherche-groupe', path: '/recherche?q=atelier&groupe=espace', ...demo },
    { name: 'recherche-voisines', path: '/recherche?q=lampe', cookie: kin.cookie },
    { name: 'recherche-rien', path: '/recherche?q=zzzz', ...demo },
    { name: 'contexte', path: '/contexte', ...demo },
    { name: 'contexte-court', path: '/contexte?max=1000', ...demo },
    { name: 'contexte-q', path: '/contexte?q=combien+de+temps+la+lampe+est-elle+garantie&max=1000', ...demo },
    { name: 'contexte-q-rien', path: '/contexte?q=zzzz', ...demo },
    { name: 'contexte-long', path: '/contexte', cookie: long.cookie },
    { name: 'contexte-vide', path: '/contexte', cookie: empty.cookie },
    { name: 'corbeille', path: '/corbeille', cookie: bin.cookie },
    { name: 'propositions', path: '/propositions', cookie: asked.cookie },
    { name: 'propositions-vide', path: '/propositions', cookie: empty.cookie },
    { name: 'corbeille-vide', path: '/corbeille', cookie: empty.cookie },
    { name: 'introuvable', path: '/espaces/spc_inconnu', ...demo, status: 404 },
  ];
}

/** Puts a generated file, an uploaded file, an avatar and a concept into the bin of this account. */
async function binThings(app: ServedApp, seat: Seat): Promise<void> {
  const files = await openFilesOf(app, seat);
  try {
    const { ctx } = files.scene;
    const file = await addAsset(files.scene);
    const face = await addAsset(files.scene);
    const avatar = await saveAvatar(ctx, { assetId: face.id, name: 'Agnès, portrait d’atelier' });
    const concept = await addConcept(ctx, { productId: 'libre', name: 'Nuit claire' });
    await deleteAvatar(ctx, { avatarId: avatar.id });
    await deleteConcept(ctx, { conceptId: concept.id });
    await deleteGenerationFiles(ctx, { generationId: file.generationId ?? '' });
    await deleteUpload(ctx, { uploadId: (await addUpload(files.scene)).id });
  } finally {
    await files.close();
  }
}
