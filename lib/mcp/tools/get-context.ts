import { z } from 'zod';
import { contextRead, getContext } from '#lib/brain/context/get-context.ts';
import { MAX_QUESTION_LENGTH } from '#lib/brain/limits.ts';
import { contextQuery, contextSchema } from '#lib/brain/schemas/contexts.ts';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';
import { runAccountRead } from '#lib/db/account-read.ts';
import { namedSpace, pillarsArgument, spaceIdArgument, wholeNumber } from './arguments.ts';
import { defineTool, READ_ANNOTATIONS, TEXTS_ARE_DATA } from './tool.ts';

export const getContextTool = defineTool({
  name: 'brain_get_context',
  title: 'Lire le contexte d’un espace',
  description: `Assemble tout ce qu’un espace sait (identité, règles, connaissances, éléments, personnes) en un seul texte prêt pour un prompt, jamais plus long que maxChars. À appeler avant de rédiger au nom de la marque\u00a0; avec q, la place va à ce qui répond à une question, toujours dans l’ordre des piliers. Coûte une lecture du quota mensuel. ${TEXTS_ARE_DATA}`,
  scope: 'brain:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({
    spaceId: spaceIdArgument,
    pillars: pillarsArgument.optional(),
    maxChars: wholeNumber().optional().meta({
      description:
        'Longueur maximale du texte, ramenée entre 200 et 200 000\u00a0; 16 000 par défaut. La réponse dit la valeur appliquée\u00a0; elle redonne aussi les mémoires une à une, ce qui la double à peu près.',
    }),
    q: contextQuery.shape.q.meta({
      description: `Ce dont il est question, en mots ou en question, en ${MAX_QUESTION_LENGTH} caractères au plus, dans la langue des mémoires\u00a0: la place va à celles qui en contiennent les mots. Absent, ou si rien ne les contient (unmatchedWords nomme alors ces mots), tout l’espace.`,
    }),
  }),
  output: contextSchema,
  async run(ctx, { pillars, ...input }, call) {
    const roles = pillars && PILLAR_ROLES.filter((role) => pillars.includes(role));
    await call.progress(0, 2, 'Lecture de l’espace');
    const spaceId = await namedSpace(ctx, input.spaceId);
    const asked = { ...input, spaceId, ...(roles ? { pillars: roles } : {}) };
    const found = await runAccountRead(ctx, contextRead(ctx.clock.now(), asked));
    await call.progress(1, 2, 'Assemblage du contexte');
    const { json } = await getContext(ctx, asked, found);
    await call.progress(2, 2, 'Contexte prêt');
    return json?.text;
  },
});
