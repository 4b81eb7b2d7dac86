import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { generationAnswer } from '#lib/http/responses/generation-answer.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withScenario } from '#lib/http/runtime/scenario.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { generationRequest } from '#lib/studio/request.ts';
import {
  generationAnswers,
  generationErrors,
  generationHeaders,
  MAX_STUDIO_REQUEST_BYTES,
  scenarioBody,
} from '#lib/studio/schemas.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

/** The whole chain on recorded answers, with a scenario of what goes wrong. Absent in production. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'playGeneration',
      summary: 'Jouer une génération sur des réponses enregistrées',
      tag: 'Développement',
      dialect: 'studio',
      permission: 'generate',
      headers: generationHeaders,
      body: { type: 'json', schema: scenarioBody, maxBytes: MAX_STUDIO_REQUEST_BYTES },
      answers: generationAnswers,
      errors: [...generationErrors, 'not_found'],
    },
    async (ctx, { headers, body: { scenario, ...body }, request }) => {
      if (env().isProduction) throw new ServiceError('not_found');
      const submitted = await submitGeneration(withScenario(withStudio(ctx, request), scenario), {
        request: validate(generationRequest, body, 'invalid'),
        idempotencyKey: headers['idempotency-key'],
      });
      return generationAnswer(ctx, submitted);
    },
  ),
});
