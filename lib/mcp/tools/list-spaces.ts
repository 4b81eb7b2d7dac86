import { z } from 'zod';
import { spaceListSchema } from '#lib/brain/schemas/spaces.ts';
import { listSpaces } from '#lib/brain/spaces/list-spaces.ts';
import { defineTool, READ_ANNOTATIONS } from './tool.ts';

export const listSpacesTool = defineTool({
  name: 'brain_list_spaces',
  title: 'Lister les espaces',
  description:
    'Liste les espaces du compte, du plus ancien au plus récent, avec leur identifiant, leur type et leur taille. À appeler d’abord, sauf si la personne a nommé l’espace\u00a0: les autres outils le prennent par son identifiant ou par son nom. Coûte une lecture du quota mensuel.',
  scope: 'brain:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({}),
  output: spaceListSchema,
  run: (ctx) => listSpaces(ctx),
});
