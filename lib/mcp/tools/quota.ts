import { z } from 'zod';
import { getQuota } from '#lib/brain/quota/get-quota.ts';
import { quotaSchema } from '#lib/brain/schemas/account.ts';
import { defineTool, READ_ANNOTATIONS } from './tool.ts';

export const quotaTool = defineTool({
  name: 'brain_quota',
  title: 'Lire le quota de lectures',
  description:
    'Donne les lectures incluses ce mois-ci, utilisées et restantes, et la date du renouvellement. Gratuit.',
  scope: 'brain:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({}),
  output: quotaSchema,
  run: (ctx) => getQuota(ctx),
});
